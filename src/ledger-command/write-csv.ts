import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { UsageError } from "./arguments.ts";
import { toCsvRow } from "./print.ts";

const statIfThere = (path: string): Promise<Stats | undefined> =>
  stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });

/** Returns the path to write to, without symbolic links. Throws if it is no regular file, or one of the ledger's, by any name. */
const toTarget = async (given: string, ledgerFiles: readonly string[]): Promise<string> => {
  const there = await statIfThere(given);
  if (there && !there.isFile()) throw new UsageError(`--csv must name a file: ${given} is none.`);
  const target = there
    ? await realpath(given)
    : join(await realpath(dirname(given)), basename(given));
  for (const file of ledgerFiles) {
    const stats = await statIfThere(file);
    const isSame = stats !== undefined && stats.ino === there?.ino && stats.dev === there.dev;
    if (isSame || file === target) {
      throw new UsageError(`--csv must not name the ledger itself or its log: ${given}`);
    }
  }
  return target;
};

/**
 * Writes rows to a CSV file that only its owner can read: keys are personal data. An existing file is replaced when everything is
 * written, and stays if something fails.
 *
 * @throws UsageError if the path leads to one of the ledger's own files.
 */
export const writeCsv = async (
  path: string,
  ledgerFiles: readonly string[],
  rows: AsyncIterable<readonly string[]>,
): Promise<void> => {
  const target = await toTarget(path, ledgerFiles);
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    {
      await using file = await open(temporary, "wx", 0o600);
      for await (const row of rows) await file.write(toCsvRow(row));
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};
