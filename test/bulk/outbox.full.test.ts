// Runs the transactional outboxes of the guide "Queues" on a real Postgres, and kills processes between the commit and the send.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createFakeService, type FakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { codeBlocksOf, ROOT, readPage } from "../docs/pages.ts";
import { newApplication } from "../support/application.ts";
import { installFixture } from "../support/fixture.ts";
import { createPool, type Pool, startPostgres } from "../support/servers/postgres-server.ts";

const TIMEOUT_MS = 300_000;
/** Polling options. A worker looks for jobs only every second or two. */
const PATIENT = { timeout: 150_000, interval: 250 };
const PROGRAM = "outbox-program.ts";

/** A queue in Postgres, as SQL: conditions on its jobs, and statements that release the jobs of a killed worker. */
interface OutboxQueue {
  readonly name: string;
  /** Words found only in the outbox recipe, and words found only in the worker recipe. */
  readonly recipes: readonly [outbox: string, worker: string];
  /** Table or view in which the guide looks up failed jobs. */
  readonly table: string;
  readonly jobs: string;
  readonly waiting: string;
  readonly unsettled: string;
  readonly failed: string;
  readonly order: string;
  readonly expire: readonly string[];
}

const PG_BOSS_JOBS = "pgboss.job WHERE name = 'receipts'";
// The view of the jobs does not include their payload.
const GRAPHILE_JOBS = "graphile_worker._private_jobs WHERE true";

const QUEUES: readonly OutboxQueue[] = [
  {
    name: "pg-boss",
    recipes: ["boss.send", "perJobResults"],
    table: "pgboss.job",
    jobs: PG_BOSS_JOBS,
    waiting: `${PG_BOSS_JOBS} AND state = 'created'`,
    unsettled: `${PG_BOSS_JOBS} AND state IN ('created', 'retry', 'active')`,
    failed: `${PG_BOSS_JOBS} AND state = 'failed'`,
    order: "data->>'order'",
    expire: [
      "UPDATE pgboss.job SET started_on = now() - interval '1 day' WHERE state = 'active'",
      "UPDATE pgboss.queue SET monitor_claim_on = NULL, monitor_on = NULL",
    ],
  },
  {
    name: "Graphile Worker",
    recipes: ["add_job(", "taskList"],
    table: "graphile_worker.jobs",
    jobs: GRAPHILE_JOBS,
    waiting: `${GRAPHILE_JOBS} AND attempts = 0`,
    // The queue deletes a completed job.
    unsettled: `${GRAPHILE_JOBS} AND (attempts < max_attempts OR locked_at IS NOT NULL)`,
    failed: `${GRAPHILE_JOBS} AND attempts = max_attempts AND locked_at IS NULL`,
    order: "payload->>'order'",
    expire: [
      // A worker does the same within its first minute to jobs that were locked four hours ago.
      "UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL, run_at = now()",
    ],
  },
];

describe.each(QUEUES)("the transactional outbox of $name", { timeout: TIMEOUT_MS }, (queue) => {
  let folder: string;

  beforeAll(() => {
    folder = newApplication(join(installFixture("queues"), "node_modules"));
    copyFileSync(join(ROOT, "test/support/programs", PROGRAM), join(folder, PROGRAM));
    const blocks = codeBlocksOf("docs/guides/queues.md");
    const [outbox, worker] = queue.recipes;
    const files = {
      ...{ "outbox.ts": outbox, "worker.ts": worker },
      ...{
        "receipts.ts": "export const sendReceipt",
        "orders.ts": "export async function saveOrder",
      },
    };
    for (const [file, words] of Object.entries(files)) {
      const found = blocks.filter(({ code }) => code.includes(words));
      expect(found).toHaveLength(1);
      writeFileSync(join(folder, file), found[0]?.code ?? "");
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
    const start = (...args: string[]) => {
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

  test("a process that is killed during its transactions leaves no order without a job and no job without an order", async () => {
    const { pool, start } = await open();
    // More orders than the process can place before the kill.
    const child = start("place", "50000");
    await expect
      .poll(() => countOf(pool, "orders"), { timeout: 60_000, interval: 10 })
      .toBeGreaterThan(0);
    await kill(child);
    // The server ends the transactions of the killed process when it detects that the connections are closed.
    const busy =
      "pg_stat_activity WHERE state LIKE 'idle in transaction%' OR (state = 'active' AND pid <> pg_backend_pid())";
    await expect.poll(() => countOf(pool, busy), { timeout: 60_000 }).toBe(0);
    const orders = await countOf(pool, "orders");
    expect(orders).toBeLessThan(50_000);
    const orderOfJob = `SELECT ${queue.order} FROM ${queue.jobs}`;
    expect(await countOf(pool, `orders WHERE id IN (${orderOfJob})`)).toBe(orders);
    expect(await countOf(pool, queue.jobs)).toBe(orders);
  });

  test("a transaction during which Postgres ends all connections rejects, and the process serves the next order", async () => {
    const { pool, start } = await open();
    const child = start("interrupt");
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect([output, code]).toEqual(["rejected\n", 0]);
    const { rows } = await pool.query("SELECT id FROM orders");
    expect(rows).toEqual([{ id: "101" }]);
  });

  test("orders of a process that was killed between commit and send are neither lost nor sent twice by workers that are also killed, and each send in doubt becomes a failed job", async () => {
    const { pool, service, start } = await open();
    const [, signal] = await once(start("place", "40"), "exit");
    expect(signal).toBe("SIGKILL");
    expect(await countOf(pool, "orders")).toBe(40);
    expect(await countOf(pool, queue.waiting)).toBe(40);
    expect(service.requests).toEqual([]);

    /** Makes the jobs of a killed worker expire. */
    const expire = async () => {
      // A claim this old cannot belong to a send in progress.
      const at = "2026-01-01T00:00:00.000Z";
      await pool.query("UPDATE messaging_sends SET at = $1 WHERE state = 'sending'", [at]);
      for (const statement of queue.expire) await pool.query(statement);
    };
    for (const fault of ["hang", "dropped"] as const) {
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
    const unsettled = () => countOf(pool, queue.unsettled);
    await expect.poll(unsettled, PATIENT).toBe(0);

    const failed = await countOf(pool, queue.failed);
    // The statement in the guide finds the same jobs.
    const guide = readPage("docs/guides/queues.md");
    const [look = ""] = guide.match(new RegExp(`SELECT [^;]* FROM ${queue.table}\\b[^;]*`)) ?? [];
    expect((await pool.query(look)).rows).toHaveLength(failed);
    const inDoubt = await countOf(pool, "messaging_sends WHERE state IN ('sending', 'unknown')");
    expect(failed).toBe(inDoubt);
    expect(inDoubt).toBeGreaterThan(0);
    const accepted = await countOf(pool, "messaging_sends WHERE state = 'accepted'");
    expect(failed + accepted).toBe(40);
    expect(textedOnce(service)).toBeGreaterThanOrEqual(accepted);
  });
});
