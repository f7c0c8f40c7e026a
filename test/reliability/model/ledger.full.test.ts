// Spin goes through every order of the protocol in ledger.pml: with a ledger that keeps what it confirmed, with a ledger that
// loses it in a failover, and with each rule broken.
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const MODEL = fileURLToPath(new URL("ledger.pml", import.meta.url));
const hasSpin = ["spin", "gcc"].every((name) => spawnSync(name, ["--version"]).error === undefined);
if (!hasSpin) console.warn("SKIPPED: the model of the ledger, because spin or gcc is missing");

const TIMEOUT_MS = 300_000;

const execute = promisify(execFile);

/** Converts macros, with spaces in between, to options of a C preprocessor. */
const toFlags = (macros: string): string[] =>
  macros
    .split(" ")
    .filter(Boolean)
    .map((macro) => `-D${macro}`);

interface Search {
  readonly property?: "promises" | "never_twice";
  readonly macros?: string;
}

/** Returns whether Spin finds a violation. Throws if it finds none and has not gone through every order. */
const findsViolation = async ({ property = "promises", macros = "" }: Search): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), "model-"));
  try {
    await execute("spin", ["-a", ...toFlags(macros), MODEL], { cwd: folder });
    const options = ["-O2", "-w", ...toFlags("COLLAPSE SAFETY")];
    await execute("gcc", [...options, "-o", "pan", "pan.c"], { cwd: folder });
    const { stdout: output } = await execute("./pan", ["-m1000", "-N", property], { cwd: folder });
    if (/assertion violated/.test(output)) return true;
    if (!/errors: 0/.test(output) || /Search not completed|too small/.test(output)) {
      throw new Error(output);
    }
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

test.skipIf(!hasSpin).each([
  { runs: "three runs with two messages each", macros: "" },
  { runs: "three runs that send a message in two attempts", macros: "MESSAGES=1 ATTEMPTS=2" },
])(
  "a ledger that keeps what it confirmed: no order of $runs sends a message twice, or forgets one",
  async ({ macros }) => {
    expect(await findsViolation({ macros })).toBe(false);
  },
  TIMEOUT_MS,
);

test.skipIf(!hasSpin)(
  "a ledger that loses what it confirmed: a message is sent twice",
  async () => {
    expect(await findsViolation({ property: "never_twice", macros: "MESSAGES=1 LOSES" })).toBe(
      true,
    );
  },
  TIMEOUT_MS,
);

test.skipIf(!hasSpin).each([
  { runs: "three runs", macros: "MESSAGES=1 LOSES" },
  { runs: "two runs with two messages each", macros: "RUNS=2 LOSES" },
  { runs: "two runs with two attempts", macros: "RUNS=2 MESSAGES=1 ATTEMPTS=2 LOSES" },
])(
  "a ledger that loses what it confirmed: no order of $runs breaks a promise about a message whose claim was not lost, or was written again in time",
  async ({ macros }) => {
    expect(await findsViolation({ macros })).toBe(false);
  },
  TIMEOUT_MS,
);

test.skipIf(!hasSpin).each([
  { fault: "a settle changes a later claim", macros: "ANY_ID" },
  { fault: "a claim looks, and then writes", macros: "TWO_STEPS" },
  { fault: "a message leaves although its claim was not confirmed", macros: "SEND_UNCONFIRMED" },
  { fault: "a claim ends after some time", macros: "LEASE" },
  {
    fault: "an attempt follows a settle that was not confirmed, and has the id of the first",
    macros: "RETRY_UNCONFIRMED ONE_ID",
  },
])(
  "a protocol in which $fault is found to break a promise",
  async ({ macros }) => {
    expect(await findsViolation({ macros: `MESSAGES=1 ATTEMPTS=2 ${macros}` })).toBe(true);
  },
  TIMEOUT_MS,
);

test.skipIf(!hasSpin).each([
  { rule: "an id for each attempt", broken: "RETRY_UNCONFIRMED" },
  { rule: "no attempt after a settle that was not confirmed", broken: "ONE_ID" },
])(
  "a late settle opens no later attempt: $rule suffices",
  async ({ broken }) => {
    expect(await findsViolation({ macros: `RUNS=2 ATTEMPTS=2 MESSAGES=1 ${broken}` })).toBe(false);
  },
  TIMEOUT_MS,
);
