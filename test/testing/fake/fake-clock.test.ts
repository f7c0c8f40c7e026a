import type { Duration } from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import { createFake, NEW_YEAR, v2Of } from "../../support/fakes/fake-service.ts";

describe("advance", () => {
  const table: readonly (readonly [Duration, string])[] = [
    [{ days: 1 }, "2026-01-02T00:00:00.000Z"],
    [{ hours: 2 }, "2026-01-01T02:00:00.000Z"],
    [{ minutes: 90 }, "2026-01-01T01:30:00.000Z"],
    [{ seconds: 0.5 }, "2026-01-01T00:00:00.500Z"],
    [{ milliseconds: 1 }, "2026-01-01T00:00:00.001Z"],
    [
      { days: 31, hours: 23, minutes: 59, seconds: 59, milliseconds: 999 },
      "2026-02-01T23:59:59.999Z",
    ],
    [{ hours: undefined, minutes: 1 }, "2026-01-01T00:01:00.000Z"],
    [{}, NEW_YEAR],
  ];
  test.each(table)("advance by %j leads to %s", (duration, time) => {
    const service = createFake();
    service.advance(duration);
    expect(service.now.toISOString()).toBe(time);
  });

  test.each([
    ["a negative part", { hours: -1 }, /^advance: hours must be 0 or more$/],
    ["an unknown unit", { weeks: 1 }, /`weeks`/],
    ["a string", { hours: "2" }, /^advance: hours must be/],
    ["NaN", { minutes: Number.NaN }, /^advance: minutes must be/],
    ["Infinity", { minutes: Number.POSITIVE_INFINITY }, /^advance: minutes must be/],
    ["null", { minutes: null }, /^advance: minutes must be/],
    ["a number alone", 7_200_000, /`duration` must be an object/],
    ["nothing", undefined, /`duration` must be an object/],
  ])("advance refuses %s, and does not move the clock", (_, duration, message) => {
    const service = createFake();
    expect(() => service.advance(duration as never)).toThrow(message);
    expect(() => service.advance(duration as never)).toThrow(TypeError);
    expect(service.now.toISOString()).toBe(NEW_YEAR);
  });
});

describe("the maximum of the clock", () => {
  const beyond: readonly Duration[] = [
    { days: 1e8 },
    { days: 3_000_000 },
    { milliseconds: Number.MAX_VALUE },
    { days: Number.MAX_VALUE, hours: Number.MAX_VALUE },
  ];
  test.each(beyond)(
    "advance by %j, beyond the year 9999, is refused and does not move the clock",
    (duration) => {
      const service = createFake();
      expect(() => service.advance(duration)).toThrow(
        new TypeError("advance: the clock must not go beyond the year 9999"),
      );
      expect(service.now.toISOString()).toBe(NEW_YEAR);
    },
  );

  test("the clock stops at the end of the year 9999, and the fake continues", async () => {
    const end = "9999-12-31T23:59:59.999Z";
    let now = new Date(end);
    const service = createFake({ now: () => now });
    const list = service.addList({ keyword_names: ["VIP"], first_optin_message: "Hello" });
    now = new Date(8.64e15);
    expect(service.now.toISOString()).toBe(end);
    expect(service.receiveText({ from: "+12065550123", text: "vip" })).toMatchObject([{ at: end }]);
    expect(service.addReport()).toMatchObject({ created_at: end });
    expect((await v2Of(service).lists.retrieve(list.id)).counts.subscribers).toBe(1);
    expect(() => service.advance({ milliseconds: 1 })).toThrow(/year 9999/);
  });
});

describe("the source of the clock", () => {
  test("a source of the clock may move by itself, and the advanced time is added to it", () => {
    let now = new Date(NEW_YEAR);
    const service = createFake({ now: () => now });
    service.advance({ hours: 1 });
    now = new Date("2026-01-01T00:30:00.000Z");
    expect(service.now.toISOString()).toBe("2026-01-01T01:30:00.000Z");
  });

  test("the default source of the clock is the real time", () => {
    const before = Date.now();
    const now = createFake({ now: undefined }).now.getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});
