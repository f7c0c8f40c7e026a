// Runs `recipe.ts` with a queue: `node queue-program.ts bullmq|pg-boss PORT`. Prints what was sent and how the jobs ended.
import { preamble } from "../../docs/preamble.ts";

const [, , queue = "", port = ""] = process.argv;
const world = preamble();
const { service, message } = world;
const orders = ["1", "2", "2", "3"];
const dataOf = (order: string) => ({
  order,
  message: { ...message, phoneNumber: `+1206200000${order}` },
});
// The fake sends the message and drops the response.
service.failNext({ fault: "dropped" });

/** Loads a package that only the folder of this program has. */
const load = (name: string) => import(name);
const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

/** Adds the jobs and resolves to their results. */
const run: Readonly<Record<string, () => Promise<unknown[]>>> = {
  bullmq: async () => {
    const { Queue } = await load("bullmq");
    const connection = { host: "127.0.0.1", port: Number(port) };
    Object.assign(globalThis, world, { connection });
    await load("./recipe.ts");
    const receipts = new Queue("receipts", { connection });
    const jobs = [];
    for (const order of orders) {
      jobs.push(await receipts.add("receipt", dataOf(order), { attempts: 5 }));
    }
    const ends: string[] = [];
    for (const job of jobs) {
      let state = await job.getState();
      for (; !["completed", "failed"].includes(state); state = await job.getState()) await pause();
      ends.push(state);
    }
    return ends;
  },
  "pg-boss": async () => {
    const { PgBoss } = await load("pg-boss");
    const { default: pg } = await load("pg");
    const settings = {
      host: "127.0.0.1",
      port: Number(port),
      user: "postgres",
      database: "postgres",
    };
    const boss = new PgBoss(settings);
    await boss.start();
    Object.assign(globalThis, world, { boss, pool: new pg.Pool(settings) });
    await load("./recipe.ts");
    const ids = [];
    for (const order of orders) ids.push(await boss.send("receipts", dataOf(order)));
    const ends: unknown[] = [];
    for (const id of ids) {
      let job = await boss.getJobById("receipts", id);
      for (; job.state !== "completed"; job = await boss.getJobById("receipts", id)) await pause();
      ends.push(job.output);
    }
    return ends;
  },
};

const ends = await run[queue]?.();
console.log(JSON.stringify({ sent: service.outbox.map(({ to }) => to).toSorted(), ends }));
process.exit();
