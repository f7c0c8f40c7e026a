// Compressed files in Deno, whose fetch decodes them only if the request does not ask for identity alone.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { installFixture } from "../support/fixture.ts";
import { linkTo, serve } from "../support/servers/file-host.ts";
import { startLoopback } from "../support/servers/loopback.ts";

const run = promisify(execFile);
const SOURCE = new URL("../../src/reports/index.ts", import.meta.url).pathname;
const PROGRAM = `
  import { downloadReport } from ${JSON.stringify(SOURCE)};
  const file = await downloadReport({ s3_url: process.argv[2] });
  console.log(await file.text());
`;

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
])(
  "downloadReport decodes a file that is stored with the coding %s in Deno",
  { timeout: 300_000 },
  async (coding, compress) => {
    const deno = join(installFixture("runtimes"), "node_modules/.bin/deno");
    const stdin = { contents: PROGRAM, resolveDir: import.meta.dirname };
    const options = { bundle: true, format: "esm", platform: "node", write: false } as const;
    const { outputFiles } = await build({ stdin, ...options });
    const folder = mkdtempSync(join(tmpdir(), "deno-reports-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const program = join(folder, "program.mjs");
    writeFileSync(program, outputFiles[0]?.contents ?? "");
    const headers = { "content-encoding": coding };
    await using host = await startLoopback(serve(compress(Buffer.from("a,b")), { headers }));
    const { stdout } = await run(deno, [
      "run",
      "--no-prompt",
      "--allow-net",
      program,
      linkTo(host),
    ]);
    expect(stdout).toBe("a,b\n");
  },
);
