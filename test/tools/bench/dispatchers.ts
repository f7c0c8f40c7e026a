// `npm run bench dispatchers`: measures the processor time of calls over dispatchers of undici, as ratios to raw `fetch` in the same run.
// Writes the table of docs/guides/proxies-tls-and-throughput.md.
import { type DispatcherLike, fetchFrom } from "messaging-service-client";
import { requireFixture } from "../../support/fixture.ts";
import { toTable, writeReport } from "../write-report.ts";
import { type Case, compareClients, PROCESSES, ROUNDS, times } from "./compare.ts";
import { type Contender, rawFetch, thisPackageWith } from "./contenders.ts";

const newAgent = (major: number): DispatcherLike => {
  const { Agent } = requireFixture("undici", `undici-${major}`);
  return new Agent();
};

/** Returns the dispatcher of Node's `fetch`, which Node creates when `fetch` is first used. */
const nodeDispatcher = (): DispatcherLike => {
  void Response;
  const key = Symbol.for("undici.globalDispatcher.1");
  return (globalThis as unknown as Record<symbol, DispatcherLike>)[key] as DispatcherLike;
};

const contenders: readonly Contender[] = [
  rawFetch,
  thisPackageWith("this package", undefined),
  ...[6, 7, 8].map((major) => thisPackageWith(`undici ${major}`, fetchFrom(newAgent(major)))),
  thisPackageWith("Node's own", fetchFrom(nodeDispatcher())),
];

const inFlight = (call: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: 32 }, () => times(60, call)));

const cases: readonly Case[] = [
  { name: "GET, one at a time", target: 0.75, run: ({ account }) => times(1600, account) },
  { name: "send, one at a time", target: 0.6, run: ({ send }) => times(1600, send) },
  { name: "GET, 32 in flight", target: 0.5, run: ({ account }) => inFlight(account) },
  { name: "send, 32 in flight", target: 0.3, run: ({ send }) => inFlight(send) },
];

const rows = await compareClients(contenders, cases);

const report = `Measured with Node ${process.version.slice(1)}, processor time of the main thread, medians of ${PROCESSES} processes with ${ROUNDS} rounds each, in which
the contenders take turns. "this package" calls \`fetch\`; the columns after it pass an \`Agent\`, or the dispatcher of Node itself, to
\`fetchFrom\`.

${toTable(rows)}`;
console.log(`\n${report}`);
writeReport("guides/proxies-tls-and-throughput.md", "bench-dispatchers", report);
