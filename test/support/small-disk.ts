// A file system in memory that is small enough to fill up, and that can grow.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identity } from "./servers/postgres-server.ts";

const mount = (folder: string, options: string): boolean =>
  spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]).status === 0;

/** Creates a disk of a number of kilobytes for the user that runs Postgres. Returns `undefined` if this user may not. */
export const createSmallDisk = (kilobytes: number) => {
  const folder = mkdtempSync(join(tmpdir(), "small-disk-"));
  const { uid, gid } = { uid: 0, gid: 0, ...identity };
  if (!mount(folder, `size=${kilobytes}k,uid=${uid},gid=${gid}`)) {
    rmdirSync(folder);
    return undefined;
  }
  return {
    folder,
    /** Makes the disk larger. */
    grow: () => void mount(folder, "remount,size=64m"),
    [Symbol.dispose]: () => {
      spawnSync("umount", ["--lazy", folder]);
      rmdirSync(folder);
    },
  };
};

export type SmallDisk = NonNullable<ReturnType<typeof createSmallDisk>>;

/** Whether this user may mount a file system. */
export const hasSmallDisks = (() => {
  using disk = createSmallDisk(64);
  return disk !== undefined;
})();
