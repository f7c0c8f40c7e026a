// The faults that a call can meet, and their results. The tests run this table, and docs/proofs.md contains it.
import { connect } from "node:net";
import type { AllowRecipient, Outcome, RequestOptions } from "../../../src/index.ts";
import { clientsOf, type Kind } from "../calls.ts";
import {
  drip,
  hang,
  REFUSED_PORT,
  REFUSED_URL,
  type Responder,
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
  /** Returns the number of requests that it received (of connections, for a raw socket). */
  seen(): number;
}

/** Result of a call. */
interface Result {
  /** Class of the error. Default: the call succeeds. */
  readonly error?: keyof typeof CODES;
  readonly outcome?: Outcome;
  /** Number of requests that the service receives for a GET, PUT or DELETE, and for a POST. */
  readonly seen: readonly [same: number, post: number];
  /** Number of attempts, if the service receives none. */
  readonly attempts?: number;
  /** Wait in milliseconds before each retry, if the service states one. */
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
  readonly after?: (() => unknown) | undefined;
  /** Returns the guard of the client that sends. Other calls have no guard, so only sends meet such a fault. */
  readonly allowRecipient?: () => AllowRecipient;
  /** Options of the call that are not the defaults. */
  readonly options?: RequestOptions;
  /** Message of the error after the name of the endpoint. "…" stands for any text. */
  readonly says?: string | undefined;
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

/** Starts a service that always sends the same response to a kind of call. */
const givesEach =
  (responderFor: (kind: Kind, elsewhere: string) => Responder): Start =>
  async (kind, elsewhere) => {
    const server = await startLoopback(responderFor(kind, elsewhere));
    return Object.assign(server, { seen: () => server.requests.length });
  };
const gives = (responder: Responder): Start => givesEach(() => responder);
const status = (code: number, body: unknown = { error: "no" }, headers = {}): Start =>
  gives(respond(code, body, headers));
const redirects = (code: number): Start =>
  givesEach((_, elsewhere) => respond(code, "", { location: `${elsewhere}/take` }));
/** Redirects to the same path on another origin, as a load balancer does. */
const corrects = (code: number): Start =>
  givesEach(
    (_, elsewhere) =>
      ({ response, request }) =>
        response.writeHead(code, { location: elsewhere + request.url }).end(),
  );
const cutsOff = givesEach(({ success }) => truncate(success));
const stalls = givesEach(({ success }) => stall(success));

/** Starts no service, so nothing listens at the base URL. */
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
const drifts = givesEach(({ kind }) => respond(202, DRIFTED[kind]));

const ISSUE = { code: "custom", message: "not a valid number", path: ["phoneNumber"] };
const HTML = "<!doctype html><title>Sign in</title>";
const SKEWED = "Mon, 01 Jan 2001 00:00:00 GMT";

/** Timeouts short enough for a test and long enough for a busy machine. */
const QUICK = { timeout: 1_200 };
const NOT_PERMITTED = "allowRecipient did not permit this phone number";
const NO_ANSWER = `${NOT_PERMITTED}: it failed or timed out`;
const TOO_MANY = "429 Too Many Requests: slow down";

type Met = Omit<Fault, "fault" | "start">;
const NOT_SENT: Met = { error: "ConnectionError", outcome: "not_sent", seen: [0, 0], attempts: 3 };
const FAILED: Met = { error: "ConnectionError", outcome: "unknown", seen: [3, 1] };
const LOST: Met = { ...FAILED, says: "the connection failed (…)" };
const LATE: Met = {
  ...FAILED,
  error: "TimeoutError",
  options: QUICK,
  says: "an attempt took longer than … ms",
};
const UNPROVED: Met = { error: "ResponseValidationError", outcome: "unknown", seen: [1, 1] };
const REJECTED: Met = { error: "ApiError", outcome: "rejected", seen: [1, 1] };
const LIMITED: Met = { ...REJECTED, error: "RateLimitError", seen: [3, 3], says: TOO_MANY };
const EXCLUDED: Met = {
  ...NOT_SENT,
  error: "RecipientError",
  attempts: 0,
  says: NOT_PERMITTED,
};
const BROKEN: Met = { ...FAILED, error: "ServerError" };

type Headers = Readonly<Record<string, string>>;
/** Responds with 429 and headers that may depend on the current time. */
const limited = (headers: Headers | (() => Headers)): Start =>
  gives((exchange) => {
    const given = typeof headers === "function" ? headers() : headers;
    return respond(429, { error: "slow down" }, given)(exchange);
  });

const inSeconds = (seconds: number, from = Date.now()) =>
  new Date(Math.floor(from / 1000 + seconds) * 1000).toUTCString();

/** Accepts every request. */
const accepts = givesEach(({ success }) => respond(200, success));

/** The runtime's own `fetch`, which a test may patch later. */
const { fetch } = globalThis;

/** Connects to a port where nothing listens, as the client of a database does. */
const connectToDatabase = async (): Promise<void> => {
  await new Promise((_, reject) => connect(REFUSED_PORT, "127.0.0.1").on("error", reject));
};

/** Makes a call with a second client, whose service always sends the same response. */
const callAnother = (responder: Responder) => async () => {
  await using server = await startLoopback(responder);
  await clientsOf(server, { fetch, retry: 0 }).v2.accounts.me();
};

const callNobody = async () => {
  await clientsOf({ baseUrl: REFUSED_URL }, { fetch, retry: 0 }).v2.accounts.me();
};
const refuseAddress = () => {
  const cause = { code: "ECONNREFUSED", syscall: "connect", address: "192.0.2.7", port: 443 };
  throw Object.assign(new Error("connect ECONNREFUSED 192.0.2.7:443"), cause);
};

/** Guard that permits one attempt. */
const onlyOnce = (): AllowRecipient => {
  let asked = 0;
  return () => {
    asked += 1;
    return asked === 1;
  };
};

/** Returns a row of the table. */
const fault = (name: string, start: Start, result: Met, says = result.says): Fault => ({
  fault: name,
  start,
  ...result,
  says,
});

/** Returns a row whose error comes from the application's code, and may lack a `code`. */
const around = (name: string, after: Fault["after"], says = "the connection failed…"): Fault =>
  fault(name, accepts, { ...FAILED, after }, says);

export const FAULT_MATRIX: readonly FaultGroup[] = [
  {
    group: "No connection",
    faults: [
      fault(
        "the connection is refused",
        nowhere(() => REFUSED_URL),
        NOT_SENT,
        "no connection was made to 127.0.0.1:2 (ECONNREFUSED)",
      ),
      fault(
        "the host name is unknown (DNS)",
        nowhere(() => UNKNOWN_HOST),
        NOT_SENT,
        "no connection was made to …:443 (ENOTFOUND): the host name cannot be resolved: check baseUrl and the DNS",
      ),
    ],
  },
  {
    group: "The connection is lost",
    faults: [
      fault(
        "a reset at the first byte of the request",
        () => startRaw((socket) => socket.resetAndDestroy()),
        LOST,
      ),
      fault("a reset before the request was read", gives(resetBeforeReading), LOST),
      fault("a reset after the request was read", gives(resetAfterReading), LOST),
      fault("the service closes the connection without a response", gives(says("")), LOST),
      fault(
        "a connection that closes after half of the response's head",
        gives(says("HTTP/1.1 200 OK\r\ncontent-")),
        LOST,
      ),
      fault("a response that is not HTTP", gives(says("220 mail.example.com ESMTP\r\n")), {
        ...FAILED,
        says: "the connection failed…",
      }),
      fault("200 with a cut-off body", cutsOff, LOST),
    ],
  },
  {
    group: "The service responds, and the application's code around the request fails",
    faults: [
      around("its connection to a different host is refused", async () => fetch(REFUSED_URL)),
      around("its connection to a different address is refused", refuseAddress),
      around("the name of a different host is unknown", () => fetch(UNKNOWN_HOST)),
      around("its connection to a database is refused", connectToDatabase),
      around(
        "its connections to all addresses of a database are refused",
        () => Promise.any([connectToDatabase(), connectToDatabase()]),
        "the connection failed",
      ),
      around(
        "its own timeout fires",
        () => Promise.reject(new DOMException("late", "TimeoutError")),
        "the connection failed",
      ),
      around("its own client of this package gets a 429", callAnother(respond(429))),
      around("its own client of this package gets a 401", callAnother(respond(401))),
      around("its own client of this package gets a 404", callAnother(respond(404))),
      around("its own client of this package gets no connection", callNobody),
    ],
  },
  {
    group: "No response in time",
    faults: [
      fault("no response", gives(hang), LATE),
      fault("a body that stalls", stalls, LATE),
      fault("an endless slow body", gives(drip(" ", 10)), LATE),
      fault("an endless slow error body", gives(drip("x", 10, 503)), LATE),
    ],
  },
  {
    group: "A false success",
    faults: [
      fault("200 with HTML", status(200, HTML), UNPROVED, "200, but its body is HTML, not JSON"),
      fault("200 with an empty body", status(200, ""), UNPROVED, "200, but its body is empty"),
      fault("204", status(204, ""), UNPROVED, "204, but its body is empty"),
      fault("200 with `{}`", status(200, {}), UNPROVED, "200, but its body lacks …"),
      fault(
        '200 with `{"status":"error"}`',
        status(200, { status: "error", error: "no" }),
        UNPROVED,
        "200, but its body reports an error: no",
      ),
      fault(
        "200 with JSON that breaks off",
        status(200, '{"status":"OK","account":{"id'),
        UNPROVED,
        "200, but its body is not JSON",
      ),
    ],
  },
  {
    group: "A true success",
    faults: [
      fault("202 with an unneeded field of an undocumented type", drifts, { seen: [1, 1] }),
      fault(
        '202 with an unneeded field of an undocumented type, and `responseValidation: "strict"`',
        drifts,
        {
          options: { responseValidation: "strict" },
          error: "ResponseValidationError",
          outcome: "done",
          seen: [1, 1],
        },
        "202, but a field is not as documented",
      ),
    ],
  },
  {
    group: "A recipient whom the client's guard does not permit",
    faults: [
      fault("it refuses", accepts, { ...EXCLUDED, allowRecipient: () => () => false }),
      fault(
        "it throws",
        accepts,
        { ...EXCLUDED, allowRecipient: () => () => Promise.reject(new Error("no row")) },
        NO_ANSWER,
      ),
      fault(
        "it permits, but later than `timeout`",
        accepts,
        {
          ...EXCLUDED,
          allowRecipient: () => () =>
            new Promise((resolve) => setTimeout(resolve, QUICK.timeout + 200, true)),
          options: QUICK,
        },
        NO_ANSWER,
      ),
      fault(
        "it permits an attempt without a connection, but not the next attempt",
        nowhere(() => REFUSED_URL),
        { ...EXCLUDED, allowRecipient: onlyOnce, attempts: 1 },
      ),
      fault("it permits an attempt that meets a 429, but not the next attempt", status(429), {
        ...{ error: "RecipientError", outcome: "not_sent", says: NOT_PERMITTED },
        allowRecipient: onlyOnce,
        seen: [0, 1],
      }),
    ],
  },
  {
    group: "Refused by the service",
    faults: [
      fault(
        "400 with the documented `errors`",
        status(400, { error: "Invalid request", errors: [ISSUE] }),
        { ...REJECTED, error: "ValidationError" },
        "Invalid request: phoneNumber: not a valid number",
      ),
      fault(
        "400 with any other body",
        status(400, { errors: { name: ["is too long"] } }),
        REJECTED,
        "400 Bad Request: name is too long",
      ),
      fault(
        "401",
        status(401),
        { ...REJECTED, error: "AuthenticationError" },
        "401 Unauthorized: no",
      ),
      fault(
        "403",
        status(403),
        { ...REJECTED, error: "PermissionDeniedError" },
        "403 Forbidden: no",
      ),
      fault(
        "404",
        status(404),
        { ...REJECTED, error: "NotFoundError" },
        "404 Not Found: no (check baseUrl: the URL was http://…)",
      ),
      fault("409", status(409), REJECTED, "409 Conflict: no"),
      fault("413", status(413), REJECTED, "413 Payload Too Large: no"),
      fault("422", status(422), REJECTED, "422 Unprocessable Entity: no"),
      fault(
        "404 with a body of a megabyte",
        status(404, "y".repeat(1_000_000)),
        { ...REJECTED, error: "NotFoundError" },
        `404 Not Found: ${"y".repeat(100)}…`,
      ),
    ],
  },
  {
    group: "Too many calls: 429",
    faults: [
      fault("without `Retry-After`", limited({}), LIMITED),
      fault("`Retry-After: 2`", limited({ "retry-after": "2" }), {
        ...LIMITED,
        waitMs: 2000,
        retryAfterMs: 2000,
      }),
      fault(
        "`Retry-After` with a date in 2 seconds",
        limited(() => ({ date: inSeconds(0), "retry-after": inSeconds(2) })),
        { ...LIMITED, waitMs: 2000, retryAfterMs: 2000 },
      ),
      fault(
        "`Retry-After` with a date, from a service whose clock is years behind",
        limited(() => ({ date: SKEWED, "retry-after": inSeconds(2, Date.parse(SKEWED)) })),
        { ...LIMITED, waitMs: 2000, retryAfterMs: 2000 },
      ),
      fault("`Retry-After: 0`", limited({ "retry-after": "0" }), { ...LIMITED, retryAfterMs: 0 }),
      fault("`Retry-After: -5`", limited({ "retry-after": "-5" }), LIMITED),
      fault("`Retry-After: soon`", limited({ "retry-after": "soon" }), LIMITED),
      fault(
        "`Retry-After: 3600`, which is more than `maxRetryAfter`",
        limited({ "retry-after": "3600" }),
        { ...LIMITED, seen: [1, 1], retryAfterMs: 3_600_000 },
        `${TOO_MANY}; the service asks for a pause of 3600000 ms, longer than \`retry.maxRetryAfter\` (\`maxPause\` in a run) allows`,
      ),
    ],
  },
  {
    group: "The service fails",
    faults: [
      fault("408", status(408), { ...BROKEN, error: "ApiError" }, "408 Request Timeout: no"),
      fault("500", status(500), BROKEN, "500 Internal Server Error: no"),
      fault("501", status(501), { ...BROKEN, seen: [1, 1] }, "501 Not Implemented: no"),
      fault("502 with HTML", status(502, HTML), BROKEN, "502 Bad Gateway"),
      fault("503", status(503), BROKEN, "503 Service Unavailable: no"),
      fault("504", status(504, ""), BROKEN, "504 Gateway Timeout"),
    ],
  },
  {
    group: "Redirects, which are never followed",
    faults: [
      fault(
        "301 to the same path on another origin",
        corrects(301),
        REJECTED,
        "301 Moved Permanently: a redirect to http://…, which is not followed",
      ),
      fault(
        "302 to the same path on another origin",
        corrects(302),
        REJECTED,
        "302 Found: a redirect to http://…, which is not followed",
      ),
      fault(
        "307 to another origin",
        redirects(307),
        REJECTED,
        "307 Temporary Redirect: a redirect to http://…/take, which is not followed",
      ),
      fault(
        "308 to another origin",
        redirects(308),
        REJECTED,
        "308 Permanent Redirect: a redirect to http://…/take, which is not followed",
      ),
      fault(
        "302 to another path, as web frameworks answer a form that they have accepted",
        status(302, "", { location: "/elsewhere" }),
        { ...REJECTED, outcome: "unknown" },
        "302 Found: a redirect to /elsewhere, which is not followed",
      ),
      fault(
        "303, which may follow a success",
        redirects(303),
        { ...REJECTED, outcome: "unknown" },
        "303 See Other: a redirect to http://…/take, which is not followed",
      ),
    ],
  },
];
