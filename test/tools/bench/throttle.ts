// `npm run bench throttle`: measures whether the cost of the queue depends on its length, and whether a service in a second
// process ever refuses a call. Writes its part of docs/performance.md.
import { createThrottle } from "messaging-service-client";
import { type Caller, runCaller } from "../../support/servers/window-server.ts";
import { writeReport } from "../write-report.ts";

const ROUNDS = 7;
const RUNS = 10;
const LIMIT = 120;
const INTERVAL = 3000;
const SHORT = 4_000;
const LONG = 40_000;
/** Time in milliseconds for which the throttle is held, long enough for every call to join the queue. */
const HOLD_MS = 1_000;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Returns microseconds per call for a queue of this length. All calls join, every second leaves, the others are admitted. */
const queueCost = async (length: number): Promise<number> => {
  const throttle = createThrottle({ limit: length, interval: 3_600_000 });
  throttle.holdUntil(Date.now() + HOLD_MS);
  const cpu = process.threadCpuUsage();
  const controllers = Array.from({ length }, () => new AbortController());
  const calls = controllers.map(({ signal }) => throttle.acquire({ signal }));
  for (const [index, controller] of controllers.entries()) if (index % 2) controller.abort();
  await Promise.allSettled(calls);
  const { user, system } = process.threadCpuUsage(cpu);
  return (user + system) / length;
};

const costs: Record<number, number[]> = { [SHORT]: [], [LONG]: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  for (const length of [SHORT, LONG]) costs[length]?.push(await queueCost(length));
}
const [short, long] = [median(costs[SHORT] ?? []), median(costs[LONG] ?? [])];

const refusalsOf = async (caller: Caller) => {
  let [refused, tightestMs] = [0, Number.POSITIVE_INFINITY];
  for (let run = 0; run < RUNS; run += 1) {
    const counts = await runCaller(caller, LIMIT, INTERVAL);
    refused += counts.refused;
    tightestMs = Math.min(tightestMs, counts.tightestMs);
  }
  return { refused, tightestMs: Math.floor(tightestMs) };
};

const [idle, busy] = [await refusalsOf("idle"), await refusalsOf("busy")];
const report = `The length of the queue matters little. In a queue of ${LONG.toLocaleString("en")} calls, each wait costs ${(long / short).toFixed(2)} times as much CPU time as in a
queue of ${SHORT.toLocaleString("en")} (medians of ${ROUNDS} rounds; half of the calls are aborted in the queue).

A service in a separate process refuses every request beyond ${LIMIT} in any ${INTERVAL} ms of its own clock. A client makes ${2 * LIMIT}
calls at once, ${RUNS} times with an idle and ${RUNS} times with a busy event loop: ${idle.refused} and ${busy.refused} were refused, and ${LIMIT + 1} requests took
at least ${idle.tightestMs} and ${busy.tightestMs} ms.
`;
console.log(report);
writeReport("performance.md", "bench-throttle", report);
