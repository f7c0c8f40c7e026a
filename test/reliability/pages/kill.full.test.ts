import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleProgram } from "../../support/bundle.ts";
import { list } from "../../support/calls.ts";
import { askedOf, changingList, upTo } from "../../support/pages.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

/** Requests that cause a kill, by number, and the delay of the kill after the response in milliseconds. 0 kills before it. */
const KILLS = new Map([
  [2, 0],
  [3, 1],
  [5, 4],
  [8, 0],
  [9, 2],
  [12, 8],
]);

test("a job that stores page.next survives SIGKILL at any moment while the list changes, and does nothing after it has finished", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pages-kill-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const records = changingList(upTo(120));
  records.beforePage(3, (ids) => ids.filter((id) => id > 7));
  records.beforePage(5, (ids) => [1001, 1002, 1003, ...ids]);
  records.beforePage(8, (ids) => ids.filter((id) => id % 20 !== 0));

  let requests = 0;
  let kill = () => {};
  await using server = await startLoopback(async (exchange) => {
    requests += 1;
    const afterMs = KILLS.get(requests);
    if (afterMs === 0) return kill();
    const body = records.respond(askedOf(exchange.request.url)) as { lists: { id: number }[] };
    const lists = body.lists.map(({ id }) => ({ ...list.list, id }));
    // `kill` still refers to this process, so a late timer cannot kill the next one.
    if (afterMs !== undefined) setTimeout(kill, afterMs);
    return respond(200, { ...body, lists })(exchange);
  });

  const source = new URL("../../support/programs/walk-child.ts", import.meta.url).pathname;
  const script = await bundleProgram(source, folder);
  const runJob = async () => {
    const child = spawn(process.execPath, [script, server.baseUrl, folder], {
      stdio: ["ignore", "ignore", "inherit"],
      timeout: 60_000,
    });
    kill = () => void child.kill("SIGKILL");
    const [code, signal] = await once(child, "exit");
    return { code, signal };
  };
  let kills = 0;
  for (;;) {
    const { code, signal } = await runJob();
    if (signal !== "SIGKILL") {
      expect(code).toBe(0);
      break;
    }
    kills += 1;
  }
  expect(kills).toBeGreaterThanOrEqual(2);

  const file = readFileSync(join(folder, "saved.jsonl"), "utf8");
  const requestsBefore = requests;
  expect(await runJob()).toEqual({ code: 0, signal: null });
  expect(readFileSync(join(folder, "saved.jsonl"), "utf8")).toBe(file);
  expect(requests).toBe(requestsBefore);

  const lines = file.trimEnd().split("\n");
  const saved = lines.map((line) => JSON.parse(line) as { page: number; ids: number[] });
  // A job that continues may read records again.
  const ids = new Set(saved.flatMap(({ ids }) => ids));
  const stayed = records.now().filter((id) => id < 1000);
  expect([...ids].filter((id) => stayed.includes(id))).toEqual(stayed);
}, 120_000);
