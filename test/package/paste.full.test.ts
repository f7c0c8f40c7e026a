// Follows the docs as a new user would: pastes their commands into a shell, and runs them with the packed package.
// test/docs/code-blocks.test.ts runs the code blocks.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  test,
  vi,
} from "vitest";
import { codeBlocksOf, readPage, SETUP } from "../docs/pages.ts";
import { newPort } from "../support/servers/new-port.ts";

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

  /** Starts commands in a shell, using the packed package instead of the published one, and free ports. */
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

  const outboxText = async () => (await fetch(`${fake}/__fake/outbox`)).text();

  /** Ends shells with their process groups. Each shell may have started other processes, which could outlive it. */
  const end = (shells: readonly ChildProcess[]) => {
    for (const { pid } of shells) spawnSync("kill", ["-9", "--", `-${pid}`]);
  };

  const [setUp = "", variables = "", order = "", tryLambda = ""] = shellBlocksOf(
    "docs/guides/quickstarts.md",
  );

  // The quickstarts share the folder and the fake, because no two of them install the same package.
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "paste-"));
    fake = `http://127.0.0.1:${await newPort()}`;
    expect(setUp.startsWith(INSTALL)).toBe(true);
    await runShell(INSTALL);
    shell(setUp.slice(INSTALL.length));
    await vi.waitFor(async () => expect(await outboxText()).toBe("[]"), 120_000);
  });
  afterAll(() => {
    end(running);
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    port = await newPort();
  });
  afterEach(async () => {
    end(running.splice(2));
    await fetch(`${fake}/__fake/reset`, { method: "POST" });
  });

  test.each([
    ["A plain script", "first-message"],
    ["Express", "express"],
    ["Fastify", "fastify"],
    ["Hono", "hono"],
    ["AWS Lambda", "lambda"],
  ])("the quickstart %s ends with a message in the inbox of the fake", async (title, name) => {
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

  test('status of the ledger command shows the ledger that the first block of "Send many" has made', async () => {
    const [sendMany] = codeBlocksOf("docs/guides/send-many.md");
    writeFileSync(join(folder, "setup.ts"), SETUP);
    writeFileSync(join(folder, "block.ts"), sendMany?.code ?? "");
    await runShell("node --import ./setup.ts block.ts");
    const [status = ""] = shellBlocksOf("docs/guides/operate-durable-sends.md");
    expect(await runShell(status)).toMatch(/reminders for 2026-11-22 +3 +0 +0 +0/);
  });
});
