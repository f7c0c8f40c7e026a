// Environment variables in Deno, where reading them requires a permission.
import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { installFixture } from "../../support/fixture.ts";

const run = promisify(execFile);
const SOURCE = new URL("../../../src/index.ts", import.meta.url).pathname;
const SECRET = "sk-9d2f71aa40";
const PROGRAM = `
  import { TransactionalClient, V2Client } from ${JSON.stringify(SOURCE)};
  for (const Client of [V2Client, TransactionalClient]) {
    try {
      new Client();
      console.log("created");
    } catch (error) {
      console.log(error.name + ": " + error.message);
    }
  }
  new V2Client({ baseUrl: "https://app.example.com", email: "owner@example.com", apiKey: "given" });
`;

let deno: string;
const program = join(mkdtempSync(join(tmpdir(), "deno-environment-")), "program.mjs");
beforeAll(async () => {
  deno = join(installFixture("runtimes"), "node_modules/.bin/deno");
  const stdin = { contents: PROGRAM, resolveDir: import.meta.dirname };
  const { outputFiles } = await build({ stdin, bundle: true, format: "esm", write: false });
  writeFileSync(program, outputFiles[0]?.contents ?? "");
});

const V2_VARIABLES = ["MESSAGING_V2_BASE_URL", "MESSAGING_V2_EMAIL", "MESSAGING_V2_API_KEY"];
const RCS_VARIABLES = ["MESSAGING_TRANSACTIONAL_BASE_URL", "MESSAGING_TRANSACTIONAL_API_KEY"];
const VARIABLES = [...V2_VARIABLES, ...RCS_VARIABLES];

/** Runs the program with all variables set, and returns a line for each client. */
const linesWith = async (permission: readonly string[], set = true): Promise<string[]> => {
  const { PATH, HOME } = process.env;
  const values = VARIABLES.map((name) => [
    name,
    name.endsWith("URL") ? "https://app.example.com" : SECRET,
  ]);
  const env = { PATH, HOME, NO_COLOR: "1", ...(set && Object.fromEntries(values)) };
  const { stdout } = await run(deno, ["run", "--no-prompt", ...permission, program], { env });
  return stdout.trim().split("\n");
};

const forbidden = (name: string) =>
  `allow the program to read ${name} (Deno: --allow-env), which the runtime forbids`;
const toSet = (name: string) => `set ${name}`;

describe("environment variables in Deno", () => {
  test.each<[how: string, permission: string[], remedyOf: (name: string) => string]>([
    ["without --allow-env", [], forbidden],
    ["with --allow-env for other variables", ["--allow-env=HOME"], forbidden],
    ["with --deny-env", ["--deny-env", "--allow-read"], forbidden],
    [
      "with --allow-env for one of them",
      ["--allow-env=MESSAGING_V2_EMAIL"],
      (name) => (name === "MESSAGING_V2_EMAIL" ? "" : forbidden(name)),
    ],
  ])("%s, the error says that the variables may not be read", async (_, permission, remedyOf) => {
    const lines = await linesWith(permission);
    expect(lines).toHaveLength(2);
    for (const [index, names] of [V2_VARIABLES, RCS_VARIABLES].entries()) {
      expect(lines[index]).toMatch(/^TypeError: option `baseUrl` is missing/);
      for (const name of names) expect(lines[index]).toContain(remedyOf(name));
      expect(lines[index]).not.toMatch(/or set |requires env access/i);
      expect(lines[index]).not.toContain(SECRET);
    }
  });

  test("with --allow-env, the variables are read", async () => {
    expect(await linesWith(["--allow-env"])).toEqual(["created", "created"]);
    expect(await linesWith([`--allow-env=${VARIABLES.join(",")}`])).toEqual(["created", "created"]);
  });

  test("with --allow-env, the error names the variables to set", async () => {
    const [v2, rcs] = await linesWith(["--allow-env"], false);
    for (const name of V2_VARIABLES) expect(v2).toContain(toSet(name));
    for (const name of RCS_VARIABLES) expect(rcs).toContain(toSet(name));
  });
});
