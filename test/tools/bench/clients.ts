// `npm run bench clients`: measures the cost of the clients over raw `fetch` on loopback. All contenders take turns in one run.
// Writes the table of docs/performance.md. `-- --peers FOLDER` also measures the SDKs that are installed in a folder.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { V2Client } from "messaging-service-client";
import { toTable, writeReport } from "../write-report.ts";
import {
  type Case,
  compare,
  compareClients,
  inFlight,
  PROCESSES,
  ROUNDS,
  startServer,
  times,
} from "./compare.ts";
import { contenders } from "./contenders.ts";
import { loadPeers } from "./peers.ts";

const cases: readonly Case[] = [
  { name: "GET of an account", run: ({ account }) => times(1600, account) },
  { name: "POST of a send", run: ({ send }) => times(1600, send) },
  { name: "32 GETs in flight", run: ({ account }) => inFlight(account) },
  { name: "32 sends in flight", run: ({ send }) => inFlight(send) },
  {
    name: "10,000 lists, 1000 a page",

    run: ({ countLists }) => times(6, () => countLists(1000)),
  },
  {
    name: "10,000 lists, 10 a page",

    run: ({ countLists }) => times(2, () => countLists(10)),
  },
];

const { values } = parseArgs({ options: { peers: { type: "string" } } });
const peers = values.peers === undefined ? [] : await loadPeers(values.peers);

const rows = await compareClients([...contenders, ...peers], cases);

const { baseUrl, stop } = await startServer();
const walk = (prefetch: boolean) => async () => {
  const v2 = new V2Client({ baseUrl, email: "owner@example.com", apiKey: "key" });
  for await (const _ of v2.lists.list({ per_page: 50 }, { prefetch }).pages()) await sleep(20);
};
const [, ahead = Number.NaN] = await compare("wall", [walk(false), walk(true)]);
stop();

const rowsOfOthers = rows.map(([name = "", , ...ratios]) => [name, ...ratios]);
const report = `Measured with Node ${process.version.slice(1)} on loopback: CPU time as a ratio to raw \`fetch\` in the same round, medians of ${PROCESSES}
processes with ${ROUNDS} rounds each. The floor is \`undici.request\` and \`JSON.parse\`.

${toTable(rowsOfOthers)}

With \`prefetch: true\`, a loop over 20 pages, each with 20 ms of latency and 20 ms of work, takes ${ahead.toFixed(2)} of the time without it.
`;
console.log(`\n${report}`);
writeReport("performance.md", "bench", report);
