// Follows the docs as a stranger does: pastes each block of code into a file of an application with the packed package, and runs it as it is.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import getPort from "get-port";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { type CodeBlock, codeBlocksOf, pages, readPage, SETUP, STATUS_OF } from "../docs/pages.ts";
import { installFixture } from "../support/fixture.ts";

/** Packages that blocks import, by the folder of tests that has them. */
const PACKAGES = {
  "": ["undici", "p-throttle", "rate-limiter-flexible"],
  "first-ring": ["@opentelemetry"],
};

/** Folders of the tests that run a whole file of `examples`, and a recipe for a server or an engine. */
const RUN_ELSEWHERE =
  /^(file: examples\/|not run: |not checked: test\/bulk\/|not checked: .*agents\.full\.test)/;

const ROOT = new URL("../../", import.meta.url).pathname;

describe("a stranger who pastes the code blocks of the docs", () => {
  const folder = mkdtempSync(join(tmpdir(), "paste-"));
  const blocks = pages.flatMap(codeBlocksOf);
  const pasted = blocks.filter(({ mark }) => !RUN_ELSEWHERE.test(mark));

  beforeAll(() => {
    const modules = join(folder, "node_modules");
    cpSync(join(inject("application"), "node_modules"), modules, { recursive: true });
    for (const [fixture, names] of Object.entries(PACKAGES)) {
      const source = fixture === "" ? ROOT : installFixture(fixture);
      for (const name of names) {
        mkdirSync(dirname(join(modules, name)), { recursive: true });
        symlinkSync(join(source, "node_modules", name), join(modules, name));
      }
    }
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(folder, "setup.ts"), SETUP);
    writeFileSync(join(folder, "status-of.ts"), STATUS_OF);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Pastes a block, runs it as the guide says, and returns what went wrong. */
  const paste = async ({ code, page, line }: CodeBlock, index: number): Promise<string[]> => {
    const place = join(folder, `block-${index}`);
    mkdirSync(place);
    // Node takes a sixth of a second to strip the types of a new file. So all blocks share one setup.ts, and those without
    // types are saved as JavaScript.
    for (const file of ["setup.ts", "status-of.ts"]) {
      symlinkSync(join(folder, file), join(place, file));
    }
    const block = stripTypeScriptTypes(code) === code ? "block.js" : "block.ts";
    writeFileSync(join(place, block), code);
    const variables = Object.entries(process.env).filter(
      ([name]) => !/^(NODE_(?!COMPILE_CACHE)|VITEST_|MESSAGING_)/.test(name),
    );
    const child = spawn(process.execPath, ["--import", "./setup.ts", block], {
      cwd: place,
      env: Object.fromEntries(variables),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 120_000,
    });
    const output = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        output[stream] += text;
      });
    }
    const [exitCode, signal] = await once(child, "close");
    return exitCode === 0
      ? []
      : [`${page}:${line}: ${exitCode ?? signal} ${output.stderr}${output.stdout}`];
  };

  test("every block runs unchanged, apart from those that a different test runs with their framework, queue or database", async () => {
    const problems: string[] = [];
    const waiting = [...pasted.entries()];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        problems.push(...(await paste(next[1], next[0])));
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, work));
    expect(problems).toEqual([]);
    expect(pasted.length).toBeGreaterThan(60);
  });

  test("setup.ts of the package's own docs is the file that the test uses", () => {
    const path = "node_modules/messaging-service-client/docs/guides/getting-started.md";
    expect(readFileSync(join(folder, path), "utf8")).toContain(SETUP);
  });
});

/** Returns the shell blocks of a page. */
const shellBlocksOf = (page: string): readonly string[] =>
  [...readPage(page).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = ""]) => script);

const INSTALL = "npm init --yes && npm pkg set type=module\nnpm install messaging-service-client";

/** Settings for `npm install` in a test. */
const NPM = {
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
};

describe("a stranger who pastes the commands of the docs", () => {
  const tarball = join(
    inject("application"),
    globSync("*.tgz", { cwd: inject("application") })[0] ?? "",
  );
  let folder: string;
  let fake: string;
  let port: number;
  const running: ChildProcess[] = [];

  /** Starts commands in a shell, with the packed package instead of the published one, and with free ports. */
  const shell = (script: string, variables: Readonly<Record<string, string>> = {}) => {
    const commands = script
      .replaceAll("npm install messaging-service-client", `npm install ${tarball}`)
      .replaceAll("http://127.0.0.1:4010", fake)
      .replaceAll("http://127.0.0.1:3000", `http://127.0.0.1:${port}`)
      .replace(/(?<=messaging-service-client fake )/, `--port ${new URL(fake).port} `);
    const env = { ...process.env, ...NPM, PORT: `${port}`, ...variables };
    const child = spawn("bash", ["--norc", "-euo", "pipefail", "-c", commands], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    running.push(child);
    const output = { text: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        output.text += text;
      });
    }
    return { child, output };
  };

  const runShell = async (script: string, variables?: Readonly<Record<string, string>>) => {
    const { child, output } = shell(script, variables);
    const [code] = await once(child, "close");
    expect(code, output.text).toBe(0);
    return output.text;
  };

  const COPY = { recursive: true, verbatimSymlinks: true };
  let installed: string | undefined;
  /** Installs the package as the docs say. After the first test, copies what the commands made there. */
  const install = async () => {
    if (installed) return cpSync(installed, folder, COPY);
    await runShell(INSTALL);
    installed = mkdtempSync(join(tmpdir(), "paste-"));
    cpSync(folder, installed, COPY);
  };

  const outboxText = async () => (await fetch(`${fake}/__fake/outbox`)).text();

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "paste-"));
    fake = `http://127.0.0.1:${await getPort()}`;
    port = await getPort();
  });
  afterAll(() => {
    if (installed) rmSync(installed, { recursive: true });
  });
  afterEach(() => {
    // A shell may have started others, which can outlive it: the whole group ends.
    for (const { pid } of running.splice(0)) spawnSync("kill", ["-9", "--", `-${pid}`]);
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ["A plain script", "first-message"],
    ["Express", "express"],
    ["Fastify", "fastify"],
    ["Hono", "hono"],
    ["AWS Lambda", "lambda"],
  ])("the quickstart %s ends with a message in the inbox of the fake", async (title, name) => {
    const [setUp = "", variables = "", order = "", tryLambda = ""] = shellBlocksOf(
      "docs/guides/quickstarts.md",
    );
    expect(setUp.startsWith(INSTALL)).toBe(true);
    await install();
    shell(setUp.slice(INSTALL.length));
    await expect.poll(() => outboxText().catch(() => ""), { timeout: 120_000 }).toContain("[]");
    const row =
      new RegExp(`\\| ${title} \\|.*`).exec(readPage("docs/guides/quickstarts.md"))?.[0] ?? "";
    const commands = [...row.matchAll(/`((?:npm|node) [^`]+)`/g)].map(
      ([, command = ""]) => command,
    );
    const start = name === "lambda" ? tryLambda : commands.join("\n");
    expect(start).toContain(name);
    if (name === "first-message" || name === "lambda") {
      await runShell(`${variables}\n${start}`);
    } else {
      const { output } = shell(`${variables}\n${start}`);
      const answers = () =>
        fetch(`http://127.0.0.1:${port}`).then(
          () => true,
          () => output.text,
        );
      await expect.poll(answers, { timeout: 120_000 }).toBe(true);
      expect(await runShell(order)).toContain("transactionId");
    }
    expect(await outboxText()).toMatch(/Order 17 is ready 🎉|Hello from \*RCS\* 👋/);
  });

  test("the first command of the page on the fake starts it", async () => {
    await install();
    const [start = ""] = shellBlocksOf("docs/fake-command.md");
    shell(start);
    await expect.poll(() => outboxText().catch(() => ""), { timeout: 60_000 }).toContain("[]");
  });

  test("an application reads the settings of the fake from the file that --env writes", async () => {
    const [, withEnv = ""] = shellBlocksOf("docs/fake-command.md");
    await install();
    writeFileSync(
      join(folder, "app.js"),
      `import { TransactionalClient, V2Client } from "messaging-service-client";
       new TransactionalClient();
       const { username } = await new V2Client().accounts.me();
       console.log("signed in as", username);`,
    );
    // The fake keeps running in the background.
    const { output } = shell(withEnv);
    await expect.poll(() => output.text, { timeout: 60_000 }).toContain("signed in as owner1");
  });

  test('status of the ledger command shows the ledger that the first block of "Send many" has made', async () => {
    await install();
    const [sendMany] = codeBlocksOf("docs/guides/send-many.md");
    writeFileSync(join(folder, "setup.ts"), SETUP);
    writeFileSync(join(folder, "block.ts"), sendMany?.code ?? "");
    await runShell("node --import ./setup.ts block.ts");
    const [status = ""] = shellBlocksOf("docs/guides/operate-durable-sends.md");
    expect(await runShell(status)).toMatch(/reminders for 2026-11-22 +3 +0 +0 +0/);
  });
});
