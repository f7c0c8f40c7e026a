// `npm run bench dispatchers`: measures the processor time of calls over dispatchers of undici, as ratios to raw `fetch` in the same run.
// Writes the table of docs/guides/proxies-tls-and-throughput.md.
import { type FetchLike, fetchFrom } from "messaging-service-client";
import type { DispatcherLike } from "../../../src/http/dispatcher.ts";
import { requireFixture } from "../../support/fixture.ts";
import { toTable, writeReport } from "../write-report.ts";
import { type Case, compareClients, inFlight, PROCESSES, ROUNDS, times } from "./compare.ts";
import { rawFetch, thisPackageWith } from "./contenders.ts";

const newAgent = (major: number): DispatcherLike => {
  const { Agent } = requireFixture("first-ring", `undici-${major}`);
  return new Agent();
};

/** Returns the dispatcher of Node's `fetch`, which Node creates when `fetch` is first used. */
const nodeDispatcher = (): DispatcherLike => {
  void Response;
  const key = Symbol.for("undici.globalDispatcher.1");
  return (globalThis as unknown as Record<symbol, DispatcherLike>)[key] as DispatcherLike;
};

/** Creates the `fetch` option of each column. */
const FETCH: Readonly<Record<string, () => FetchLike | undefined>> = {
  "this package": () => undefined,
  "Node's own": () => fetchFrom(nodeDispatcher()),
  "undici 6": () => fetchFrom(newAgent(6)),
  "undici 7": () => fetchFrom(newAgent(7)),
  "undici 8": () => fetchFrom(newAgent(8)),
};

const cases: readonly Case[] = [
  { name: "GET, one at a time", target: 0.75, run: ({ account }) => times(1600, account) },
  { name: "send, one at a time", target: 0.6, run: ({ send }) => times(1600, send) },
  { name: "GET, 32 in flight", target: 0.5, run: ({ account }) => inFlight(account) },
  { name: "send, 32 in flight", target: 0.3, run: ({ send }) => inFlight(send) },
];

// An application has one dispatcher: code that serves several is slower. A process therefore measures one, beside raw `fetch`.
const chosen = process.send && process.argv[2];
const tables: string[][][] = [];
for (const [name, create] of Object.entries(FETCH)) {
  if (chosen !== undefined && chosen !== name) continue;
  const contenders = [rawFetch, thisPackageWith(name, create())];
  tables.push(await compareClients(contenders, cases, [name]));
}
const [first = []] = tables;
const rows = first.map(([name = "", raw = "", , target = ""], index) => [
  ...[name, raw],
  ...tables.map((table) => table[index]?.[2] ?? ""),
  target,
]);

const report = `Measured with Node ${process.version.slice(1)}, processor time of the main thread, medians of ${PROCESSES} processes for each column with
${ROUNDS} rounds each, in which raw \`fetch\` and the column take turns. "this package" has no option \`fetch\`; the columns after it
pass the dispatcher of Node itself, or an \`Agent\`, to \`fetchFrom\`.

${toTable(rows)}`;
console.log(`\n${report}`);
writeReport("guides/proxies-tls-and-throughput.md", "bench-dispatchers", report);
