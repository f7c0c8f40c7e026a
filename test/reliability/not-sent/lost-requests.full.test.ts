// Bun and Deno resend some requests below `fetch` and report only the last failure.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../docs/pages.ts";
import { installFixture } from "../../support/fixture.ts";
import {
  type CallEnd,
  type LostRequest,
  type Way,
  ways,
} from "../../support/programs/lost-requests.ts";
import { listen } from "../../support/servers/listen.ts";
import { startWorkerd } from "../../support/servers/workerd.ts";
import { testLostRequests } from "./lost-request-tests.ts";

const PROGRAM = new URL("../../support/programs/lost-requests.ts", import.meta.url).pathname;
const runtimes = join(installFixture("runtimes"), "node_modules");
const folder = mkdtempSync(join(tmpdir(), "lost-requests-"));

/** Selects the web platform in place of the condition `node`, which workers do not have. */
const forTheWeb: Plugin = {
  name: "web",
  setup({ onResolve }) {
    onResolve({ filter: /\/platform\.ts$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path).replace(/\.ts$/, "-web.ts"),
    }));
  },
};

const bundle = async (name: string, contents: string, plugins: readonly Plugin[] = []) => {
  const outfile = join(folder, name);
  await build({
    stdin: {
      contents: `import { loseRequests } from ${JSON.stringify(PROGRAM)};${contents}`,
      resolveDir: folder,
    },
    outfile,
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "error",
    tsconfigRaw: {},
    plugins: [...plugins],
  });
  return outfile;
};

let program: string;
let workerd: Awaited<ReturnType<typeof startWorkerd>> | undefined;
beforeAll(async () => {
  program = await bundle(
    "program.mjs",
    "const given = JSON.parse(process.argv[2]); console.log(JSON.stringify(await loseRequests(...given)));",
  );
  const worker = await bundle(
    "worker.mjs",
    "export default { fetch: async (request) => Response.json(await loseRequests(...(await request.json()))) };",
    [forTheWeb],
  );
  // undici sets its dispatcher in Deno, too, whose `fetch` ignores it.
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(
    join(folder, "beside-undici.mjs"),
    `import "undici"; await import(${JSON.stringify(program)});`,
  );
  workerd = await startWorkerd(worker, "2026-10-01");
});
afterAll(() => {
  workerd?.close();
  rmSync(folder, { recursive: true });
});

const DENO = [join(runtimes, ".bin/deno"), "run", "--no-prompt", "--no-lock"];
const COMMANDS = {
  Bun: [join(runtimes, ".bin/bun"), "run"],
  Deno: [...DENO, "--allow-net=127.0.0.1"],
  "Deno beside undici": [...DENO, "--node-modules-dir=manual", "--allow-all"],
} as const;

const runIn =
  (name: keyof typeof COMMANDS) =>
  async (...given: [readonly LostRequest[], Way?]): Promise<readonly CallEnd[]> => {
    const [command = "", ...args] = COMMANDS[name];
    const file = name === "Deno beside undici" ? join(folder, "beside-undici.mjs") : program;
    const all = [...args, file, JSON.stringify(given)];
    return JSON.parse((await promisify(execFile)(command, all)).stdout);
  };

testLostRequests({ name: "Bun", run: runIn("Bun") });
for (const name of ["Deno", "Deno beside undici"] as const) {
  testLostRequests({ name, run: runIn(name), repeatsStrings: true });
}
testLostRequests({
  name: "workerd",
  run: async (...given) => {
    const response = await fetch(`${workerd?.url}`, {
      method: "POST",
      body: JSON.stringify(given),
    });
    return (await response.json()) as readonly CallEnd[];
  },
});

// A `Request` does not keep the option with which the client prevents the repeat.
test.each(ways.filter((way) => !/Request|ky/.test(way)))(
  "the 404 after a lost removal in Bun is no refusal, because only the client itself repeats it, over %s",
  async (way) => {
    const reads: string[] = [];
    await using server = await listen(
      createServer((socket) => {
        socket.on("data", (bytes) => {
          const [line = ""] = String(bytes).split("\r\n");
          if (line.startsWith("DELETE")) reads.push(line);
          if (reads.length === 1) socket.destroy();
          else {
            const status = reads.length === 0 ? "200 OK" : "404 Not Found";
            socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
          }
        });
      }),
    );
    const baseUrl = `http://127.0.0.1:${server.port}`;
    const [end] = await runIn("Bun")([{ baseUrl, way, call: "DELETE" }]);
    expect(end).toEqual({ outcome: "unknown", attempts: 2, status: 404 });
    expect(reads).toHaveLength(2);
  },
);

describe("a status that HTTP does not know as the end of a request", () => {
  test.each([
    ["Deno", 101],
    ["Bun", 99],
  ] as const)("a send in %s that ends with %d may have been done", async (name, status) => {
    let reads = 0;
    await using server = await listen(
      createServer((socket) => {
        socket.on("data", (bytes) => {
          const isWarm = String(bytes).includes("/warm");
          if (!isWarm) reads += 1;
          const head = isWarm
            ? "200 OK\r\ncontent-length: 0"
            : `${`${status}`.padStart(3, "0")} Odd\r\ncontent-length: 0`;
          socket.write(`HTTP/1.1 ${head}\r\n\r\n`);
        });
      }),
    );
    const [end] = await runIn(name)([
      { baseUrl: `http://127.0.0.1:${server.port}`, way: "the default", call: "POST with a body" },
    ]);
    expect(end).toEqual({ outcome: "unknown", attempts: 1, status });
    expect(reads).toBe(1);
  });
});
