// Runs the transactional outbox of the guide "Queues" on a real Postgres, and kills its processes between the commit and the send.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeService, type FakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { codeBlocksOf, ROOT } from "../docs/pages.ts";
import { newApplication } from "../support/application.ts";
import { installFixture } from "../support/fixture.ts";
import { createPool, type Pool, startPostgres } from "../support/servers/postgres-server.ts";

const TIMEOUT_MS = 180_000;
const PROGRAM = "outbox-program.ts";

describe("the transactional outbox", { timeout: TIMEOUT_MS }, () => {
  let folder: string;

  beforeAll(() => {
    folder = newApplication(join(installFixture("queues"), "node_modules"));
    copyFileSync(join(ROOT, "test/support/programs", PROGRAM), join(folder, PROGRAM));
    const blocks = codeBlocksOf("docs/guides/queues.md");
    for (const [file, words] of [
      ["outbox.ts", "placeOrder"],
      ["worker.ts", "perJobResults"],
    ] as const) {
      writeFileSync(
        join(folder, file),
        blocks.find(({ code }) => code.includes(words))?.code ?? "",
      );
    }
  }, TIMEOUT_MS);
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Opens a database with an empty table of orders, and creates a fake service. */
  const open = async () => {
    const postgres = await startPostgres();
    const pool = createPool(postgres.port);
    onTestFinished(async () => {
      await pool.end();
      await postgres[Symbol.asyncDispose]();
    });
    await pool.query("CREATE TABLE orders (id text PRIMARY KEY, phone text NOT NULL)");
    const service = createFakeService();
    const server = await listen(service);
    onTestFinished(() => server.close());
    const env = {
      ...process.env,
      DATABASE_URL: `postgres://postgres@127.0.0.1:${postgres.port}/postgres`,
      MESSAGING_TRANSACTIONAL_BASE_URL: server.transactionalBaseUrl,
      MESSAGING_TRANSACTIONAL_API_KEY: service.account.apiKey,
    };
    const start = (...args: string[]): ChildProcess => {
      const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, env });
      child.stderr.pipe(process.stderr);
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    };
    return { pool, service, start };
  };

  const kill = async (child: ChildProcess): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };

  const countOf = async (pool: Pool, where: string): Promise<number> => {
    const { rows } = await pool.query(`SELECT count(*)::int AS count FROM ${where}`);
    return Number(rows[0]?.count);
  };

  /** Returns how many phones received a text, and asserts that none received two. */
  const textedOnce = ({ outbox }: FakeService): number => {
    const phones = outbox.map(({ to }) => to);
    expect(new Set(phones).size).toBe(phones.length);
    return phones.length;
  };

  const JOBS = "pgboss.job WHERE name = 'receipts'";

  test("orders of a process that was killed between commit and send are each sent once by the next process", async () => {
    const { pool, service, start } = await open();
    const [, signal] = await once(start("place", "25"), "exit");
    expect(signal).toBe("SIGKILL");
    expect(await countOf(pool, "orders")).toBe(25);
    expect(await countOf(pool, `${JOBS} AND state = 'created'`)).toBe(25);
    expect(service.requests).toEqual([]);

    start("work");
    const completed = () => countOf(pool, `${JOBS} AND state = 'completed'`);
    await expect.poll(completed, { timeout: 60_000 }).toBe(25);
    expect(textedOnce(service)).toBe(25);
  });

  test("a process that is killed during its transactions leaves no order without a job and no job without an order", async () => {
    const { pool, start } = await open();
    const child = start("place", "400");
    await expect
      .poll(() => countOf(pool, "orders"), { timeout: 60_000, interval: 1 })
      .toBeGreaterThan(0);
    await kill(child);
    // The server ends the transactions of the killed process when it notices that the connections are gone.
    const busy =
      "pg_stat_activity WHERE state LIKE 'idle in transaction%' OR (state = 'active' AND pid <> pg_backend_pid())";
    await expect.poll(() => countOf(pool, busy), { timeout: 60_000 }).toBe(0);
    const orders = await countOf(pool, "orders");
    expect(orders).toBeLessThan(400);
    const pairs = `orders JOIN pgboss.job ON data->>'order' = orders.id AND name = 'receipts'`;
    expect(await countOf(pool, pairs)).toBe(orders);
    expect(await countOf(pool, JOBS)).toBe(orders);
  });

  test("workers that are killed while they send lose no order and send none twice; each send in doubt becomes a failed job", async () => {
    const { pool, service, start } = await open();
    await once(start("place", "40"), "exit");
    /** Moves the clock past the expiry of a killed worker's jobs. */
    const expire = async () => {
      await pool.query(
        "UPDATE pgboss.job SET started_on = now() - interval '1 day' WHERE state = 'active'",
      );
      // A claim this old no longer belongs to a send in progress.
      const at = "2026-01-01T00:00:00.000Z";
      await pool.query("UPDATE messaging_sends SET at = $1 WHERE state = 'sending'", [at]);
      await pool.query("UPDATE pgboss.queue SET monitor_claim_on = NULL");
    };
    for (const fault of ["hang", "dropped", "hang"] as const) {
      const before = service.requests.length;
      service.failNext({ fault, times: 3 });
      const child = start("work");
      await expect
        .poll(() => service.requests.length, { timeout: 60_000 })
        .toBeGreaterThan(before + 2);
      await kill(child);
      await expire();
    }
    start("work");
    const unsettled = `${JOBS} AND state IN ('created', 'retry', 'active')`;
    await expect.poll(() => countOf(pool, unsettled), { timeout: 90_000 }).toBe(0);

    const failed = await countOf(pool, `${JOBS} AND state = 'failed'`);
    const completed = await countOf(pool, `${JOBS} AND state = 'completed'`);
    const inDoubt = await countOf(pool, "messaging_sends WHERE state IN ('sending', 'unknown')");
    expect(failed + completed).toBe(40);
    expect(failed).toBe(inDoubt);
    expect(inDoubt).toBeGreaterThan(0);
    expect(textedOnce(service)).toBeGreaterThanOrEqual(completed);
  });
});
