// No error, event or log line contains a secret of a client or personal data.
import { inspect } from "node:util";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { memoryLedger, sendOnce } from "../../../src/bulk/index.ts";
import { type ClientEvent, createThrottle, MessagingServiceError } from "../../../src/index.ts";
import {
  API_KEY,
  type Clients,
  clientsOf,
  E164,
  FALLBACK,
  fileMessage,
  KINDS,
  message,
  PHONE,
  sleep,
  TEXT,
} from "../../support/calls.ts";
import {
  hang,
  REFUSED_URL,
  type Responder,
  resetAfterReading,
  respond,
  stall,
  startLoopback,
  truncate,
} from "../../support/servers/loopback.ts";
import { startRaw } from "../../support/servers/raw-server.ts";
import { drifting, EVENT_TYPES, SECRETS, telltale } from "../../support/telltale.ts";

type Call = (clients: Clients) => PromiseLike<unknown>;

const CALLS: readonly Call[] = [
  ...KINDS.map(
    ({ call }): Call =>
      (clients) =>
        call(clients),
  ),
  ({ rcs }) => rcs.sendRcsFile(fileMessage),
  ({ v2 }) => v2.lists.create({ name: TEXT, message_help: FALLBACK }),
  ({ v2 }) => v2.lists.list().toArray(),
  ({ v2 }) => v2.request({ method: "GET", path: "/{N}", params: { N: PHONE }, query: { q: TEXT } }),
  ({ rcs }) => rcs.request({ method: "POST", path: `/to/${E164}`, json: { deep: [message] } }),
];

/** Calls that each break a rule with a secret value. */
const MISTAKES: readonly Call[] = [
  ({ rcs }) => rcs.sendRcsText({ ...message, phoneNumber: `${PHONE} ext. 5` }),
  ({ rcs }) => rcs.sendRcsText({ ...message, phoneNumber: TEXT }),
  ({ rcs }) => rcs.sendRcsText({ ...message, webhookUrl: `http://${API_KEY}` }),
  ({ rcs }) => rcs.sendRcsText({ ...message, smsFailover: `${FALLBACK} 日本`.repeat(9) }),
  ({ rcs }) => rcs.sendRcsText({ ...message, rcsPayload: { text: TEXT.repeat(200) } }),
  ({ rcs }) => rcs.sendRcsText({ ...message, rcsPayload: { text: TEXT, more: TEXT } as never }),
  ({ rcs }) => rcs.sendRcsFile(fileMessage, { contentType: TEXT }),
  ({ v2 }) => v2.lists.list({ page: E164 as never }),
  ({ v2 }) => v2.lists.create({ name: [TEXT] as never }),
  ({ v2 }) => v2.lists.create({ name: TEXT }, { headers: { "x-note": `${API_KEY}\n` } }),
  ({ v2 }) => v2.lists.create({ name: TEXT }, { timeout: API_KEY as never }),
  ({ v2 }) => v2.lists.configureOptIn(17, { opt_in_type: TEXT } as never),
  ({ v2 }) => v2.scheduledMessages.list(17, { start_date: PHONE }),
  ({ v2 }) => v2.request({ method: TEXT as never, path: `//${E164}` }),
  ({ v2 }) => v2.request({ method: "GET", path: "/a", params: { B: PHONE } }),
];

const textsOf = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [value];

/** Responds with a body and a status text that quote the entire request. */
const quoting =
  (status: number, bodyOf: (everything: string) => unknown, headers = {}): Responder =>
  async (exchange) => {
    const { headers: sent, url } = exchange.request;
    const body = await exchange.read();
    const everything = [
      sent.authorization?.split(" ")[1],
      sent["x-api-key"],
      API_KEY,
      url,
      decodeURIComponent(url),
      new URLSearchParams(url.split("?")[1]).toString(),
      body,
      ...(body === "" ? [] : textsOf(JSON.parse(body))),
      E164,
    ].join(", ");
    await respond(status, bodyOf(everything), headers, everything.replace(/[^ -~]/g, ""))(exchange);
  };
const everywhere = (all: string) => ({ error: all, message: all, errors: [all], [all]: all });
const inFields = (all: string) => ({ errors: { [all]: [all] } });
const inText = (all: string) => all;
const inIssues = (all: string) => {
  const words = { code: all, message: all, validation: all, type: all };
  return { error: all, errors: [{ ...words, path: ["phoneNumber", all] }] };
};
const RESPONDERS: readonly Responder[] = [
  ...[400, 401, 403, 404, 422, 429, 503].map((status) => quoting(status, everywhere)),
  quoting(404, inText),
  quoting(422, inFields),
  quoting(400, inIssues),
  quoting(429, everywhere, { "retry-after": "90" }),
  quoting(302, inText, { location: `https://example.com/${E164}?key=${API_KEY}` }),
  quoting(200, (all) => ({ status: "error", error: all, message: all })),
  respond(200, `<html>${telltale.error}`),
  respond(200, drifting),
  resetAfterReading,
  truncate(telltale),
  stall(telltale),
  hang,
];

const errors: unknown[] = [];
const events: ClientEvent[] = [];
const warnings: unknown[][] = [];

const collect = async (calls: readonly Call[], clients: Clients) => {
  for (const result of await Promise.allSettled(calls.map((call) => call(clients)))) {
    if (result.status === "rejected") errors.push(result.reason);
  }
};

beforeAll(async () => {
  const log = (...line: unknown[]) => void warnings.push(line);
  for (const name of ["warn", "error", "log", "info", "debug"] as const) {
    vi.spyOn(console, name).mockImplementation(log);
  }
  const onEvent = (event: ClientEvent) => void events.push(event);
  const common = { onEvent, retry: { limit: 1, backoff: { max: 1 } } };
  let current: Responder = hang;
  await using server = await startLoopback((exchange) => current(exchange));
  for (current of RESPONDERS) {
    // The last two responders never end their response.
    const timeout = RESPONDERS.indexOf(current) < RESPONDERS.length - 2 ? 30_000 : 150;
    await collect(CALLS, clientsOf(server, { ...common, timeout, throttle: false }));
  }
  current = respond(200, drifting);
  await collect(CALLS, clientsOf(server, { ...common, responseValidation: "strict" }));
  await collect(MISTAKES, clientsOf(server, common));
  await collect(CALLS, clientsOf({ baseUrl: REFUSED_URL }, common));
  // Responds with bytes that are not HTTP and quote the request.
  await using echo = await startRaw((socket, received) => socket.end(received));
  await collect(CALLS, clientsOf(echo, common));
  await collect(CALLS, clientsOf(server, { ...common, totalTimeout: 0.001 }));
  const signal = AbortSignal.abort();
  await collect(
    KINDS.map(
      ({ call }): Call =>
        (clients) =>
          call(clients, { signal }),
    ),
    clientsOf(server, common),
  );
  // Throttles: with a delay, with a full queue, on hold, and failing.
  await collect(
    CALLS,
    clientsOf(server, { ...common, throttle: createThrottle({ limit: 4, interval: 30 }) }),
  );
  const full = createThrottle({ limit: 1, interval: 60_000, maxWait: 10 });
  await collect(CALLS, clientsOf(server, { ...common, throttle: full }));
  const held = createThrottle({ limit: 9, interval: 60_000 });
  held.holdUntil(Date.now() + 3_600_000);
  await collect(CALLS, clientsOf(server, { ...common, throttle: held }));
  const fail = () => Promise.reject(new Error("the store is gone"));
  await collect(CALLS, clientsOf(server, { ...common, throttle: { acquire: fail } }));
  // Guards that refuse and fail, and a ledger that fails.
  await collect(CALLS, clientsOf(server, { ...common, allowRecipient: () => false }));
  await collect(CALLS, clientsOf(server, { ...common, allowRecipient: fail }));
  const ledger = { ...memoryLedger(), find: fail, claim: fail };
  await collect([({ rcs }) => sendOnce(rcs, message, { ledger, key: E164 })], clientsOf(server));
  await sleep(0);
}, 60_000);

const chainOf = (error: unknown): unknown[] =>
  error instanceof Error ? [error, ...chainOf(error.cause)] : [error];

/** Every way to show a value. */
const SHOWS: readonly (readonly [name: string, show: (value: unknown) => string])[] = [
  ["util.inspect", (value) => inspect(value)],
  [
    "util.inspect with all its options",
    (value) =>
      inspect(value, {
        depth: Number.POSITIVE_INFINITY,
        showHidden: true,
        // Getters are not called, because `body` is meant to be read.
        getters: false,
        maxStringLength: null,
        maxArrayLength: null,
      }),
  ],
  ["JSON.stringify", (value) => JSON.stringify(value) ?? ""],
  ["String", (value) => String(value)],
  [
    "structuredClone",
    (value) => {
      try {
        return inspect(structuredClone(value), { depth: null, showHidden: true });
      } catch (refusal) {
        return inspect(refusal, { depth: null, showHidden: true });
      }
    },
  ],
  ["a copy", (value) => inspect({ ...(value as object) }, { depth: null, showHidden: true })],
  [
    "the cause chain",
    (value) =>
      chainOf(value)
        .flatMap((link) =>
          Reflect.ownKeys(Object(link)).map((key) => inspect(Reflect.get(Object(link), key))),
        )
        .join("\n"),
  ],
];

const expectNone = (values: readonly unknown[], show: (value: unknown) => string) => {
  for (const value of values) {
    const shown = show(value);
    for (const secret of SECRETS) expect(shown).not.toContain(secret);
  }
};

beforeEach(() => {
  expect(errors.length).toBeGreaterThan(100);
});

describe("coverage of the leak tests", () => {
  test("the calls of the leak tests cause every class of error", () => {
    const names = new Set(
      errors.filter(MessagingServiceError.is).map(({ name, code }) => `${name} ${code}`),
    );
    expect([...names].sort()).toEqual([
      "AbortError abort",
      "ApiError api",
      "AuthenticationError authentication",
      "ConnectionError connection",
      "LedgerError ledger",
      "NotFoundError not_found",
      "PermissionDeniedError permission_denied",
      "RateLimitError rate_limit",
      "RecipientError recipient",
      "ResponseValidationError response_validation",
      "ServerError server",
      "ThrottleError throttle",
      "TimeoutError timeout",
      "ValidationError validation",
    ]);
    const reasons = new Set(errors.map((error) => (error as { reason?: string }).reason));
    expect(reasons).toEqual(
      new Set([undefined, "max_wait", "held", "unavailable", "refused", "failed"]),
    );
  });

  test("the calls of the leak tests cause every type of event, and warnings", () => {
    expect([...new Set(events.map(({ type }) => type))].sort()).toEqual(EVENT_TYPES);
    expect(warnings.length).toBeGreaterThan(3);
  });
});

describe.each(SHOWS)("secrets in %s", (_, show) => {
  test("no error shows a secret", () => expectNone(errors, show));
  test("no event shows a secret", () => expectNone(events, show));
  test("no log line shows a secret", () => expectNone(warnings, show));
});

test("the message of an error names the endpoint and the failure", () => {
  for (const error of errors.filter(MessagingServiceError.is)) {
    expect(error.message.length).toBeGreaterThan(10);
    if (error.endpoint !== undefined) expect(error.message).toContain(error.endpoint);
  }
});
