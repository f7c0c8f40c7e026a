import { describe, expect, test } from "vitest";
import {
  ApiError,
  AuthenticationError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
} from "../../../src/index.ts";
import { clientsOf, errorOf, KINDS } from "../../support/calls.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

type Row = readonly [status: number, type: typeof ApiError, code: string, outcome: string];

/** Error and outcome of each status. Idempotent calls are retried for the statuses above the blank line. */
const STATUSES: readonly Row[] = [
  [408, ApiError, "api", "unknown"],
  [429, RateLimitError, "rate_limit", "rejected"],
  [500, ServerError, "server", "unknown"],
  [502, ServerError, "server", "unknown"],
  [503, ServerError, "server", "unknown"],
  [504, ServerError, "server", "unknown"],

  [301, ApiError, "api", "rejected"],
  [303, ApiError, "api", "unknown"],
  [307, ApiError, "api", "rejected"],
  [400, ApiError, "api", "rejected"],
  [401, AuthenticationError, "authentication", "rejected"],
  [403, PermissionDeniedError, "permission_denied", "rejected"],
  [404, NotFoundError, "not_found", "rejected"],
  [409, ApiError, "api", "rejected"],
  [413, ApiError, "api", "rejected"],
  [422, ApiError, "api", "rejected"],
  [501, ServerError, "server", "unknown"],
  [505, ServerError, "server", "unknown"],
];
const REPEATED = [408, 429, 500, 502, 503, 504];

const rows = KINDS.flatMap((kind) => STATUSES.map((row) => ({ kind, row })));
const isRepeated = (again: boolean, status: number) =>
  again ? status === 429 : REPEATED.includes(status);

describe("retries by status", () => {
  test.each(rows)(
    "a $kind.kind that meets $row.0 has the right error, outcome and number of attempts",
    async ({ kind, row }) => {
      const [status, ErrorClass, code, outcome] = row;
      await using server = await startLoopback(respond(status, { error: "no" }));
      const error = await errorOf<ApiError>(kind.call(clientsOf(server)));
      const attempts = isRepeated(kind.again, status) ? 3 : 1;
      expect(server.requests).toHaveLength(attempts);
      expect(error).toBeInstanceOf(ErrorClass);
      expect({ ...error, name: error.name }).toEqual({
        name: ErrorClass.name,
        callId: expect.any(String),
        code,
        status,
        outcome,
        attempts,
        endpoint: kind.endpoint,
      });
      expect(error.body).toEqual({ error: "no" });
    },
  );

  test.each(rows.filter(({ row }) => REPEATED.includes(row[0])))(
    "a $kind.kind that meets $row.0 once succeeds only if it is retried",
    async ({ kind, row: [status] }) => {
      await using server = await startLoopback(respond(status), respond(200, kind.success));
      const call = kind.call(clientsOf(server)).withResponse();
      if (isRepeated(kind.again, status)) expect((await call).body).toEqual(kind.success);
      else await expect(call).rejects.toMatchObject({ status, attempts: 1 });
      expect(server.requests).toHaveLength(isRepeated(kind.again, status) ? 2 : 1);
    },
  );
});

describe("limit of retries", () => {
  test.each([
    [0, 1],
    [1, 2],
    [{ limit: 3 }, 4],
    [{ limit: undefined }, 3],
    [{}, 3],
  ])("retry: %j makes %d attempts", async (retry, attempts) => {
    await using server = await startLoopback(respond(503));
    const { v2 } = clientsOf(server);
    await expect(v2.accounts.me({ retry })).rejects.toMatchObject({ attempts });
    expect(server.requests).toHaveLength(attempts);
  });

  test("the retry limit of a call overrides only the limit of the client", async () => {
    await using server = await startLoopback(respond(429, "", { "retry-after": "1" }));
    const { v2 } = clientsOf(server, { retry: { limit: 5, maxRetryAfter: 10 } });
    // The client's maxRetryAfter still applies, whatever the limit of the call.
    const call = v2.accounts.me({ retry: 1 });
    await expect(call).rejects.toMatchObject({ attempts: 1, retryAfterMs: 1000 });
  });
});

describe("retries of request() by method", () => {
  test.each([
    ["GET", 3],
    ["HEAD", 3],
    ["PUT", 3],
    ["DELETE", 3],
    ["POST", 1],
    ["PATCH", 1],
  ] as const)("a custom %s that meets 503 makes %d attempts", async (method, attempts) => {
    await using server = await startLoopback(respond(503));
    const call = clientsOf(server).rcs.request({ method, path: "/any" });
    await expect(call).rejects.toMatchObject({ code: "server", outcome: "unknown", attempts });
    expect(server.requests).toHaveLength(attempts);
  });

  test.each(["POST", "PATCH"] as const)(
    "a custom %s that meets 429 makes 3 attempts",
    async (method) => {
      await using server = await startLoopback(respond(429));
      const call = clientsOf(server).rcs.request({ method, path: "/any" });
      await expect(call).rejects.toMatchObject({ code: "rate_limit", attempts: 3 });
    },
  );
});
