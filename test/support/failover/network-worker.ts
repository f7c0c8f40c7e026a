// The process of a batch in a network namespace, and what it says.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface NetworkTask {
  readonly pgPath: string;
  /** Options of the pool. */
  readonly pool: Readonly<Record<string, string | number>>;
  readonly messages: number;
  readonly ledgerTimeout: number;
}

/** A line that the process prints. */
export interface Said {
  /** Number of items with results so far. */
  readonly results?: number;
  readonly stopped?: string | null;
  readonly accepted?: number;
  readonly inDoubt?: number;
  readonly violations?: readonly string[];
}

const CHILD = new URL("network-child.ts", import.meta.url).pathname;

export const startNetworkWorker = async (runner: readonly string[], task: NetworkTask) => {
  const [command = "", ...args] = [...runner, process.execPath, CHILD, JSON.stringify(task)];
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let results = 0;
  /** Resolves to the first line that is wanted. */
  const hear = async (isWanted: (said: Said) => boolean): Promise<Said> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error("the process of the batch has ended");
      const said: Said = JSON.parse(value);
      results = said.results ?? results;
      if (isWanted(said)) return said;
    }
  };
  await hear(() => true);
  const tell = (order: string) => child.stdin.write(`${order}\n`);
  return {
    startRun: () => tell("run"),
    /** Lets the responses after the first hundred reach the run. It is not over before. */
    release: () => tell("release"),
    /** Resolves when the run has ended. */
    runEnded: () => hear(({ stopped }) => stopped !== undefined),
    /** Resolves when a number of items have results. */
    hasResults: (count: number) => hear(() => results >= count),
    /** Runs until nothing stops the run, and ends the process. */
    async end(): Promise<Said> {
      tell("end");
      return hear(({ violations }) => violations !== undefined);
    },
    [Symbol.dispose]: () => child.kill("SIGKILL"),
  };
};
