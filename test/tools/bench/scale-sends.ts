// Measures how many sends several processes make together over one Postgres, with latency to the database and to the service.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpus } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { TransactionalClient } from "messaging-service-client";
import { postgresLedger, sendMany } from "messaging-service-client/bulk";
import { requireFixture } from "../../support/fixture.ts";
import { startLateProxy } from "../../support/servers/late-proxy.ts";

export const LATENCY_MS = 20;
/** Number of concurrent items of a process. It has a connection for each item, and one for the item that it looks up ahead. */
export const UNDER_WAY = 16;
/** Time until every process runs at full speed. */
const WARM_UP_MS = 3_000;

/** Sends until it is told to stop. Prints how many sends it has made since the warm-up. */
const send = async (port: number, seconds: number): Promise<void> => {
  const { Pool } = requireFixture("first-ring", "pg");
  const server = { host: "127.0.0.1", port, user: "postgres", database: "postgres" };
  const pool = new Pool({ ...server, max: UNDER_WAY + 1 });
  const rcs = new TransactionalClient({
    baseUrl: "https://rcs.example.com",
    apiKey: "key",
    fetch: async () => {
      await sleep(LATENCY_MS);
      return Response.json({ message: "Accepted", transactionId: "t-1" }, { status: 202 });
    },
  });
  function* messages() {
    for (let index = 0; ; index += 1) {
      yield {
        phoneNumber: `+1206${2_000_000 + index}`,
        webhookUrl: "https://example.com/webhooks/messages",
        rcsPayload: { text: "Your table is ready" },
        smsFailover: "Your table is ready",
      };
    }
  }
  // Opens every connection.
  await Promise.all(Array.from({ length: UNDER_WAY }, () => pool.query("SELECT pg_sleep(0.5)")));
  console.log("ready");
  await once(process.stdin, "data");
  const stop = new AbortController();
  const state = { accepted: 0, cpu: process.cpuUsage() };
  const ledger = postgresLedger(pool);
  const run = sendMany(rcs, messages(), {
    ...{ batch: `sends of ${process.pid}`, ledger, concurrency: UNDER_WAY, stop: stop.signal },
    onProgress: ({ accepted }) => {
      state.accepted = accepted;
    },
  });
  await sleep(WARM_UP_MS);
  const [before, cpuBefore] = [state.accepted, process.cpuUsage()];
  await sleep(seconds * 1_000);
  const [accepted, cpu] = [state.accepted - before, process.cpuUsage(cpuBefore)];
  stop.abort();
  const { stopped, error } = await run;
  if (stopped !== "signal") throw new Error(`the run stopped: ${stopped}`, { cause: error });
  await pool.end();
  console.log(JSON.stringify({ accepted, cpuMs: (cpu.user + cpu.system) / 1_000 }));
};

/** Returns the used and the total processor time of this machine in milliseconds. */
const cpuTimes = () => {
  const times = cpus().map(({ times }) => times);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  const all = times.reduce(
    (sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq,
    0,
  );
  return { used: all - idle, all };
};

/** Lets processes send over the database on a port. Resolves to a row of the table. */
export const measureSends = async (
  port: number,
  processes: number,
  seconds: number,
): Promise<string[]> => {
  await using proxy = await startLateProxy(port, () => sleep(LATENCY_MS));
  const senders = [];
  while (senders.length < processes) {
    const child = spawn(process.execPath, [import.meta.filename, `${proxy.port}`, `${seconds}`], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const input = child.stdout as NodeJS.ReadableStream;
    const lines = createInterface({ input })[Symbol.asyncIterator]();
    await lines.next();
    senders.push({ child, lines });
  }
  for (const { child } of senders) child.stdin?.write("go\n");
  await sleep(WARM_UP_MS);
  const before = cpuTimes();
  await sleep(seconds * 1_000);
  const after = cpuTimes();
  let [accepted, cpuMs] = [0, 0];
  for (const { child, lines } of senders) {
    const { value } = await lines.next();
    const done: { accepted: number; cpuMs: number } = JSON.parse(value ?? "");
    accepted += done.accepted;
    cpuMs += done.cpuMs;
    child.stdin?.end();
  }
  const busy = (after.used - before.used) / (after.all - before.all);
  const row = [
    `${processes}`,
    (accepted / seconds).toFixed(0),
    `${(100 * busy).toFixed(0)} % of ${cpus().length}`,
    (cpuMs / accepted).toFixed(2),
  ];
  console.log(row.join(" | "));
  return row;
};

if (process.argv[1] === import.meta.filename) {
  await send(Number(process.argv[2]), Number(process.argv[3]));
}
