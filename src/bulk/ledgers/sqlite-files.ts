// The files of a SQLite ledger. A claim is valid only while every other process opens the same files by the same path.

import { orUndefined } from "../../core/options.ts";
import { builtInModule, runtime } from "../../core/runtime.ts";

interface FileState {
  readonly dev: number;
  readonly ino: number;
  readonly nlink: number;
  isFile(): boolean;
}

interface NodeFs {
  readonly constants: { readonly W_OK: number };
  accessSync(path: string, mode: number): void;
  readFileSync(path: string, encoding: "utf8"): string;
  realpathSync(path: string): string;
  statSync(path: string, options: { readonly throwIfNoEntry: false }): FileState | undefined;
}

interface NodePath {
  readonly sep: string;
  dirname(path: string): string;
  isAbsolute(path: string): boolean;
}

const fs = (): NodeFs => builtInModule<NodeFs>("node:fs") as NodeFs;
const nodePath = (): NodePath => builtInModule<NodePath>("node:path") as NodePath;

/**
 * Converts a path or a `file:` URL into the absolute path of a SQLite file. Keeps `..`, because only the system can resolve it
 * behind a symbolic link.
 *
 * @throws TypeError for a temporary database, a URL with a different scheme, or a URL with parameters. The error never quotes
 * the URL, because it may contain a password.
 */
export const toFilePath = (given: string): string => {
  let path = given;
  if (/^(?!file:)[a-z][a-z\d+.-]+:\/\//i.test(given)) {
    throw new TypeError("sqliteLedger takes a path, not a URL; postgresLedger takes a pool");
  }
  if (given.startsWith("file:")) {
    if (/[?#]/.test(given)) {
      throw new TypeError("a `file:` URL of sqliteLedger has no parameters: pass a path");
    }
    // `file:///sends.db` and `file:./sends.db`; on Windows, `file:///C:/sends.db`.
    path = decodeURIComponent(given.slice(5).replace(/^\/\/(?:localhost)?(?=\/)/, ""));
    path = path.replace(/^\/(?=[A-Za-z]:\/)/, "");
  }
  if (path === "" || path === ":memory:") {
    throw new TypeError(
      "sqliteLedger needs a database in a file, because a temporary one forgets what was sent; for tests, use memoryLedger()",
    );
  }
  const { isAbsolute, sep } = nodePath();
  return isAbsolute(path) ? path : runtime().cwd?.() + sep + path;
};

/** Returns the paths of the mount points, which only Linux lists. */
const mountPoints = (): string[] => {
  // Other systems lack this list, and Deno hides it without all permissions. A mount from a different device is detected anyway.
  const mounts = orUndefined(() => fs().readFileSync("/proc/self/mountinfo", "utf8")) ?? "";
  const toCharacter = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 8));
  return mounts
    .split("\n")
    .map((line) => (line.split(" ")[4] ?? "").replaceAll(/\\(\d{3})/g, toCharacter));
};

const stateOf = (path: string): FileState | undefined =>
  fs().statSync(path, { throwIfNoEntry: false });

export const exists = (path: string): boolean => stateOf(path) !== undefined;

/** @throws Error unless this user can write the file, its log and its folder, and the file has no second name. */
export const assertUsable = (given: string): void => {
  const { accessSync, constants, realpathSync } = fs();
  const state = stateOf(given);
  const path = state ? realpathSync(given) : given;
  if (state?.isFile() === false) throw new Error(`${path} is not a file`);
  // Each name would have its own log, and a process that uses one name would not see the claims under the other.
  if (state && state.nlink > 1) {
    throw new Error(`${path} has a second name (a hard link): remove one of the names`);
  }
  const files = [path, `${path}-wal`, `${path}-shm`].filter(exists);
  try {
    for (const file of [...files, nodePath().dirname(path)]) accessSync(file, constants.W_OK);
  } catch (error) {
    // Deno needs a permission to read the user for this check. Without the check, SQLite refuses the first claim.
    if (Object(error).name !== "NotCapable") throw error;
  }
};

/**
 * Creates the functions that watch the files of a ledger.
 *
 * @param given Given path in its absolute form, which every other process uses.
 */
export const createFileWatch = (given: string) => {
  /** Path of the file that SQLite has opened. Its log is in the same folder. */
  let opened = "";
  /** That path without links. */
  let real = "";
  /** Files that must stay the same, each with the error message for a change. */
  const watched = new Map<string, readonly [FileState | undefined, lost: string]>();

  /** @throws Error if a path no longer leads to the file that SQLite has opened, because further records would be lost. */
  const assertSame = (): void => {
    for (const [path, [file, lost]] of watched) {
      const now = stateOf(path);
      if (!now || now.ino !== file?.ino || now.dev !== file.dev) throw new Error(lost);
    }
    // Behind a new link, the same file has a different log.
    if (opened && fs().realpathSync(opened) !== real)
      throw new Error(`the ledger's file was moved behind a link: ${opened}`);
  };

  return {
    assertSame,

    /** @throws Error if the file is mounted without its folder, because a new container would lack the latest records. */
    watch(path: string): void {
      opened = path;
      real = fs().realpathSync(path);
      const file = stateOf(path);
      const device = stateOf(`${path}-wal`)?.dev ?? file?.dev;
      if (device !== file?.dev || mountPoints().includes(real)) {
        throw new Error(
          `${path} is mounted without its folder, in which SQLite keeps the latest records: mount the folder`,
        );
      }
      watched.set(path, [file, `the ledger's file was deleted or replaced: ${path}`]);
      if (given !== path) {
        watched.set(given, [file, `${given} leads to a different file than the ledger's, ${path}`]);
      }
    },

    /** Also watches the log, which exists now. */
    watchLog(): void {
      for (const path of [`${opened}-wal`, `${opened}-shm`]) {
        watched.set(path, [stateOf(path), `the ledger's log was deleted or replaced: ${path}`]);
      }
      assertSame();
    },
  };
};
