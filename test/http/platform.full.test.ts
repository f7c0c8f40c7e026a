// How a client without the option `fetch` reaches the network in other processes, and in every major version of Node.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { installFixture } from "../support/fixture.ts";

const CHILD = new URL("../support/programs/default-adapter-child.ts", import.meta.url).pathname;
const run = promisify(execFile);

const programs = join(installFixture("runtimes"), "node_modules");
const NODES = [
  ["Node 22", join(programs, "node22/bin/node")],
  ["Node 24", process.execPath],
  ["Node 26", join(programs, "node26/bin/node")],
] as const;

const setup = (code: string) => ["--import", `data:text/javascript,${encodeURIComponent(code)}`];

test.each(NODES)(
  "in %s, an attempt goes to the process's dispatcher unless fetch was replaced or undici is unknown",
  async (_, node) => {
    const seen = async (args: readonly string[], env: Record<string, string> = {}) => {
      const options = { env: { ...process.env, ...env } };
      return (await run(node, [...args, CHILD], options)).stdout.trim();
    };
    expect(await seen([])).toBe("dispatcher");
    expect(
      await seen(setup("const { fetch } = globalThis; globalThis.fetch = (...a) => fetch(...a)")),
    ).toBe("fetch");
    expect(
      await seen(setup(`Object.defineProperty(process.versions, "undici", { value: "9.0.0" })`)),
    ).toBe("fetch");
    const permission = ["--permission", "--allow-fs-read=*"];
    // Node 24 has no permission for the network yet.
    const network = node.includes("26") ? ["--allow-net"] : [];
    expect(await seen([...permission, ...network])).toBe("dispatcher");
    // The proxy does not exist, so no request reaches the server.
    const proxy = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: "http://127.0.0.1:9", NO_PROXY: "" };
    expect(await seen([], proxy)).toMatch(node.includes("22") ? /./ : /^connection: not_sent$/);
  },
);
