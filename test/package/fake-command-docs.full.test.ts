// Runs the code in docs/control-api.md and docs/fake-command.md with the command of the packed package.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { readPage } from "../docs/pages.ts";

const CONTROL = readPage("docs/control-api.md");
const COMMAND = readPage("docs/fake-command.md");

/** Returns the shell block that follows a mark. */
const blockAfter = (page: string, mark: string): string =>
  new RegExp(`<!-- ${mark} -->\n+\`\`\`sh\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? "";

/** Converts each comment after an arrow to a check that the output of its command contains the comment. */
const toScript = (session: string): string =>
  session.replace(/ +# → (.*)$/gm, (_, expected: string) => {
    const quoted = `'${expected.replaceAll("'", "'\\''")}'`;
    return ` | grep -F -- ${quoted} > /dev/null || { echo "not printed:" ${quoted} >&2; exit 1; }`;
  });

const running: ChildProcess[] = [];
afterEach(() => {
  for (const { pid } of running.splice(0)) {
    try {
      // A shell or npx may have started other processes, which can outlive it.
      process.kill(-Number(pid), "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // The group has ended.
    }
  }
});

const STRICT = ["bash", "--norc", "-euo", "pipefail"];

/** Runs a script in a folder, in its own process group, and collects its output. */
const run = (script: string, cwd = inject("application"), [shell = "", ...flags] = STRICT) => {
  const child = spawn(shell, [...flags, "-c", script], {
    cwd,
    // Bash reads its startup files if its input is a socket.
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  running.push(child);
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output.text += text;
    });
  }
  return { child, output, ended: once(child, "close") };
};

/** Starts the fake on a free port, and waits until it listens. */
const startFake = async (command: string) => {
  const { child, output } = run(`exec ${command.trim()} --port 0`);
  await expect.poll(() => output.text, { timeout: 60_000 }).toMatch(/^contents /m);
  const url = /^version 2 +(\S+)/m.exec(output.text)?.[1] ?? "";
  const answers = () =>
    fetch(`${url}/__fake/state`).then(
      ({ ok }) => ok,
      () => false,
    );
  return { child, url, answers };
};

test("curl alone drives a double opt-in and a fault, against the command that docs/control-api.md names", async () => {
  const session = blockAfter(CONTROL, "curl session");
  expect(session.match(/# → /g)?.length).toBeGreaterThan(6);
  const { url } = await startFake(blockAfter(CONTROL, "command of the session"));
  const { output, ended } = run(toScript(session).replaceAll("http://127.0.0.1:4010", url));
  expect(await ended, output.text).toEqual([0, null]);
  const read = async (path: string) => (await fetch(`${url}/__fake/${path}`)).json();
  const { lists } = await read("state");
  expect(lists).toMatchObject([{ name: "News", counts: { subscribers: 1 } }]);
  const causes = (await read("outbox")).map(({ cause }: { cause: string }) => cause);
  expect(causes).toEqual([
    ...["request_message", "retry_message", "no_response_message", "opt_in_message"],
  ]);
  expect(await read("requests")).toMatchObject([
    { status: 503, failure: "status" },
    { status: 200 },
  ]);
});

describe("the script for a test suite of docs/fake-command.md", () => {
  const runSuite = async (end: string, port: number) => {
    const folder = mkdtempSync(join(tmpdir(), "suite-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    symlinkSync(join(inject("application"), "node_modules"), join(folder, "node_modules"));
    cpSync(join(inject("application"), "package.json"), join(folder, "package.json"));
    writeFileSync(
      join(folder, "suite.js"),
      `import { V2Client } from "messaging-service-client/v2";
       const lists = await new V2Client().lists.list().toArray();
       console.log("lists:", lists.length, "at", process.env.MESSAGING_V2_BASE_URL);
       ${end}`,
    );
    // An earlier suite leaves its file behind.
    writeFileSync(join(folder, ".env.fake"), "MESSAGING_V2_BASE_URL=http://127.0.0.1:1\n");
    const script = blockAfter(COMMAND, "test suite")
      .replace("--empty", `--empty --port ${port}`)
      .replace(/^npm test$/m, "node --env-file=.env.fake suite.js");
    const { output, ended } = run(script, folder, ["sh"]);
    return { ended: await ended, text: output.text };
  };

  test.each([
    ["0 of tests that pass", "", 0],
    ["3 of tests that fail", "process.exitCode = 3;", 3],
  ])("ends the fake, and has the exit code %s", async (_title, end, code) => {
    const { ended, text } = await runSuite(end, 0);
    expect(ended, text).toEqual([code, null]);
    const [, url = ""] = /lists: 0 at (\S+)/.exec(text) ?? [];
    expect(url).toMatch(/^http/);
    await expect.poll(() => fetch(url).catch(() => "ended")).toBe("ended");
  });

  test("fails without running the tests if the fake cannot start", async () => {
    const { url } = await startFake("npx messaging-service-client fake");
    const { ended, text } = await runSuite("", Number(new URL(url).port));
    expect(ended, text).toEqual([expect.any(Number), null]);
    expect(ended[0]).not.toBe(0);
    expect(text).not.toContain("lists:");
  });
});

describe("a signal to the program that was started", () => {
  const NPX = "npx messaging-service-client fake";
  const PROGRAM = "node_modules/.bin/messaging-service-client fake";

  test.each([
    ["SIGTERM", "kill", NPX, { program: "ends", fake: "runs" }],
    ["SIGINT", "kill", NPX, { program: "runs", fake: "runs" }],
    // A terminal sends SIGINT to the whole process group.
    ["SIGINT", "Ctrl+C", NPX, { program: "ends", fake: "ends" }],
    ["SIGTERM", "kill", PROGRAM, { program: "ends", fake: "ends" }],
    ["SIGINT", "kill", PROGRAM, { program: "ends", fake: "ends" }],
  ] as const)(
    "%s by %s to `%s`: %j, as docs/fake-command.md says",
    async (signal, by, command, expected) => {
      const { child, answers } = await startFake(command);
      const ended = once(child, "exit").then(() => "ends");
      process.kill(by === "kill" ? Number(child.pid) : -Number(child.pid), signal);
      const patience = expected.program === "runs" ? 1_000 : 30_000;
      const program = await Promise.race([ended, pause(patience, "runs")]);
      if (expected.fake === "ends") await expect.poll(answers).toBe(false);
      else await pause(500);
      expect({ program, fake: (await answers()) ? "runs" : "ends" }).toEqual(expected);
    },
  );
});
