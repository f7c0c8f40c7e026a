// Runs `recipe.ts` with a queue: `node queue-program.ts bullmq|pg-boss|graphile-worker|dbos`. Prints how each job ended and what was sent.
import { postgresLedger } from "messaging-service-client/bulk";
import { createFakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";

const service = createFakeService();
const server = await listen(service);
process.env.MESSAGING_TRANSACTIONAL_BASE_URL = server.transactionalBaseUrl;
process.env.MESSAGING_TRANSACTIONAL_API_KEY = service.account.apiKey;

interface End {
  readonly state: string;
  readonly output: unknown;
}

interface TestedQueue {
  add(data: object): Promise<string>;
  /** Returns the current state of a job, and its result or error. */
  look(id: string): Promise<End>;
  retry(id: string): Promise<unknown>;
}

/** Loads a package that is installed only in the folder of this program. */
const load = (name: string) => import(name);
const { Pool } = await load("pg");

const queues: Readonly<Record<string, () => Promise<TestedQueue>>> = {
  bullmq: async () => {
    const { Queue } = await load("bullmq");
    await load("./recipe.ts");
    const queue = new Queue("receipts", { connection: { url: process.env.REDIS_URL } });
    return {
      add: async (data) => (await queue.add("receipt", data, { attempts: 5 })).id,
      look: async (id) => {
        const state = await (await queue.getJob(id)).getState();
        if (state !== "failed") return { state, output: (await queue.getJob(id)).returnvalue };
        const failed: { id: string; failedReason: string }[] = await queue.getFailed();
        return { state, output: failed.find((job) => job.id === id)?.failedReason };
      },
      retry: async (id) => (await queue.getJob(id)).retry(),
    };
  },
  "pg-boss": async () => {
    const { boss } = await load("./recipe.ts");
    return {
      add: (data) => boss.send("receipts", data),
      look: (id) => boss.getJobById("receipts", id),
      retry: (id) => boss.retry("receipts", id),
    };
  },
  "graphile-worker": async () => {
    const { makeWorkerUtils } = await load("graphile-worker");
    const connectionString = process.env.DATABASE_URL;
    const utils = await makeWorkerUtils({ connectionString });
    const pool = new Pool({ connectionString });
    await load("./recipe.ts");
    let added = 0;
    return {
      add: async (data) => {
        added += 1;
        return (await utils.addJob("receipt", data, { jobKey: `${added}`, maxAttempts: 5 })).id;
      },
      // A completed job is deleted.
      look: async (id) => {
        const view = "SELECT * FROM graphile_worker.jobs WHERE id = $1";
        const [job] = (await pool.query(view, [id])).rows;
        if (!job) return { state: "completed", output: undefined };
        const isFailed = job.attempts === job.max_attempts && job.locked_at === null;
        return { state: isFailed ? "failed" : "active", output: job.last_error };
      },
      retry: (id) =>
        pool.query(
          "SELECT graphile_worker.reschedule_jobs(ARRAY[$1::bigint], run_at => now(), attempts => 0, max_attempts => 1)",
          [id],
        ),
    };
  },
  dbos: async () => {
    const { DBOS } = await load("@dbos-inc/dbos-sdk");
    const { receipt } = await load("./recipe.ts");
    return {
      add: async (data) => (await DBOS.startWorkflow(receipt)(data)).workflowID,
      look: async (id) => {
        const { status, output } = await DBOS.getWorkflowStatus(id);
        if (status === "SUCCESS") return { state: "completed", output };
        const failed = await DBOS.listWorkflows({ status: "ERROR" });
        const found = failed.find(({ workflowID }: { workflowID: string }) => workflowID === id);
        return found ? { state: "failed", output: found.error.message } : { state: status, output };
      },
      retry: (id) => DBOS.rewindWorkflow(id),
    };
  },
};

const name = process.argv[2] ?? "";
const queue = await queues[name]?.();
if (!queue) throw new Error("usage: queue-program.ts bullmq|pg-boss|graphile-worker|dbos");

const endOf = async (id: string): Promise<End> => {
  for (;;) {
    const { state, output } = await queue.look(id);
    if (state === "completed" || state === "failed") return { state, output };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** Adds a job and waits for its end. */
const deliver = async (order: string, phone = `+120655501${order}`) => {
  const requests = service.requests.length;
  const id = await queue.add({ order, phone });
  return { id, ...(await endOf(id)), requests: service.requests.length - requests };
};

service.failNext({ fault: "dropped" }); // The fake sends the message and drops the response.
const inDoubt = await deliver("10");
const ends = {
  inDoubt,
  sent: await deliver("11"),
  sentBefore: await deliver("11"),
  brokenRule: await deliver("12", "123"),
};
service.failNext({ status: 429, headers: { "retry-after": "0" }, times: 3 });
const limited = await deliver("13");

// The webhook of the message in doubt arrives.
const body = service.requests[0]?.body as { webhookUrl: string };
const ledger = postgresLedger(new Pool({ connectionString: process.env.DATABASE_URL }));
const states = ["sending", "unknown"] as const;
const doubts: string[] = [];
for await (const { key } of ledger.entries({ batch: "once", states })) doubts.push(key);
await ledger.confirm(new URL(body.webhookUrl).pathname.replace("/hooks/", ""));
await queue.retry(inDoubt.id);
const confirmed = await endOf(inDoubt.id);

const sent = service.outbox.map(({ to }) => to);
console.log(JSON.stringify({ ends: { ...ends, limited, confirmed }, doubts, sent }));
process.exit();
