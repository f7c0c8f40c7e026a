import { existsSync, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** Free space that the tests need together, in bytes. A container often has much less. */
const ROOM = 2e9;

/** Creates a temporary folder, in memory if there is room, because files and flushes are much faster there. */
export const newMemoryFolder = (prefix: string): string => {
  const { bavail, bsize } = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
  return mkdtempSync(join(bavail * bsize > ROOM ? MEMORY : tmpdir(), prefix));
};
