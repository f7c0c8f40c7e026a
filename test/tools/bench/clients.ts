// `npm run bench`: measures the cost of the clients over raw `fetch` on loopback. All contenders take turns in one run.
// Writes the table of docs/performance.md.
import { fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { V2Client } from "messaging-service-client";
import { toTable, writeReport } from "../write-report.ts";
import { compare, ROUNDS, times } from "./compare.ts";
import { type Contender, contenders } from "./contenders.ts";

type Client = ReturnType<Contender["make"]>;

const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)));
const port = await new Promise<number>((resolve) => server.once("message", resolve as () => void));
const baseUrl = `http://127.0.0.1:${port}`;

const cases: readonly {
  readonly name: string;
  readonly target: number;
  readonly run: (client: Client) => Promise<unknown>;
}[] = [
  {
    name: "GET of an account",
    target: 1.1,
    run: ({ account }) => times(400, account),
  },
  {
    name: "POST of a send",
    target: 1.15,
    run: ({ send }) => times(400, send),
  },
  {
    name: "32 GETs in flight",
    target: 1.22,
    run: ({ account }) => Promise.all(Array.from({ length: 32 }, () => times(32, account))),
  },
  {
    name: "10,000 lists, 1000 a page",
    target: 1.15,
    // Some systems count CPU time in steps of 4 ms, which is too coarse for one walk.
    run: ({ countLists }) => times(5, () => countLists(1000)),
  },
  {
    name: "10,000 lists, 10 a page",
    target: 1.15,
    run: ({ countLists }) => countLists(10),
  },
];

const clients = contenders.map(({ make }) => make(baseUrl));
const names = contenders.map(({ name }) => name);
const rows = [["", ...names, "target"]];
for (const { name, target, run } of cases) {
  const ratios = await compare(
    "cpu",
    clients.map((client) => () => run(client)),
  );
  const cells = ratios.map((ratio) => ratio.toFixed(2));
  rows.push([name, ...cells, `≤ ${target.toFixed(2)}`]);
  console.log(rows.at(-1)?.join("  "));
}

const walk = (prefetch: boolean) => async () => {
  const v2 = new V2Client({ baseUrl, email: "owner@example.com", apiKey: "key" });
  for await (const _ of v2.lists.list({ per_page: 50 }, { prefetch }).pages()) await sleep(20);
};
const [, ahead = Number.NaN] = await compare("wall", [walk(false), walk(true)]);
server.disconnect();

const report = `Measured with Node ${process.version.slice(1)} on loopback: CPU time as a ratio to raw \`fetch\` in the same round, medians of ${ROUNDS} rounds.

${toTable(rows)}

With \`prefetch: true\`, a loop over 20 pages, each with 20 ms of latency and 20 ms of work, takes ${ahead.toFixed(2)} of the time without it
(target: ≤ 0.55).
`;
console.log(`\n${report}`);
writeReport("performance.md", "bench", report);
