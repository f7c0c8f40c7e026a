import { describe, expect, test } from "vitest";
import { ConnectionError, TimeoutError } from "../../../src/index.ts";
import { clientsOf, errorOf, KINDS } from "../../support/calls.ts";
import {
  hang,
  type Responder,
  refusedUrl,
  resetAfterReading,
  resetBeforeReading,
  respond,
  stall,
  startLoopback,
  truncate,
} from "../../support/servers/loopback.ts";

const faultsOf = (success: object): readonly (readonly [name: string, fault: Responder])[] => [
  ["a reset before the request is read", resetBeforeReading],
  ["a reset after the request is read", resetAfterReading],
  ["a truncated body", truncate(success)],
];
const rows = KINDS.flatMap((kind) =>
  faultsOf(kind.success).map(([name, fault]) => ({ kind, name, fault })),
);

describe("retries after a lost connection", () => {
  test.each(rows)(
    "a $kind.kind that meets $name rejects with a ConnectionError, after retries only if idempotent",
    async ({ kind, fault }) => {
      await using server = await startLoopback(fault);
      const error = await errorOf(kind.call(clientsOf(server)));
      const attempts = kind.again ? 1 : 3;
      expect(server.requests).toHaveLength(attempts);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts });
      expect(error.endpoint).toBe(kind.endpoint);
      expect(error.cause).toBeInstanceOf(TypeError);
    },
  );

  test.each(rows.filter(({ kind }) => !kind.again))(
    "a $kind.kind that meets $name once succeeds on its retry",
    async ({ kind, fault }) => {
      await using server = await startLoopback(fault, respond(200, kind.success));
      await kind.call(clientsOf(server));
      expect(server.requests).toHaveLength(2);
    },
  );
});

describe("retries after a timeout", () => {
  const slow = KINDS.flatMap((kind) => [
    { kind, name: "no response", fault: hang },
    { kind, name: "a stalled body", fault: stall(kind.success) },
  ]);

  // These tests wait most of the time.
  test.concurrent.each(slow)(
    "a $kind.kind that meets $name rejects with a TimeoutError, after retries only if idempotent",
    async ({ kind, fault }) => {
      await using server = await startLoopback(fault);
      const error = await errorOf<TimeoutError>(kind.call(clientsOf(server), { timeout: 400 }));
      const attempts = kind.again ? 1 : 3;
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error).toMatchObject({ code: "timeout", phase: "attempt", timeoutMs: 400 });
      expect(error).toMatchObject({ outcome: "unknown", attempts, endpoint: kind.endpoint });
      expect(server.requests).toHaveLength(attempts);
    },
  );

  test("a GET that meets no response once succeeds on its retry", async () => {
    const [{ kind }] = [{ kind: KINDS[0] }];
    await using server = await startLoopback(hang, respond(200, kind?.success));
    await kind?.call(clientsOf(server), { timeout: 1_000 });
    expect(server.requests).toHaveLength(2);
  });
});

describe("retries after a refused connection", () => {
  test.each(KINDS)(
    "a $kind is retried after a refused connection, because nothing was sent",
    async (kind) => {
      const clients = clientsOf({ baseUrl: await refusedUrl() });
      const error = await errorOf(kind.call(clients));
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ code: "connection", outcome: "not_sent", attempts: 3 });
      expect(error.message).toContain("ECONNREFUSED");
    },
  );

  test.each(KINDS)(
    "`retry: 0` turns off the retry of a $kind after a refused connection",
    async (kind) => {
      const clients = clientsOf({ baseUrl: await refusedUrl() }, { retry: 0 });
      await expect(kind.call(clients)).rejects.toMatchObject({ outcome: "not_sent", attempts: 1 });
    },
  );
});
