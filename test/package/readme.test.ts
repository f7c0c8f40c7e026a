// Follows the first steps of the README with the packed package.
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { readPage } from "../docs/pages.ts";

const [, firstScreen = ""] = readPage("README.md").split("## Try it without an account\n");
const blockOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(firstScreen)?.[1] ?? "";

test("the first block of the README sends one message, however often it is run", async () => {
  const [, file = "", command = ""] =
    /save this code as `(\S+)` and run `(node [^`]+)` twice/.exec(firstScreen) ?? [];
  const start = blockOf("sh").trim().split("\n").at(-1) ?? "";
  expect(start).toMatch(/^npx messaging-service-client fake --env > \S+$/);

  const folder = mkdtempSync(join(tmpdir(), "readme-"));
  symlinkSync(join(inject("application"), "node_modules"), join(folder, "node_modules"));
  cpSync(join(inject("application"), "package.json"), join(folder, "package.json"));
  writeFileSync(join(folder, file), blockOf("ts"));
  const fake = spawn(start.replace("fake ", "fake --port 0 "), {
    cwd: folder,
    shell: true,
    detached: true,
    stdio: "ignore",
  });
  onTestFinished(() => {
    // The shell has started other processes, which would outlive it.
    process.kill(-Number(fake.pid), "SIGKILL");
    rmSync(folder, { recursive: true });
  });
  const settings = join(folder, start.split("> ")[1] ?? "");
  const read = () => (existsSync(settings) ? readFileSync(settings, "utf8") : "");
  await expect.poll(read).toContain("MESSAGING_TRANSACTIONAL_API_KEY");

  const run = () => {
    const { stdout, stderr } = spawnSync(command.replace("node", process.execPath), {
      cwd: folder,
      shell: true,
      encoding: "utf8",
    });
    return { stdout, hasWarned: stderr.includes("ledger") };
  };
  expect(run()).toEqual({ stdout: "true\n", hasWarned: true });
  expect(run()).toEqual({ stdout: "false\n", hasWarned: false });
  const [, url = ""] = /MESSAGING_V2_BASE_URL=(\S+)/.exec(read()) ?? [];
  expect(await (await fetch(`${url}/__fake/outbox`)).json()).toMatchObject([
    { to: "+12065550123", text: "Your table is ready 🎉" },
  ]);
});
