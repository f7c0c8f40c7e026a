// The functions of docs/guides/only-the-right-people.md, beyond the values that the guide itself shows.
import { stripTypeScriptTypes } from "node:module";
import { checkPhone, RecipientError } from "messaging-service-client";
import { memoryLedger, sendMany } from "messaging-service-client/bulk";
import { describe, expect, test } from "vitest";
import { createFake, rcsOf, rcsText } from "../support/fakes/fake-service.ts";
import { codeBlocksOf } from "./pages.ts";

/** Returns the named function from a code block of the guide. Only the code before the given line is evaluated. */
const functionsOf = (name: string, before: string) => {
  const blocks = codeBlocksOf("docs/guides/only-the-right-people.md");
  const { code = "" } = blocks.find((block) => block.code.includes(`${name}(`)) ?? {};
  const [definitions = ""] = code.replaceAll(/^import .*$/gm, "").split(before);
  return new Function("checkPhone", `${stripTypeScriptTypes(definitions)}\nreturn ${name};`)(
    checkPhone,
  );
};

describe("recipientsOf", () => {
  const recipientsOf: (setting?: string) => (phone: string) => boolean = functionsOf(
    "recipientsOf",
    "const rcs =",
  );

  test.each([undefined, "", " ", ",", " , ,, ", "\n"])(
    "an empty setting permits nobody, in any call: %j",
    async (setting) => {
      const service = createFake();
      const rcs = rcsOf(service, { allowRecipient: recipientsOf(setting) });
      await expect(rcs.sendRcsText(rcsText)).rejects.toThrow(RecipientError);
      const options = { batch: "b", ledger: memoryLedger() };
      expect(await sendMany(rcs, [rcsText], options)).toMatchObject({
        skippedBy: { excluded: 1 },
      });
      expect(service.requests).toEqual([]);
    },
  );

  test.each(["Everybody", "everybody ", "all", "*", "everybody,+12065550123", "2065550123;"])(
    "a setting that is neither `everybody` nor a list of phone numbers throws at the start: %j",
    (setting) => {
      expect(() => recipientsOf(setting)).toThrow(/^TEXT_ONLY: Enter a valid /);
    },
  );

  test("a list permits its phone numbers in any common format, and nobody else", () => {
    const permits = recipientsOf("(206) 555-0123, 1-312-555-0142,");
    expect(["+12065550123", "+13125550142", "+14155550199"].map(permits)).toEqual([
      ...[true, true, false],
    ]);
    expect(recipientsOf("everybody")("+14155550199")).toBe(true);
  });
});

describe("isDayFor", () => {
  const isDayFor: (timeZone: string | undefined, at: Date) => boolean = functionsOf(
    "isDayFor",
    "const evening =",
  );

  test.each([
    ["winter", "2026-01-15", "14:00", "01:00"],
    ["the day on which summer time begins", "2026-03-08", "13:00", "00:00"],
    ["the day on which summer time ends", "2026-11-01", "14:00", "01:00"],
  ])("the day in New York is from 9 to 20 by its own clock: %s", (_, date, from, to) => {
    const begin = new Date(`${date}T${from}:00Z`).getTime();
    const end = new Date(`${date}T${to}:00Z`).getTime() + 86_400_000;
    const times = [begin - 1, begin, end - 1, end].map((ms) => new Date(ms));
    expect(times.map((at) => isDayFor("America/New_York", at))).toEqual([false, true, true, false]);
  });

  test("without a zone, it is day only when it is day in every zone of the United States and Canada, all year", () => {
    const zones = [
      ...["America/St_Johns", "America/Halifax", "America/New_York", "America/Chicago"],
      ...["America/Regina", "America/Denver", "America/Phoenix", "America/Los_Angeles"],
      ...["America/Anchorage", "Pacific/Honolulu", "America/Puerto_Rico"],
    ];
    const hoursOfDay = new Map<string, number>();
    for (let hour = 0; hour < 366 * 24; hour += 1) {
      // Checks one day of each week, because clocks change between two of these days.
      if (Math.floor(hour / 24) % 7 !== 0) continue;
      const at = new Date(Date.UTC(2026, 0, 1, hour));
      if (!isDayFor(undefined, at)) continue;
      const date = at.toISOString().slice(0, 10);
      hoursOfDay.set(date, (hoursOfDay.get(date) ?? 0) + 1);
      const asleep = zones.filter((zone) => !isDayFor(zone, at));
      expect([at.toISOString(), asleep]).toEqual([at.toISOString(), []]);
    }
    // Each of the 53 days has at least one hour that is day in every zone.
    expect(hoursOfDay.size).toBe(53);
  });

  test.each(["Mars/Olympus_Mons", "New York", "EST5EDT7"])(
    "a zone that does not exist makes skip throw, and the run rejects and sends nothing: %j",
    async (timeZone) => {
      const service = createFake();
      const run = sendMany(rcsOf(service), [{ ...rcsText, timeZone }], {
        ...{ batch: "b", ledger: memoryLedger() },
        toMessage: ({ timeZone: _, ...message }) => message,
        skip: (member) => !isDayFor(member.timeZone, new Date()) && "quiet hours",
      });
      await expect(run).rejects.toThrow(RangeError);
      expect(service.requests).toEqual([]);
    },
  );

  test("an empty zone counts as not given", () => {
    const at = new Date("2026-11-21T01:30:00Z");
    expect([isDayFor("", at), isDayFor(undefined, at)]).toEqual([false, false]);
  });
});
