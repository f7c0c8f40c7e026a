// A sending process, and its log after its death.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChildEnd, KillTask, Step } from "./kill-task.ts";

export class KillWorker {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #log: string;
  readonly #exit: Promise<unknown>;
  /** Whether the process has exited, by itself or by a kill. */
  hasEnded = false;
  /** Whether it was killed. */
  wasKilled = false;
  /** Whether its last run stopped because a step of the ledger took too long, as it may on a busy machine. */
  hasLeftLedger = false;

  constructor(program: string, task: KillTask) {
    this.#log = task.log;
    this.#child = spawn(process.execPath, [program, JSON.stringify(task)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#child.stdin?.on("error", () => {});
    const input = this.#child.stdout as NodeJS.ReadableStream;
    this.#lines = createInterface({ input })[Symbol.asyncIterator]();
    this.#exit = once(this.#child, "exit").then(([, signal]) => {
      this.hasEnded = true;
      this.wasKilled = signal === "SIGKILL";
    });
  }

  /** Starts the sends after the program has loaded. */
  async go(): Promise<void> {
    await this.#lines.next();
    this.#child.stdin?.write("go\n");
  }

  /** Resolves when the process has made its first request, or has exited without one. */
  async firstRequest(): Promise<void> {
    while (!this.hasEnded && !this.#read().includes("fetch ")) await sleep(2);
  }

  /** Resolves to the result when the process exits, or to `undefined` if it was killed. */
  async end(): Promise<ChildEnd | undefined> {
    const { value } = await this.#lines.next();
    await this.#exit;
    const end: ChildEnd | undefined = value === undefined ? undefined : JSON.parse(value);
    this.hasLeftLedger = end?.stopped === "ledger";
    return end;
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exit;
  }

  /** Returns the owners of its runs in the ledger, and the last step of each key in each owner's run, by key and owner. */
  read(): { readonly owners: ReadonlySet<string>; readonly last: ReadonlyMap<string, Step> } {
    const lines = this.#read().split("\n").filter(Boolean);
    /** Owner of the run that last claimed each key, because a request does not name its run. */
    const owners = new Map<string, string>();
    const last = new Map<string, Step>();
    for (const line of lines) {
      const [step, key, named] = line.split(" ") as [Step, string, string];
      if (step === "claim") owners.set(key, named);
      last.set(`${key} ${named || owners.get(key)}`, step);
    }
    return { owners: new Set([...last.keys()].map((name) => name.split(" ")[1] ?? "")), last };
  }

  #read(): string {
    return existsSync(this.#log) ? readFileSync(this.#log, "utf8") : "";
  }
}
