// Both timeouts for every kind of call in every phase. timeout-options.test.ts tests what each of them covers.
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createThrottle, TimeoutError } from "../../../src/index.ts";
import { clientsOf, errorOf, KINDS } from "../../support/calls.ts";
import { CARRIERS } from "../../support/carriers.ts";
import { drip, flood, respond, startLoopback } from "../../support/servers/loopback.ts";
import { inEveryKind, PHASES } from "./phases.ts";

// The timeout allows for real sockets on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

beforeEach(() => {
  // Makes every pause as long as possible.
  vi.spyOn(Math, "random").mockReturnValue(0.99);
});

describe.each(CARRIERS)("totalTimeout of a call, carried by $carrier", (carrier) => {
  test.each(PHASES)("totalTimeout ends the call: $phase", async (phase) => {
    await inEveryKind(phase, carrier, async (kind, clients, server) => {
      const started = performance.now();
      const error = await errorOf<TimeoutError>(kind.call(clients, { totalTimeout: 1_200 }));
      const tookMs = performance.now() - started;
      expect(error, kind.kind).toBeInstanceOf(TimeoutError);
      const { outcome, attempts } = phase;
      expect(error, kind.kind).toMatchObject({ phase: "total", timeoutMs: 1_200 });
      expect(error, kind.kind).toMatchObject({ outcome, attempts, endpoint: kind.endpoint });
      expect(tookMs).toBeGreaterThan(1_198);
      expect(tookMs).toBeLessThan(30_000);
      expect(server.requests, kind.kind).toHaveLength(attempts);
    });
  });
});

describe.each(CARRIERS)("timeout of an attempt, carried by $carrier", ({ fetch }) => {
  test.concurrent.each(KINDS)(
    "timeout excludes time in the queue of a real throttle: $kind",
    async (kind) => {
      await using server = await startLoopback(respond(200, kind.success));
      const throttle = createThrottle({ limit: 1, interval: 2_000 });
      const clients = clientsOf(server, { fetch, throttle, timeout: 1_500, retry: 0 });
      await throttle.acquire();
      const started = performance.now();
      await kind.call(clients);
      expect(performance.now() - started).toBeGreaterThan(1_600);
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each([200, 202, 404, 503])(
    "timeout ends an endless slow body of status %d",
    async (code) => {
      await using server = await startLoopback(drip(" ", 5, code));
      await Promise.all(
        KINDS.map(async (kind) => {
          const error = await errorOf(
            kind.call(clientsOf(server, { fetch, timeout: 500, retry: 0 })),
          );
          expect(error, kind.kind).toMatchObject({ code: "timeout", outcome: "unknown" });
        }),
      );
      expect(server.requests).toHaveLength(KINDS.length);
      await expect.poll(() => server.requests.every(({ abandoned }) => abandoned)).toBe(true);
    },
  );

  test("timeout ends an endless fast body of a success", async () => {
    await using server = await startLoopback(flood(200, " ".repeat(1000)));
    const { v2 } = clientsOf(server, { fetch, timeout: 500, retry: 0 });
    const error = await errorOf(v2.accounts.me());
    expect(error).toMatchObject({ code: "timeout", phase: "attempt", outcome: "unknown" });
    await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
  });

  test("a slow body that ends in time is read completely", async () => {
    for (const kind of KINDS) {
      const text = JSON.stringify(kind.success);
      const pieces = [text.slice(0, 9), text.slice(9)];
      await using server = await startLoopback(async ({ read, response }) => {
        await read();
        for (const piece of pieces) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          response.write(piece);
        }
        response.end();
      });
      await kind.call(clientsOf(server, { fetch, timeout: 5000 }));
      server.onlyRequest();
    }
  });
});
