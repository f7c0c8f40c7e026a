import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type Responder, startLoopback } from "../support/servers/loopback.ts";

const TEN_GB = 10_000_000_000;
/** Allowed growth in bytes: a few pieces of the file, and pieces that are not collected yet. */
const BOUND = 100_000_000;

const downloadInProcess = async (link: string, size: number) => {
  const script = new URL("../support/programs/download-memory-child.ts", import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--expose-gc", script, link, String(size)],
    { timeout: 240_000 },
  );
  return JSON.parse(stdout) as { received: number; used: number[] };
};

const expectConstant = ([first = 0, ...others]: readonly number[]) => {
  expect(others.length).toBeGreaterThan(3);
  expect(Math.max(...others)).toBeLessThan(first + BOUND);
};

test("a download of ten gigabytes takes constant memory", async () => {
  const { received, used } = await downloadInProcess("https://files.example.com/7.csv", TEN_GB);
  expect(received).toBe(TEN_GB);
  expectConstant(used);
}, 300_000);

/** Sends the given number of zeros as fast as they are read. */
const pour =
  (size: number): Responder =>
  ({ response }) => {
    const piece = Buffer.alloc(100_000);
    response.writeHead(200, { "content-length": size });
    let left = size;
    const more = () => {
      while (left > 0) {
        left -= piece.length;
        if (!response.write(piece)) return;
      }
      response.end();
    };
    response.on("drain", more);
    more();
  };

test("a download of a large file over a real connection takes constant memory", async () => {
  const size = 600_000_000;
  await using host = await startLoopback(pour(size));
  const { received, used } = await downloadInProcess(`${host.baseUrl}/7.csv`, size);
  expect(received).toBe(size);
  expectConstant(used);
}, 300_000);
