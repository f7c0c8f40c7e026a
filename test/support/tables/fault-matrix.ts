// The faults that a call can meet, and their results. The tests run this table, and docs/proofs.md shows it.
import { connect } from "node:net";
import type { AllowRecipient, Outcome, RequestOptions } from "../../../src/index.ts";
import { clientsOf, type Kind } from "../calls.ts";
import {
  drip,
  hang,
  type Responder,
  refusedUrl,
  resetAfterReading,
  resetBeforeReading,
  respond,
  stall,
  startLoopback,
  truncate,
} from "../servers/loopback.ts";
import { startRaw } from "../servers/raw-server.ts";

/** Service that fails in one way. */
export interface FailingService extends AsyncDisposable {
  readonly baseUrl: string;
  /** Returns the number of requests (on a raw socket: connections) that it received. */
  seen(): number;
}

/** Result of a call. */
interface Result {
  /** Class of the error. Default: the call succeeds. */
  readonly error?: keyof typeof CODES;
  readonly outcome?: Outcome;
  /** Requests that the service receives: of a GET, PUT or DELETE, and of a POST. */
  readonly seen: readonly [same: number, post: number];
  /** Number of attempts, if the service receives none. */
  readonly attempts?: number;
  /** Wait in milliseconds before each retry, if the service asks for one. */
  readonly waitMs?: number;
  /** `retryAfterMs` of the error. */
  readonly retryAfterMs?: number;
}

export interface Fault extends Result {
  /** Description of the fault. */
  readonly fault: string;
  /** Starts the service; `elsewhere` is the base URL of another origin. */
  readonly start: (kind: Kind, elsewhere: string) => Promise<FailingService>;
  /** Code of the application that runs around `fetch`, right after each response. */
  readonly after?: () => unknown;
  /** Returns the guard of the client that sends. Other calls have no guard, so only sends meet such a fault. */
  readonly allowRecipient?: () => AllowRecipient;
  /** Options of the call that are not the defaults. */
  readonly options?: RequestOptions;
  /** Message of the error after the name of the endpoint. "…" stands for any text. */
  readonly says?: string;
}

export interface FaultGroup {
  readonly group: string;
  readonly faults: readonly Fault[];
}

/** Code of each error class. */
export const CODES = {
  ValidationError: "validation",
  ApiError: "api",
  AuthenticationError: "authentication",
  PermissionDeniedError: "permission_denied",
  NotFoundError: "not_found",
  RateLimitError: "rate_limit",
  ServerError: "server",
  ConnectionError: "connection",
  TimeoutError: "timeout",
  RecipientError: "recipient",
  ResponseValidationError: "response_validation",
} as const;

type Start = Fault["start"];

/** Starts a service that always sends the same response. */
const gives =
  (responderFor: (kind: Kind, elsewhere: string) => Responder): Start =>
  async (kind, elsewhere) => {
    const server = await startLoopback(responderFor(kind, elsewhere));
    return Object.assign(server, { seen: () => server.requests.length });
  };
const status = (code: number, body: unknown = { error: "no" }, headers = {}): Start =>
  gives(() => respond(code, body, headers));

/** Starts no service: nothing listens at the base URL. */
const nowhere =
  (baseUrl: () => string | Promise<string>): Start =>
  async () => ({
    baseUrl: await baseUrl(),
    seen: () => 0,
    async [Symbol.asyncDispose]() {},
  });

/** Host with a label of more than 63 letters. No resolver looks it up, so the test needs no network. */
const UNKNOWN_HOST = `https://${"x".repeat(64)}.invalid`;

/** Sends a string, which need not be HTTP, and closes the connection. */
const says =
  (text: string): Responder =>
  async ({ read, response }) => {
    await read();
    response.socket?.end(text);
  };

/** Successful body of each kind of call, with one field of an undocumented type. */
const DRIFTED: Readonly<Record<string, object>> = {
  GET: { status: "OK", account: { id: "7" } },
  PUT: { opt_in_type: "single", first_optin_message: 5, second_optin_message: null },
  DELETE: { status: "OK", subscriber: { phone_number: 5 } },
  "POST create": { status: "OK", list: { name: 5 } },
  "POST send": { transactionId: "0a1b2c3d", message: 5 },
};

const ISSUE = { code: "custom", message: "not a valid number", path: ["phoneNumber"] };
const HTML = "<!doctype html><title>Sign in</title>";
const SKEWED = "Mon, 01 Jan 2001 00:00:00 GMT";

const NOT_SENT = { error: "ConnectionError", outcome: "not_sent", seen: [0, 0] } as const;
const LOST = { error: "ConnectionError", outcome: "unknown", seen: [3, 1] } as const;
const LATE = { error: "TimeoutError", outcome: "unknown", seen: [3, 1] } as const;
const UNPROVED = { error: "ResponseValidationError", outcome: "unknown", seen: [1, 1] } as const;
const REJECTED = { error: "ApiError", outcome: "rejected", seen: [1, 1] } as const;
const LIMITED = { error: "RateLimitError", outcome: "rejected", seen: [3, 3] } as const;
const EXCLUDED = { error: "RecipientError", outcome: "not_sent", seen: [0, 0] } as const;
const BROKEN = { error: "ServerError", outcome: "unknown", seen: [3, 1] } as const;

/** Timeouts short enough for a test and long enough for a busy machine. */
const QUICK = { timeout: 1_200 };
const TOO_LATE = "an attempt took longer than … ms";
const NOT_PERMITTED = "allowRecipient did not permit this phone";
const NO_ANSWER = `${NOT_PERMITTED}: it failed or timed out`;
const TOO_MANY = "429 Too Many Requests: slow down";

/** Responds with 429 and headers that may depend on the current time. */
const limited = (headers: () => Readonly<Record<string, string>>): Start =>
  gives(() => (exchange) => respond(429, { error: "slow down" }, headers())(exchange));

const inSeconds = (seconds: number, from = Date.now()) =>
  new Date(Math.floor(from / 1000 + seconds) * 1000).toUTCString();

/** Accepts every request. */
const accepts = gives(({ success }) => respond(200, success));

/** The runtime's own `fetch`, which a test may patch later. */
const { fetch } = globalThis;

/** Connects to a port where nothing listens, as the client of a database does. */
const connectToDatabase = async (): Promise<void> => {
  const port = Number(new URL(await refusedUrl()).port);
  await new Promise((_, reject) => connect(port, "127.0.0.1").on("error", reject));
};

/** Makes a call with a second client, whose service always sends the same response. */
const callAnother = (responder: Responder) => async () => {
  await using server = await startLoopback(responder);
  await clientsOf(server, { fetch, retry: 0 }).v2.accounts.me();
};

/** Guard that permits one attempt. */
const onlyOnce = (): AllowRecipient => {
  let asked = 0;
  return () => {
    asked += 1;
    return asked === 1;
  };
};

export const FAULT_MATRIX: readonly FaultGroup[] = [
  {
    group: "No connection",
    faults: [
      {
        fault: "the connection is refused",
        start: nowhere(refusedUrl),
        ...NOT_SENT,
        attempts: 3,
        says: "no connection was made (ECONNREFUSED)",
      },
      {
        fault: "the host name is unknown (DNS)",
        start: nowhere(() => UNKNOWN_HOST),
        ...NOT_SENT,
        attempts: 3,
        says: "no connection was made (ENOTFOUND): the host name cannot be resolved: check baseUrl and the DNS",
      },
    ],
  },
  {
    group: "The connection is lost",
    faults: [
      {
        fault: "a reset at the first byte of the request",
        start: () => startRaw((socket) => socket.resetAndDestroy()),
        ...LOST,
        says: "the connection failed (…)",
      },
      {
        fault: "a reset before the request was read",
        start: gives(() => resetBeforeReading),
        ...LOST,
        says: "the connection failed (…)",
      },
      {
        fault: "a reset after the request was read",
        start: gives(() => resetAfterReading),
        ...LOST,
        says: "the connection failed (…)",
      },
      {
        fault: "the service closes the connection without a response",
        start: gives(() => says("")),
        ...LOST,
        says: "the connection failed (…)",
      },
      {
        fault: "a connection that closes after half of the response's head",
        start: gives(() => says("HTTP/1.1 200 OK\r\ncontent-")),
        ...LOST,
        says: "the connection failed (…)",
      },
      {
        fault: "a response that is not HTTP",
        start: gives(() => says("220 mail.example.com ESMTP\r\n")),
        ...LOST,
        says: "the connection failed…",
      },
      {
        fault: "a body that is cut off",
        start: gives(({ success }) => truncate(success)),
        ...LOST,
        says: "the connection failed (…)",
      },
    ],
  },
  {
    group: "The service responds, and the application's code around the request fails",
    faults: [
      {
        fault: "its connection to a different host is refused",
        start: accepts,
        after: async () => fetch(await refusedUrl()),
        ...LOST,
        says: "the connection failed…",
      },
      {
        fault: "its connection to an address with the port of the service is refused",
        start: accepts,
        after: () => {
          const cause = { code: "ECONNREFUSED", syscall: "connect", address: "192.0.2.7" };
          throw Object.assign(new Error("connect ECONNREFUSED 192.0.2.7:443"), cause, {
            port: 443,
          });
        },
        ...LOST,
        says: "the connection failed…",
      },
      {
        fault: "the name of a different host is unknown",
        start: accepts,
        after: () => fetch(UNKNOWN_HOST),
        ...LOST,
        says: "the connection failed…",
      },
      {
        fault: "its connection to a database is refused",
        start: accepts,
        after: connectToDatabase,
        ...LOST,
        says: "the connection failed…",
      },
      {
        fault: "its connections to all addresses of a database are refused",
        start: accepts,
        after: () => Promise.any([connectToDatabase(), connectToDatabase()]),
        ...LOST,
        says: "the connection failed",
      },
      {
        fault: "it uses a port that `fetch` blocks",
        start: accepts,
        after: () => fetch("http://127.0.0.1:6667"),
        ...LOST,
        says: "the connection failed…",
      },
      {
        fault: "its own timeout fires",
        start: accepts,
        after: () => {
          throw new DOMException("signal timed out", "TimeoutError");
        },
        ...LOST,
        says: "the connection failed",
      },
      {
        fault: "its own client of this package gets a 429",
        start: accepts,
        after: callAnother(respond(429)),
        ...LOST,
        says: "the connection failed…",
      },
      {
        fault: "its own client of this package gets a 401",
        start: accepts,
        after: callAnother(respond(401)),
        ...LOST,
        says: "the connection failed…",
      },
      {
        fault: "its own client of this package gets a 404",
        start: accepts,
        after: callAnother(respond(404)),
        ...LOST,
        says: "the connection failed…",
      },
      {
        fault: "its own client of this package gets no connection",
        start: accepts,
        after: async () => {
          const baseUrl = await refusedUrl();
          await clientsOf({ baseUrl }, { fetch, retry: 0 }).v2.accounts.me();
        },
        ...LOST,
        says: "the connection failed…",
      },
    ],
  },
  {
    group: "No response in time",
    faults: [
      {
        fault: "no response",
        start: gives(() => hang),
        options: QUICK,
        ...LATE,
        says: TOO_LATE,
      },
      {
        fault: "a body that stalls",
        start: gives(({ success }) => stall(success)),
        options: QUICK,
        ...LATE,
        says: TOO_LATE,
      },
      {
        fault: "an endless slow body",
        start: gives(() => drip(" ", 10)),
        options: QUICK,
        ...LATE,
        says: TOO_LATE,
      },
      {
        fault: "an endless slow error body",
        start: gives(() => drip("x", 10, 503)),
        options: QUICK,
        ...LATE,
        says: TOO_LATE,
      },
    ],
  },
  {
    group: "A false success",
    faults: [
      {
        fault: "200 with HTML",
        start: status(200, HTML),
        ...UNPROVED,
        says: "200, but its body is HTML, not JSON",
      },
      {
        fault: "200 with an empty body",
        start: status(200, ""),
        ...UNPROVED,
        says: "200, but its body is empty",
      },
      {
        fault: "204",
        start: status(204, ""),
        ...UNPROVED,
        says: "204, but its body is empty",
      },
      {
        fault: "200 with `{}`",
        start: status(200, {}),
        ...UNPROVED,
        says: "200, but its body lacks …",
      },
      {
        fault: '200 with `{"status":"error"}`',
        start: status(200, { status: "error", error: "no" }),
        ...UNPROVED,
        says: "200, but its body reports an error: no",
      },
      {
        fault: "200 with JSON that breaks off",
        start: status(200, '{"status":"OK","account":{"id'),
        ...UNPROVED,
        says: "200, but its body is not JSON",
      },
      {
        fault: "202 with a field of an undocumented type",
        start: gives(({ kind }) => respond(202, DRIFTED[kind])),
        seen: [1, 1],
      },
      {
        fault: '202 with a field of an undocumented type, and `responseValidation: "strict"`',
        start: gives(({ kind }) => respond(202, DRIFTED[kind])),
        options: { responseValidation: "strict" },
        error: "ResponseValidationError",
        outcome: "done",
        seen: [1, 1],
        says: "202, but a field is not as documented",
      },
    ],
  },
  {
    group: "A recipient whom the client's guard does not permit",
    faults: [
      {
        fault: "it refuses the phone",
        start: accepts,
        allowRecipient: () => () => false,
        ...EXCLUDED,
        attempts: 0,
        says: NOT_PERMITTED,
      },
      {
        fault: "it throws",
        start: accepts,
        allowRecipient: () => async (phone) => {
          throw new Error(`no row for ${phone}`);
        },
        ...EXCLUDED,
        attempts: 0,
        says: NO_ANSWER,
      },
      {
        fault: "it permits the phone, but later than `timeout`",
        start: accepts,
        allowRecipient: () => () =>
          new Promise((resolve) => setTimeout(resolve, QUICK.timeout + 200, true)),
        options: QUICK,
        ...EXCLUDED,
        attempts: 0,
        says: NO_ANSWER,
      },
      {
        fault: "it permits an attempt without a connection, but not the next attempt",
        start: nowhere(refusedUrl),
        allowRecipient: onlyOnce,
        ...EXCLUDED,
        attempts: 1,
        says: NOT_PERMITTED,
      },
      {
        fault: "it permits an attempt that meets a 429, but not the next attempt",
        start: status(429),
        allowRecipient: onlyOnce,
        ...EXCLUDED,
        seen: [0, 1],
        says: NOT_PERMITTED,
      },
    ],
  },
  {
    group: "Refused by the service",
    faults: [
      {
        fault: "400 with the documented `errors`",
        start: status(400, { error: "Invalid request", errors: [ISSUE] }),
        ...REJECTED,
        error: "ValidationError",
        says: "Invalid request: phoneNumber: not a valid number",
      },
      {
        fault: "400 with any other body",
        start: status(400, { errors: { name: ["is too long"] } }),
        ...REJECTED,
        says: "400 Bad Request: name is too long",
      },
      {
        fault: "401",
        start: status(401),
        ...REJECTED,
        error: "AuthenticationError",
        says: "401 Unauthorized: no",
      },
      {
        fault: "403",
        start: status(403),
        ...REJECTED,
        error: "PermissionDeniedError",
        says: "403 Forbidden: no",
      },
      {
        fault: "404",
        start: status(404),
        ...REJECTED,
        error: "NotFoundError",
        says: "404 Not Found: no (check baseUrl: the URL was http://…)",
      },
      { fault: "409", start: status(409), ...REJECTED, says: "409 Conflict: no" },
      { fault: "413", start: status(413), ...REJECTED, says: "413 Payload Too Large: no" },
      { fault: "422", start: status(422), ...REJECTED, says: "422 Unprocessable Entity: no" },
      {
        fault: "404 with a body of a megabyte",
        start: status(404, "y".repeat(1_000_000)),
        ...REJECTED,
        error: "NotFoundError",
        says: `404 Not Found: ${"y".repeat(100)}…`,
      },
    ],
  },
  {
    group: "Too many calls: 429",
    faults: [
      {
        fault: "without `Retry-After`",
        start: limited(() => ({})),
        ...LIMITED,
        says: TOO_MANY,
      },
      {
        fault: "`Retry-After: 2`",
        start: limited(() => ({ "retry-after": "2" })),
        ...LIMITED,
        waitMs: 2000,
        retryAfterMs: 2000,
        says: TOO_MANY,
      },
      {
        fault: "`Retry-After` with a date in 2 seconds",
        start: limited(() => ({ date: inSeconds(0), "retry-after": inSeconds(2) })),
        ...LIMITED,
        waitMs: 2000,
        retryAfterMs: 2000,
        says: TOO_MANY,
      },
      {
        fault: "`Retry-After` with a date, from a service whose clock is years behind",
        start: limited(() => ({ date: SKEWED, "retry-after": inSeconds(2, Date.parse(SKEWED)) })),
        ...LIMITED,
        waitMs: 2000,
        retryAfterMs: 2000,
        says: TOO_MANY,
      },
      {
        fault: "`Retry-After: 0`",
        start: limited(() => ({ "retry-after": "0" })),
        ...LIMITED,
        retryAfterMs: 0,
        says: TOO_MANY,
      },
      {
        fault: "`Retry-After: -5`",
        start: limited(() => ({ "retry-after": "-5" })),
        ...LIMITED,
        says: TOO_MANY,
      },
      {
        fault: "`Retry-After: soon`",
        start: limited(() => ({ "retry-after": "soon" })),
        ...LIMITED,
        says: TOO_MANY,
      },
      {
        fault: "`Retry-After: 3600`, which is more than `maxRetryAfter`",
        start: limited(() => ({ "retry-after": "3600" })),
        ...LIMITED,
        seen: [1, 1],
        retryAfterMs: 3_600_000,
        says: `${TOO_MANY}; the service asks for a pause of 3600000 ms, longer than \`retry.maxRetryAfter\`, which you can raise`,
      },
    ],
  },
  {
    group: "The service fails",
    faults: [
      {
        fault: "408",
        start: status(408),
        ...BROKEN,
        error: "ApiError",
        says: "408 Request Timeout: no",
      },
      { fault: "500", start: status(500), ...BROKEN, says: "500 Internal Server Error: no" },
      {
        fault: "501",
        start: status(501),
        ...BROKEN,
        seen: [1, 1],
        says: "501 Not Implemented: no",
      },
      { fault: "502 with HTML", start: status(502, HTML), ...BROKEN, says: "502 Bad Gateway" },
      { fault: "503", start: status(503), ...BROKEN, says: "503 Service Unavailable: no" },
      { fault: "504", start: status(504, ""), ...BROKEN, says: "504 Gateway Timeout" },
    ],
  },
  {
    group: "Redirects, which are never followed",
    faults: [
      {
        fault: "302 to the same origin",
        start: status(302, "", { location: "/elsewhere" }),
        ...REJECTED,
        says: "302 Found: a redirect to /elsewhere, which is not followed",
      },
      {
        fault: "307 to another origin",
        start: gives((_, elsewhere) => respond(307, "", { location: `${elsewhere}/take` })),
        ...REJECTED,
        says: "307 Temporary Redirect: a redirect to http://…/take, which is not followed",
      },
      {
        fault: "308 to another origin",
        start: gives((_, elsewhere) => respond(308, "", { location: `${elsewhere}/take` })),
        ...REJECTED,
        says: "308 Permanent Redirect: a redirect to http://…/take, which is not followed",
      },
      {
        fault: "303, which may follow a success",
        start: gives((_, elsewhere) => respond(303, "", { location: `${elsewhere}/take` })),
        ...REJECTED,
        outcome: "unknown",
        says: "303 See Other: a redirect to http://…/take, which is not followed",
      },
    ],
  },
];
