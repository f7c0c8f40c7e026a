import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ScaleReport } from "./scale-child.ts";

const CHILD = new URL("scale-child.ts", import.meta.url).pathname;

export interface ScaleTask {
  readonly items: number;
  readonly concurrency: number;
  /** File of a SQLite ledger. Default: a ledger that keeps nothing. */
  readonly path?: string;
  /** Whether the process keeps every result and therefore uses more and more memory. Default: false. */
  readonly keeps?: boolean;
}

/** Sends many items in a child process. */
export const runScale = async (task: ScaleTask): Promise<ScaleReport> => {
  const { items, concurrency, path = "", keeps = false } = task;
  const args = ["--expose-gc", CHILD, `${items}`, `${concurrency}`, path, keeps ? "keeps" : ""];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
};

/** Returns the growth in memory after the first tenth, when everything has been loaded and compiled. */
export const growthOf = ({ heaps }: ScaleReport): number => {
  const [, warm = 0, ...later] = heaps;
  return Math.max(...later) - warm;
};
