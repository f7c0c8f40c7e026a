import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeService, type FakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { VERSION } from "../../src/core/transport/platform.ts";
import * as transactional from "../../src/core/wire/transactional.ts";
import * as v2 from "../../src/core/wire/v2.ts";
import { buildPrograms } from "../runtimes/programs.ts";
import { FIXTURE, type Results, type Runtime, whyNotHere } from "../runtimes/runtimes.ts";
import { type SqlServer, startSqlServer } from "../runtimes/sql-server.ts";
import { checks } from "../runtimes/suite/checks.ts";
import { failures } from "../runtimes/suite/failures.ts";
import type { Traits } from "../runtimes/suite/index.ts";
import { LEAK_MARK, plannedLeaks, secretsOf } from "../runtimes/suite/leaks.ts";
import { installFixture } from "../support/fixture.ts";
import { INTERNAL_ERROR } from "../support/servers/certificate.ts";
import { REFUSED_URL } from "../support/servers/loopback.ts";

const USER_AGENT = `messaging-service-client/${VERSION}`;
const operations = [...Object.values(v2), ...Object.values(transactional)];

/** Creates a fake service with data. The first calls of some endpoints fail. */
const openFake = (traits: Traits) => {
  const service = createFakeService();
  const lists = ["A", "B", "C"].map((name) => service.addList({ name }));
  const listId = lists[0]?.id ?? 0;
  const { phone_number: phone } = service.addSubscriber(listId);
  service.addScheduledMessage(listId);
  const reportId = service.addReport({ minutes: 0 }).id;
  for (const { planned } of Object.values(failures)) service.failNext(planned);
  for (const planned of plannedLeaks(traits)) service.failNext(planned);
  return { service, listId, phone, reportId };
};

/** Responds to every TLS handshake with an alert. */
const alerting = createTcpServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", () => socket.end(INTERNAL_ERROR));
});

/** Number of runtimes that run the suite concurrently. The suite mostly waits for a service. */
const LANES = 3;

/** Runs the suite in each of the given runtimes. */
export const testRuntimes = (runtimes: readonly Runtime[]): void => {
  if (runtimes.some(({ command }) => command?.startsWith(FIXTURE))) {
    try {
      installFixture("runtimes");
    } catch {
      console.warn("SKIPPED: other runtimes than this one, for they could not be installed");
    }
  }

  /** Started only if a runtime uses it. */
  let sql: SqlServer | undefined;
  const reasons = new Map(runtimes.map((runtime) => [runtime, whyNotHere(runtime)]));
  const here = runtimes.filter((runtime) => !reasons.get(runtime));

  const runSuite = async (runtime: Runtime) => {
    const { service, ...known } = openFake(runtime.traits);
    const allowedOrigins = runtime.origin ? [runtime.origin] : [];
    const server = await listen(service, { allowedOrigins });
    const settings = {
      ...known,
      ...service.account,
      v2BaseUrl: server.v2BaseUrl,
      transactionalBaseUrl: server.transactionalBaseUrl,
      deadBaseUrl: REFUSED_URL,
      alertBaseUrl: `https://127.0.0.1:${(alerting.address() as AddressInfo).port}`,
      sqlUrl: sql?.url ?? "",
      folder: mkdtempSync(join(folder, "ledgers-")),
      ...runtime.traits,
    };
    try {
      const results = await runtime.run(settings, inject("application"));
      return { service, phone: known.phone, results };
    } finally {
      await server.close();
    }
  };
  const runs = new Map<Runtime, ReturnType<typeof runSuite>>();
  const runAll = () => {
    for (const [index, runtime] of here.entries()) {
      const earlier = here[index - LANES];
      const run = Promise.allSettled([earlier && runs.get(earlier)]).then(() => runSuite(runtime));
      // The tests of this runtime report a failure.
      run.catch(() => {});
      runs.set(runtime, run);
    }
  };
  // Without full permissions, Deno opens no files below /dev.
  const folder = mkdtempSync(join(tmpdir(), "runtimes-"));
  beforeAll(async () => {
    await buildPrograms(inject("application"));
    if (runtimes.some(({ traits }) => traits.ledgers.includes("postgres"))) {
      sql = await startSqlServer();
    }
    await new Promise<void>((resolve) => alerting.listen(0, "127.0.0.1", resolve));
    runAll();
  });
  afterAll(async () => {
    await sql?.close();
    alerting.close();
    rmSync(folder, { recursive: true });
  });

  for (const runtime of runtimes) {
    const reason = reasons.get(runtime);
    if (reason) console.warn(`SKIPPED: the suite in ${runtime.name}, for ${reason}`);
    describe.skipIf(reason)(runtime.name, () => {
      let service: FakeService;
      let phone: string;
      let results: Results;

      beforeAll(async () => {
        ({ service, phone, results } = await (runs.get(runtime) as ReturnType<typeof runSuite>));
      });

      test.each(Object.keys(checks))("the suite passes in this runtime: %s", (name) =>
        expect(results.checks[name]).toBe("passed"),
      );

      test("the log of a runtime shows the errors of lost connections without a key, a number or a text", () => {
        const { log } = results;
        expect(log.split(LEAK_MARK).length).toBeGreaterThan(18);
        expect(log).toContain("ConnectionError");
        for (const secret of secretsOf({ ...service.account, phone })) {
          expect(log).not.toContain(secret);
        }
      });

      test("the suite ran in this runtime", () => {
        expect(results.userAgent).toMatch(runtime.userAgent);
        expect(results.hasFinalizationRegistry).toBe(runtime.traits.hasFinalizationRegistry);
      });

      test("requests name the package and its version as their user agent, except in browsers and workers", () => {
        const named = service.requests.map(({ headers }) => headers["user-agent"] === USER_AGENT);
        expect(named.length).toBeGreaterThan(10);
        expect(new Set(named)).toEqual(new Set([/^(Node|Bun|Deno)/.test(runtime.name)]));
      });

      test("the service received every operation, and no send twice unless the runtime itself resends", () => {
        for (const { method, path, id } of operations) {
          const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
          const isSeen = service.requests.some(
            (request) => request.method === method && pattern.test(request.path),
          );
          expect(isSeen, id).toBe(true);
        }
        // By request: one text whose response was lost, two texts before a failure around `fetch`, one more text, and one file.
        // In batches: two messages by `sendMany` and one by `sendOnce`.
        expect(service.sends).toHaveLength(runtime.traits.resends ? 9 : 8);
      });
    });
  }
};
