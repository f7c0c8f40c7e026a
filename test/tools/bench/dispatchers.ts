// `npm run bench dispatchers`: measures the processor time of calls over dispatchers of undici, as ratios to raw `fetch` in the same run.
// Writes the table of docs/guides/proxies-tls-and-throughput.md.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type DispatcherLike, fetchFrom } from "messaging-service-client";
import { requireFixture } from "../../support/fixture.ts";
import { toTable, writeReport } from "../write-report.ts";
import { compare, ROUNDS, times } from "./compare.ts";
import { type Contender, rawFetch, thisPackageWith } from "./contenders.ts";

type Client = ReturnType<Contender["make"]>;

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
  Promise.all(Array.from({ length: 32 }, () => times(16, call)));

const cases: readonly {
  readonly name: string;
  readonly target: number;
  readonly run: (client: Client) => Promise<unknown>;
}[] = [
  { name: "GET, one at a time", target: 0.75, run: ({ account }) => times(400, account) },
  { name: "send, one at a time", target: 0.6, run: ({ send }) => times(400, send) },
  { name: "GET, 32 in flight", target: 0.5, run: ({ account }) => inFlight(account) },
  { name: "send, 32 in flight", target: 0.3, run: ({ send }) => inFlight(send) },
];

const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)));
const port = await new Promise<number>((resolve) => server.once("message", resolve as () => void));
const clients = contenders.map(({ make }) => make(`http://127.0.0.1:${port}`));

const rows = [["", ...contenders.map(({ name }) => name), "target"]];
for (const { name, target, run } of cases) {
  const ratios = await compare(
    "cpu",
    clients.map((client) => () => run(client)),
  );
  rows.push([name, ...ratios.map((ratio) => ratio.toFixed(2)), `≤ ${target.toFixed(2)}`]);
  console.log(rows.at(-1)?.join("  "));
}

const report = `Measured with Node ${process.version.slice(1)}, processor time of the main thread, medians of ${ROUNDS} rounds in which the contenders take
turns. "this package" calls \`fetch\`; the columns after it pass an \`Agent\`, or the dispatcher of Node itself, to \`fetchFrom\`.

${toTable(rows)}`;
console.log(`\n${report}`);
writeReport("guides/proxies-tls-and-throughput.md", "bench-dispatchers", report);

server.disconnect();
// Agents keep their connections for a while.
process.exit();
