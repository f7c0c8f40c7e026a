// Runs the `ledger` command in this process or in a terminal.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { beforeAll, vi } from "vitest";
import type { Ledger, LedgerState } from "../../src/bulk/ledgers/ledger.ts";
import { main } from "../../src/command/main.ts";
import { bundleProgram } from "../support/bundle.ts";
import type { SetClaimTime } from "../support/claim-times.ts";

const SOURCE = new URL("../../src/command/cli.ts", import.meta.url).pathname;

let command = "";
/** Bundles the command into a folder before the tests of a file. Returns a function that returns its path. */
export const bundleCommandIn = (folder: string): (() => string) => {
  beforeAll(async () => {
    command = await bundleProgram(SOURCE, folder);
  });
  return () => command;
};

/** Whether this system has `script` of util-linux, which runs a program in a pseudo-terminal. */
export const hasTerminal =
  spawnSync("script", ["--version"]).stdout?.includes("util-linux") ?? false;

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Runs the command in a terminal of 80 columns and types a response when it asks for confirmation. */
export const runInTerminal = async (
  args: readonly string[],
  input: string,
): Promise<CommandResult> => {
  const words = [process.execPath, command, "ledger", ...args].map(quote).join(" ");
  const script = ["-qec", `stty cols 80 -echo; ${words}`, "/dev/null"];
  const child = spawn("script", script, { env: { ...process.env, NO_COLOR: "1" } });
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text;
    });
  }
  if (input === "") child.stdin.end();
  // Types the response after the prompt has appeared.
  else child.stdout.on("data", () => output.stdout.includes("[y/N]") && child.stdin.end(input));
  const [code] = await once(child, "close");
  return { code, ...output };
};

/** Runs the command in this process, without a terminal. Starting a process for each of hundreds of runs would take minutes. */
export const runCommand = async (
  args: readonly string[],
  cwd = process.cwd(),
): Promise<CommandResult> => {
  const output = { stdout: "", stderr: "" };
  const print = (stream: keyof typeof output, text: unknown) => {
    output[stream] += text;
    return true;
  };
  const spies = [
    vi.spyOn(console, "log").mockImplementation((line) => void print("stdout", `${line}\n`)),
    vi.spyOn(console, "error").mockImplementation((line) => void print("stderr", `${line}\n`)),
    vi.spyOn(process.stdout, "write").mockImplementation((text, done?: unknown) => {
      if (typeof done === "function") done();
      return print("stdout", text);
    }),
  ];
  const before = process.cwd();
  vi.stubEnv("NO_COLOR", "1");
  process.chdir(cwd);
  try {
    const code = await main(["ledger", ...args]);
    return { code, ...output };
  } finally {
    process.chdir(before);
    for (const spy of spies) spy.mockRestore();
  }
};

const MINUTE_MS = 60_000;

/** Adds entries with the given states and ages to a ledger. */
export const put = async (
  ledger: Ledger,
  entries: readonly (readonly [
    batch: string,
    key: string,
    state: LedgerState,
    ageMinutes: number,
  ])[],
  setTime: SetClaimTime,
): Promise<void> => {
  for (const [batch, key, state, ageMinutes] of entries) {
    const id = `${batch} ${key}`;
    const claim = { id, batch, key, digest: "d", ref: id, owner: "o" };
    await ledger.claim(claim);
    await setTime(batch, key, new Date(Date.now() - ageMinutes * MINUTE_MS));
    if (state === "sending") continue;
    await ledger.settle(claim, {
      state,
      code: state === "unknown" ? "timeout" : undefined,
    });
  }
};

export const PHONE = "+12065550123";

/** Fills two batches. Their keys in doubt have three different ages. */
export const fill = (ledger: Ledger, setTime: SetClaimTime): Promise<void> => {
  const entries = [
    ["reminders", PHONE, "unknown", 3 * 24 * 60],
    ["reminders", "+13125550142", "sending", 120],
    ["reminders", "+14155550199", "unknown", 1],
    ["reminders", "+14155550100", "accepted", 240],
    ["reminders", "+14155550101", "rejected", 240],
    ["once", "order-17-ready", "unknown", 90],
    ["once", "order-18-ready", "open", 90],
  ] as const;
  return put(ledger, entries, setTime);
};
