// Names that a program may have copied from untrusted input. No message, issue, event or log line contains them verbatim.
import { inspect } from "node:util";
import { memoryLedger, sendMany, sendOnce } from "messaging-service-client/bulk";
import { describe, expect, test } from "vitest";
import { type ClientEvent, checkFile, createThrottle } from "../../../../src/index.ts";
import { type Clients, clientsOf, E164, fileMessage, message } from "../../../support/calls.ts";

/** Names, and the form in which a message may show them. */
const NAMES: Readonly<Record<string, readonly [name: string, shown: RegExp]>> = {
  "a line break": ["a\r\nERROR forged", /a ERROR forged/],
  "a line separator": ["a\u2028ERROR forged", /a ERROR forged/],
  "an escape sequence": ["a\u001b[1m red", /a\[1m red/],
  "a direction mark": ["a \u202eerror", /a error/],
  "a zero-width space": ["206\u200b5550123", /\[number\]/],
  "half an emoji": ["a\ud83d", /\ba\b/],
  "a phone number": [E164, /\[number\]/],
  "a phone number in another format": ["(206) 555-0123", /\[number\]/],
  "600,000 characters": ["x".repeat(600_000), /x{60,80}…/],
  "a phone number at the cut": [`${"x ".repeat(36)}${E164}`, /x /],
};

type Call = (clients: Clients, name: string) => PromiseLike<unknown> | undefined;
/** Calls that fail because of a name. */
const CALLS: Readonly<Record<string, Call>> = {
  "query of request()": ({ v2 }, name) =>
    v2.request({ method: "GET", path: "/a", query: { [name]: {} as never } }),
  "params of request()": ({ v2 }, name) =>
    v2.request({ method: "GET", path: "/a", params: { [name]: 1 } }),
  "parts of request()": ({ v2 }, name) =>
    v2.request({ method: "GET", path: "/a", [name]: 1 } as never),
  "options of a call": ({ rcs }, name) => rcs.sendRcsText(message, { [name]: 1 } as never),
  "options of retry": ({ rcs }, name) =>
    rcs.sendRcsText(message, { retry: { [name]: 1 } as never }),
  "options of a list": ({ v2 }, name) => v2.lists.list({}, { [name]: 1 } as never),
  "options of a wait": ({ v2 }, name) =>
    v2.momtReports.waitUntilFinished(3, { [name]: 1 } as never),
  "options of sendOnce": ({ rcs }, name) =>
    sendOnce(rcs, message, { ledger: memoryLedger(), key: "a", [name]: 1 } as never),
  "options of sendMany": ({ rcs }, name) =>
    sendMany(rcs, [message], { ledger: memoryLedger(), batch: "a", [name]: 1 } as never),
  "options of checkFile": (_, name) => checkFile("https://example.com/a", { [name]: 1 } as never),
  "options of toArray": ({ v2 }, name) => v2.lists.list().toArray({ [name]: 1 } as never),
  "options of a client": async (_, name) =>
    clientsOf({ baseUrl: "https://example.com" }, { [name]: 1 } as never),
  "options of a throttle": async (_, name) =>
    createThrottle({ limit: 1, interval: 1, [name]: 1 } as never),
  "the content type of a file": ({ rcs }, name) =>
    rcs.sendRcsFile(fileMessage, { contentType: `${name}/x` }),
};

describe.each(Object.entries(CALLS))("a name in %s", (where, call) => {
  test.each(Object.entries(NAMES))(
    "%s is shown on one line, without a number, and truncated",
    async (_, [name, shown]) => {
      const events: ClientEvent[] = [];
      const fetch = async () => Response.json({});
      const options = { fetch, onEvent: (event: ClientEvent) => void events.push(event) };
      const clients = clientsOf({ baseUrl: "https://example.com" }, options);
      let error: unknown;
      try {
        await call(clients, name);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(Error);
      const { message: said, errors } = error as Error & { errors?: unknown };
      if (where !== "the content type of a file") expect(said).toMatch(shown);
      expect(said.length).toBeLessThan(1000);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
      expect(said).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Cf}|\p{Cs}/u);
      const all =
        said + JSON.stringify([errors, error, events]) + inspect(errors, { maxStringLength: null });
      expect(all).not.toMatch(/555\D{0,3}0123/);
      expect(all.length).toBeLessThan(8000);
      expect(all).not.toMatch(/\\r|\\u001b|\\u202e|\p{Cf}/u);
    },
  );
});

describe("placeholders of a path", () => {
  test.each([
    ["a long one", `{${"A".repeat(600_000)}}`],
    ["many", Array.from({ length: 20_000 }, (_, index) => `{N${index}}`).join("/")],
    ["a phone number", "{2065550123}"],
  ])("%s causes no long message, and shows no number", async (_, placeholders) => {
    const events: ClientEvent[] = [];
    const onEvent = (event: ClientEvent) => void events.push(event);
    const { v2 } = clientsOf({ baseUrl: "https://example.com" }, { onEvent });
    const call = v2.request({ method: "GET", path: `/a/${placeholders}`, params: {} });
    const error = await call.catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message.length).toBeLessThan(5000);
    expect(JSON.stringify(events).length).toBeLessThan(1000);
    expect(inspect(error)).not.toContain("2065550123");
  });
});

describe("many names", () => {
  test("the message of an error names the first 20 issues and the number of the others, and `errors` contains all", async () => {
    const query = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`n${index}`, {}]));
    const { v2 } = clientsOf({ baseUrl: "https://example.com" });
    const call = v2.request({ method: "GET", path: "/a", query: query as never });
    await expect(call).rejects.toMatchObject({
      errors: expect.objectContaining({ length: 5000 }),
      message: expect.stringMatching(/query\.n19: .*; and 4980 more$/),
    });
  });
});
