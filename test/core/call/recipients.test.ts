// `allowRecipient` of a TransactionalClient: which phone numbers it receives, when, and the effect of a refusal.
import { inspect } from "node:util";
import {
  type AllowRecipient,
  type ClientEvent,
  createThrottle,
  RecipientError,
  type TransactionalClient,
  type TransactionalClientOptions,
} from "messaging-service-client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  clientsOf,
  E164,
  errorOf,
  fileMessage,
  message,
  PHONE,
  sleep,
  transaction,
} from "../../support/calls.ts";
import {
  hang,
  type Responder,
  resetAfterReading,
  respond,
  startLoopback,
} from "../../support/servers/loopback.ts";
import { startTurningClock } from "../../support/turning-clock.ts";

const POST = { method: "POST", path: "/transactional_messages/send_rcs_text" } as const;
const accepts = respond(202, transaction);

/** Starts a service with a client. Records the phone numbers that the client's guard receives. */
const startGuarded = async (
  allow: AllowRecipient,
  options: TransactionalClientOptions = {},
  ...responders: readonly Responder[]
) => {
  const server = await startLoopback(...(responders.length > 0 ? responders : [accepts]));
  const asked: string[] = [];
  const allowRecipient: AllowRecipient = (phone) => {
    asked.push(phone);
    return allow(phone);
  };
  const { rcs } = clientsOf(server, { ...options, allowRecipient });
  return Object.assign(server, { rcs, asked });
};

/** Formats values in every way in which a log may show them. */
const shown = (...values: readonly unknown[]) =>
  values.map((value) => `${value} ${inspect(value, { depth: 9 })} ${JSON.stringify(value)}`).join();

type Call = (rcs: TransactionalClient) => PromiseLike<unknown>;
const CALLS: readonly (readonly [name: string, call: Call, asked: readonly string[]])[] = [
  ["sendRcsText", (rcs) => rcs.sendRcsText(message), [E164]],
  ["sendRcsFile", (rcs) => rcs.sendRcsFile(fileMessage), [E164]],
  [
    "sendRcsText without the rules",
    (rcs) => rcs.sendRcsText(message, { validateRequests: false }),
    [E164],
  ],
  [
    "sendRcsText with a number instead of a string, without the rules",
    (rcs) =>
      rcs.sendRcsText(
        { ...message, phoneNumber: 12065550123 as never },
        { validateRequests: false },
      ),
    [E164],
  ],
  ["request", (rcs) => rcs.request({ ...POST, json: message }), [E164]],
  [
    "request with several phones at any depth",
    (rcs) =>
      rcs.request({
        ...POST,
        path: "/bulk",
        json: [{ phoneNumber: "a" }, { to: { phoneNumber: ["b", ["c"]] }, phoneNumber: null }],
      }),
    ["a", "b", "c"],
  ],
  [
    "request with an object that serializes itself",
    (rcs) => rcs.request({ ...POST, json: { toJSON: () => ({ phoneNumber: "d" }) } }),
    ["d"],
  ],
];

describe("the phone numbers that allowRecipient is asked about", () => {
  test.each(CALLS)(
    "%s asks about each phone number, as E.164 if it is one",
    async (_, call, asked) => {
      await using service = await startGuarded(() => true);
      await call(service.rcs);
      expect(service.asked.toSorted()).toEqual(asked);
      expect(service.requests).toHaveLength(1);
    },
  );

  test.each(CALLS)(
    "%s sends nothing if allowRecipient refuses one phone number",
    async (_, call, asked) => {
      for (const refused of asked) {
        await using service = await startGuarded((phone) => phone !== refused);
        expect(await errorOf(call(service.rcs)), refused).toMatchObject({ code: "recipient" });
        expect(service.requests).toEqual([]);
      }
    },
  );

  test.each<[name: string, call: Call]>([
    ["without a phone", (rcs) => rcs.request({ method: "GET", path: "/status" })],
    ["with a phone elsewhere", (rcs) => rcs.request({ ...POST, json: { phone: PHONE } })],
  ])("a custom request %s does not call allowRecipient", async (_, call) => {
    await using service = await startGuarded(() => false);
    await call(service.rcs);
    expect(service.asked).toEqual([]);
    expect(service.requests).toHaveLength(1);
  });

  test.each([undefined, null, true, { number: PHONE }])(
    "a send whose phone number cannot be read is refused without a call of allowRecipient: %j",
    async (phoneNumber) => {
      await using service = await startGuarded(() => true);
      const call = service.rcs.sendRcsText(
        { ...message, phoneNumber: phoneNumber as never },
        {
          validateRequests: false,
        },
      );
      expect(await errorOf(call)).toMatchObject({ code: "recipient" });
      expect(service.asked).toEqual([]);
      expect(service.requests).toEqual([]);
    },
  );

  test.each([{ number: PHONE }, [[{ number: PHONE }]], { toJSON: () => ({ 0: PHONE }) }])(
    "a custom request with an object in place of a phone number is refused without a call of allowRecipient: %j",
    async (phoneNumber) => {
      await using service = await startGuarded(() => true);
      const call = service.rcs.request({ ...POST, json: { phoneNumber } });
      expect(await errorOf(call)).toMatchObject({ code: "recipient", outcome: "not_sent" });
      expect(service.asked).toEqual([]);
      expect(service.requests).toEqual([]);
    },
  );

  test.each([
    ...["/SEND_RCS_TEXT", "/send_rcs_text/", "/%73end_rcs_text", "/send_rcs_text%20", "/any;/path"],
    ...["/{operation}", "/send_rcs_{operation}"],
  ])("the guard is asked whatever the path of a custom request is: %s", async (path) => {
    await using service = await startGuarded(() => false);
    const params = path.includes("{") ? { operation: "text" } : undefined;
    for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
      const call = service.rcs.request({ method, path, params, query: { x: 1 }, json: message });
      expect(await errorOf(call)).toMatchObject({ code: "recipient" });
    }
    expect(service.asked).toEqual(Array(4).fill(E164));
    expect(service.requests).toEqual([]);
  });

  test.each(["getter", "toJSON", "proxy"])(
    "a message whose phone number changes at each read is sent only to the number that the guard permitted: %s",
    async (by) => {
      let looks = 0;
      const next = () => {
        looks += 1;
        return `+1206555010${looks % 10}`;
      };
      const changing = {
        getter: Object.defineProperty({ ...message }, "phoneNumber", {
          enumerable: true,
          get: next,
        }),
        toJSON: { ...message, toJSON: () => ({ ...message, phoneNumber: next() }) },
        proxy: new Proxy(message, {
          get: (target, name, self) =>
            name === "phoneNumber" ? next() : Reflect.get(target, name, self),
        }),
      }[by] as typeof message;
      await using service = await startGuarded(() => true, { validateRequests: false });
      const { rcs } = service;
      await rcs.sendRcsText(changing);
      await rcs.request({ ...POST, json: changing });
      await rcs.request({ ...POST, json: { messages: [changing, changing] } });
      const sent = service.requests.flatMap(({ body }) => body.match(/\+1206555010\d/g));
      expect(sent).toHaveLength(4);
      expect(service.asked).toEqual(sent);
    },
  );

  test("a very deep body is read to its end", async () => {
    await using service = await startGuarded(() => false);
    let json: object = { phoneNumber: PHONE };
    for (let depth = 0; depth < 3_000; depth += 1) json = { json };
    expect(await errorOf(service.rcs.request({ ...POST, json }))).toMatchObject({
      code: "recipient",
    });
  });

  test("the guard receives what is sent, however the caller's object changes in the meantime", async () => {
    const throttle = createThrottle({ limit: 1, interval: 60 });
    await using service = await startGuarded((phone) => phone === E164, { throttle });
    await service.rcs.sendRcsText(message);
    const changed = { ...message };
    const call = service.rcs.sendRcsText(changed);
    changed.phoneNumber = "(312) 555-0142";
    await call;
    expect(service.asked).toEqual([E164, E164]);
    expect(service.requests.map(({ body }) => JSON.parse(body).phoneNumber)).toEqual([E164, E164]);
  });

  test("an invalid message is rejected by the rules, without a call of allowRecipient", async () => {
    await using service = await startGuarded(() => true);
    expect(
      await errorOf(service.rcs.sendRcsText({ ...message, phoneNumber: "123" })),
    ).toMatchObject({ code: "validation" });
    expect(service.asked).toEqual([]);
  });
});

const boom = new Error(`no row for ${E164}`);
/** Guards that do not permit the attempt, with the cause and the reason of the error. */
const REFUSALS: readonly (readonly [
  name: string,
  allow: () => unknown,
  cause?: unknown,
  reason?: string,
])[] = [
  ["false", () => false],
  ["undefined", () => undefined],
  ["1", () => 1],
  ['"true"', () => "true"],
  ["a promise of false", async () => false],
  ["a promise of a promise of false", async () => Promise.resolve(false)],
  [
    "an error",
    () => {
      throw boom;
    },
    boom,
  ],
  ["a rejection", () => Promise.reject(boom), boom],
  ["a rejection without a reason", () => Promise.reject(), undefined, "failed"],
  [
    "an AbortError",
    () => Promise.reject(new DOMException("aborted", "AbortError")),
    expect.objectContaining({ name: "AbortError" }),
  ],
  [
    "the error of another client",
    async () => clientsOf({ baseUrl: "http://127.0.0.1:9" }, { retry: 0 }).v2.accounts.me(),
    expect.objectContaining({ code: "connection" }),
  ],
  [
    "a RecipientError of another client",
    () => Promise.reject(new RecipientError("refused")),
    expect.objectContaining({ code: "recipient" }),
  ],
  [
    "no response",
    () => new Promise(() => {}),
    expect.objectContaining({
      code: "timeout",
      message: "allowRecipient took longer than 100 ms",
    }),
  ],
];

describe("a refusal of allowRecipient", () => {
  test.each(REFUSALS)(
    "%s refuses the attempt, and shows nothing of the phone number",
    async (_, allow, cause, reason = cause === undefined ? "refused" : "failed") => {
      const throttle = createThrottle({ limit: 1, interval: 60_000 });
      const events: ClientEvent[] = [];
      await using service = await startGuarded(allow as AllowRecipient, {
        throttle,
        timeout: 100,
        onEvent: (event) => events.push(event),
      });
      const error = await errorOf<RecipientError>(service.rcs.sendRcsText(message));
      expect(error).toBeInstanceOf(RecipientError);
      expect(RecipientError.is(error)).toBe(true);
      expect(error).toMatchObject({
        name: "RecipientError",
        code: "recipient",
        outcome: "not_sent",
        isTransient: reason === "failed",
        attempts: 0,
        endpoint: "POST /transactional_messages/send_rcs_text",
      });
      expect(error).toMatchObject({ reason });
      expect(error.cause).toEqual(cause);
      expect(service.asked).toEqual([E164]);
      expect(service.requests).toEqual([]);
      expect(throttle.snapshot()).toMatchObject({ used: 0, remaining: 1 });
      expect(events).toEqual([
        expect.objectContaining({ type: "failed", code: "recipient", outcome: "not_sent" }),
      ]);
      expect(shown(error, ...events)).not.toMatch(/2065550123|555-0123/);
    },
  );

  test("a guard that changes its mind after an attempt in doubt does not clear the doubt", async () => {
    const answers = [true, false];
    await using service = await startGuarded(() => answers.shift() ?? true, {}, resetAfterReading);
    const put = { method: "PUT", path: "/templates/7", json: { phoneNumber: PHONE } } as const;
    expect(await errorOf(service.rcs.request(put))).toMatchObject({
      code: "recipient",
      outcome: "unknown",
      isTransient: false,
      attempts: 1,
    });
    expect(service.requests).toHaveLength(1);
  });

  test("a `true` that blocked the event loop for longer than `timeout` permits nothing", async () => {
    const block = () => {
      const endsAt = performance.now() + 40;
      while (performance.now() < endsAt);
      return true;
    };
    await using service = await startGuarded(block, { timeout: 20 });
    const error = await errorOf<RecipientError>(service.rcs.sendRcsText(message));
    const cause = { code: "timeout", message: "allowRecipient took longer than 20 ms" };
    expect(error).toMatchObject({ code: "recipient", cause });
    expect(service.requests).toEqual([]);
  });
});

describe("allowRecipient within a call", () => {
  test("allowRecipient is asked after the wait for the throttle", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const queued: number[] = [];
    await using service = await startGuarded(
      () => {
        queued.push(throttle.snapshot().queued);
        return true;
      },
      { throttle },
    );
    await Promise.all([service.rcs.sendRcsText(message), service.rcs.sendRcsText(message)]);
    expect(queued).toEqual([1, 0]);
  });

  test.each<[name: string, options: () => object, code: string]>([
    ["signal", () => ({ signal: AbortSignal.timeout(30) }), "abort"],
    ["totalTimeout", () => ({ totalTimeout: 30 }), "timeout"],
  ])("the %s of a call ends its wait for allowRecipient", async (_, options, code) => {
    const throttle = createThrottle({ limit: 1, interval: 60_000 });
    await using service = await startGuarded(() => new Promise(() => {}), { throttle }, hang);
    expect(await errorOf(service.rcs.sendRcsText(message, options()))).toMatchObject({
      code,
      outcome: "not_sent",
    });
    expect(throttle.snapshot()).toMatchObject({ used: 0 });
    expect(service.requests).toEqual([]);
  });

  test("the time of the guard does not count for the timeout of the attempt", async () => {
    startTurningClock();
    onTestFinished(() => void vi.useRealTimers());
    const slow = () => new Promise<boolean>((resolve) => setTimeout(resolve, 600, true));
    const respondLate: Responder = async (exchange) => {
      await sleep(600);
      return accepts(exchange);
    };
    await using service = await startGuarded(slow, { timeout: 1_000 }, respondLate);
    await expect(service.rcs.sendRcsText(message)).resolves.toEqual(transaction);
  });

  test.each([null, true, "+12065550123", ["+12065550123"], new Set()])(
    "an allowRecipient that is not a function throws a TypeError: %j",
    (allowRecipient) => {
      const make = () =>
        clientsOf(
          { baseUrl: "https://rcs.example.com" },
          {
            allowRecipient: allowRecipient as never,
          },
        );
      expect(make).toThrow(/option `allowRecipient` must be a function/);
    },
  );

  test("no option of a call replaces allowRecipient", async () => {
    await using service = await startGuarded(() => false);
    const options = { allowRecipient: () => true };
    await expect(service.rcs.sendRcsText(message, options as never)).rejects.toThrow(
      "option `allowRecipient` does not exist",
    );
    expect(service.requests).toEqual([]);
  });

  test("later changes of the options that a client was made from have no effect", async () => {
    const allowRecipient = vi.fn(() => false);
    await using server = await startLoopback(accepts);
    const options = { allowRecipient };
    const { rcs } = clientsOf(server, options);
    options.allowRecipient = vi.fn(() => true);
    expect(await errorOf(rcs.sendRcsText(message))).toMatchObject({ code: "recipient" });
  });
});
