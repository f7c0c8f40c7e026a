import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { traced } from "../../../src/opentelemetry/index.ts";
import { account, clientsOf, errorOf, KINDS, sleep } from "../../support/calls.ts";
import {
  hang,
  type Responder,
  respond,
  stall,
  startLoopback,
} from "../../support/servers/loopback.ts";

interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
  destroy(): Promise<void>;
}
type DispatcherClass = new (options: object) => Dispatcher;

/** Symbol under which Node stores the dispatcher of its fetch. */
const GLOBAL = Symbol.for("undici.globalDispatcher.1");
const globals = globalThis as unknown as Record<symbol, Dispatcher>;
void Response;
const original = globals[GLOBAL] as Dispatcher;
const Agent = original.constructor as DispatcherClass;

const LATE_MS = 2500;
const late: Responder = async (exchange) => {
  await sleep(LATE_MS);
  await respond(200, account)(exchange);
};
const lateBody: Responder = async ({ read, response }) => {
  await read();
  const text = JSON.stringify(account);
  response.writeHead(200).write(text.slice(0, 5));
  await sleep(LATE_MS);
  response.end(text.slice(5));
};

describe("built-in limits of the runtime", { concurrent: true }, () => {
  beforeAll(() => {
    // Shortens Node's limits of 300 s. undici checks them about once a second.
    globals[GLOBAL] = new Agent({ headersTimeout: 200, bodyTimeout: 200 });
  });
  afterAll(async () => {
    await globals[GLOBAL]?.destroy();
    globals[GLOBAL] = original;
  });

  test.each([
    ["the headers", late, false],
    ["the body", lateBody, false],
    ["the headers", late, 300_000],
  ] as const)(
    "an attempt with a longer timeout is not ended by the runtime's limit on %s",
    async (_, slow, timeout) => {
      await using server = await startLoopback(slow);
      const { v2 } = clientsOf(server, { retry: 0 });
      expect(await v2.accounts.me({ timeout })).toEqual(account.account);
    },
  );

  test("a traced attempt is not ended by the runtime's limit on the headers", async () => {
    await using server = await startLoopback(late);
    const span = {
      spanContext: () => ({ traceId: "", spanId: "", traceFlags: 0 }),
      ...{ setAttributes() {}, setStatus() {}, end() {} },
    };
    const tracer = { startSpan: () => span };
    const { v2 } = clientsOf(server, { ...traced({ tracer }), timeout: false, retry: 0 });
    expect(await v2.accounts.me()).toEqual(account.account);
  });

  test.each([
    ["the headers", hang],
    ["the body", stall(account)],
  ])(
    "a runtime limit on %s that the client cannot lift gives a TimeoutError that says so",
    async (_, slow) => {
      await using server = await startLoopback(slow);
      // A custom `fetch` may use its own dispatcher.
      const fetch = (url: string, init: RequestInit) => globalThis.fetch(url, init);
      const { v2 } = clientsOf(server, { retry: 0, timeout: false, fetch });
      const error = await errorOf(v2.accounts.me());
      expect(error).toMatchObject({ code: "timeout", phase: "attempt", outcome: "unknown" });
      expect(error.message).toMatch(
        /: the runtime's own limit ended an attempt after \d+ ms: give fetch a dispatcher with a longer limit$/,
      );
      expect(error.cause).toBeInstanceOf(TypeError);
    },
  );
});

test.each(KINDS)("a $kind with a shorter timeout keeps the limits of the runtime", async (kind) => {
  const seen: object[] = [];
  onTestFinished(() => {
    globals[GLOBAL] = original;
  });
  globals[GLOBAL] = {
    dispatch(options, handler) {
      seen.push(options);
      return original.dispatch(options, handler);
    },
    destroy: async () => {},
  };
  await using server = await startLoopback(respond(200, kind.success));
  await kind.call(clientsOf(server));
  await kind.call(clientsOf(server), { timeout: 299_999 });
  await kind.call(clientsOf(server), { timeout: false });
  expect(seen.map((options) => "headersTimeout" in options && options.headersTimeout)).toEqual([
    false,
    false,
    0,
  ]);
});
