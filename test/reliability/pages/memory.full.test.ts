import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { bundleProgram } from "../../support/bundle.ts";
import { list } from "../../support/calls.ts";
import { newMemoryFolder } from "../../support/memory-folder.ts";
import { askedOf } from "../../support/pages.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

const ITEMS = 50_000;
const PER_PAGE = 1000;

/** Maximum growth of the heap in bytes. Keeping 50,000 lists takes several times as much. */
const BOUND = 8 * 1024 * 1024;

const folder = newMemoryFolder("pages-memory-");
afterAll(() => rmSync(folder, { recursive: true }));
const SOURCE = new URL("../../support/programs/walk-memory-child.ts", import.meta.url).pathname;
const script = await bundleProgram(SOURCE, folder);

const walkInProcess = async (baseUrl: string, how: string) => {
  const child = spawn(process.execPath, ["--expose-gc", script, baseUrl, how], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 100_000,
  });
  let written = "";
  child.stdout.on("data", (text) => {
    written += text;
  });
  expect(await once(child, "exit")).toEqual([0, null]);
  return JSON.parse(written) as { count: number; heaps: number[] };
};

test.each([
  ["items", true],
  ["items, prefetch", true],
  ["pages", true],
  ["items of a page", true],
  ["everything kept", false],
])(
  "a walk over 50,000 lists takes constant memory: %s (%s)",
  async (how, isConstant) => {
    await using server = await startLoopback((exchange) => {
      const { page } = askedOf(exchange.request.url);
      const lists = Array.from({ length: PER_PAGE }, (_, index) => {
        const id = (page - 1) * PER_PAGE + index + 1;
        return { ...list.list, id, name: `List ${id}` };
      });
      const pages_count = ITEMS / PER_PAGE;
      const body = { status: "OK", page, per_page: PER_PAGE, count: ITEMS, pages_count, lists };
      return respond(200, body)(exchange);
    });
    const { count, heaps } = await walkInProcess(server.baseUrl, how);
    expect(count).toBe(ITEMS);
    expect(server.requests).toHaveLength(ITEMS / PER_PAGE);
    // After a tenth of the walk, all code is loaded and compiled.
    const [, warm = 0, ...later] = heaps;
    expect(later.length).toBeGreaterThan(10);
    const grown = Math.max(...later) - warm;
    if (isConstant) expect(grown).toBeLessThan(BOUND);
    // Proves that the test would detect growth.
    else expect(grown).toBeGreaterThan(BOUND);
  },
  120_000,
);
