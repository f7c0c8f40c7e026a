import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ScaleReport } from "./scale-child.ts";

const CHILD = new URL("scale-child.ts", import.meta.url).pathname;

export interface ScaleTask {
  readonly items: number;
  readonly concurrency: number;
  /** File of a SQLite ledger. Default: a ledger that keeps nothing. */
  readonly path?: string;
  /** Whether the process keeps every result, so that its memory grows. Default: false. */
  readonly keeps?: boolean;
}

/** Runs through many items in a child process. */
export const runScale = async (task: ScaleTask): Promise<ScaleReport> => {
  const { items, concurrency, path = "", keeps = false } = task;
  const args = ["--expose-gc", CHILD, `${items}`, `${concurrency}`, path, keeps ? "keeps" : ""];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
};

/** Returns the growth of memory since a tenth of the way, when everything was loaded and compiled. */
export const growthOf = ({ heaps }: ScaleReport): number => {
  const [, warm = 0, ...later] = heaps;
  return Math.max(...later) - warm;
};
