import { describe, expect, test } from "vitest";
import { ConnectionError, TimeoutError } from "../../../src/index.ts";
import { clientsOf, errorOf, KINDS } from "../../support/calls.ts";
import {
  type Answer,
  answer,
  hang,
  refusedUrl,
  resetAfterReading,
  resetBeforeReading,
  stall,
  startLoopback,
  truncate,
} from "../../support/loopback.ts";

const faultsOf = (proof: object): readonly (readonly [name: string, fault: Answer])[] => [
  ["reset before it was read", resetBeforeReading],
  ["reset after it was read", resetAfterReading],
  ["a truncated body", truncate(proof)],
];
const rows = KINDS.flatMap((kind) =>
  faultsOf(kind.proof).map(([name, fault]) => ({ kind, name, fault })),
);

describe("a connection that breaks", () => {
  test.each(rows)("$kind.kind × $name", async ({ kind, fault }) => {
    await using server = await startLoopback(fault);
    const error = await errorOf(kind.call(clientsOf(server)));
    const attempts = kind.again ? 1 : 3;
    expect(server.requests).toHaveLength(attempts);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts });
    expect(error.endpoint).toBe(kind.endpoint);
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  test.each(rows.filter(({ kind }) => !kind.again))(
    "$kind.kind × $name, then a success",
    async ({ kind, fault }) => {
      await using server = await startLoopback(fault, answer(200, kind.proof));
      await kind.call(clientsOf(server));
      expect(server.requests).toHaveLength(2);
    },
  );
});

describe("an attempt that takes too long", () => {
  const slow = KINDS.flatMap((kind) => [
    { kind, name: "no answer", fault: hang },
    { kind, name: "a stalled body", fault: stall(kind.proof) },
  ]);

  test.each(slow)("$kind.kind × $name", async ({ kind, fault }) => {
    await using server = await startLoopback(fault);
    const error = await errorOf<TimeoutError>(kind.call(clientsOf(server), { timeout: 60 }));
    const attempts = kind.again ? 1 : 3;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: "timeout", phase: "attempt", timeoutMs: 60 });
    expect(error).toMatchObject({ outcome: "unknown", attempts, endpoint: kind.endpoint });
    expect(server.requests).toHaveLength(attempts);
  });

  test("GET × no answer, then a success", async () => {
    const [{ kind }] = [{ kind: KINDS[0] }];
    await using server = await startLoopback(hang, answer(200, kind?.proof));
    await kind?.call(clientsOf(server), { timeout: 200 });
    expect(server.requests).toHaveLength(2);
  });
});

describe("a connection that is refused", () => {
  test.each(KINDS)("$kind: nothing was sent, so that even a POST is repeated", async (kind) => {
    const clients = clientsOf({ baseUrl: await refusedUrl() });
    const error = await errorOf(kind.call(clients));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "connection", outcome: "not_sent", attempts: 3 });
    expect(error.message).toContain("ECONNREFUSED");
  });

  test.each(KINDS)("$kind: `retry: 0` turns it off", async (kind) => {
    const clients = clientsOf({ baseUrl: await refusedUrl() }, { retry: 0 });
    await expect(kind.call(clients)).rejects.toMatchObject({ outcome: "not_sent", attempts: 1 });
  });
});
