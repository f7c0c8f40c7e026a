// The files of a SQLite database. A claim counts only while they are the files that every other process opens by the same path.
import { toRows } from "./sql-database.ts";

/** Open database, as far as it states where its file is. */
interface PlacedDatabase {
  prepare(sql: string): { all(): unknown[] };
  /** Path by which better-sqlite3 opened it. */
  readonly name?: unknown;
  /** Path by which `bun:sqlite` opened it. */
  readonly filename?: unknown;
}

interface Identity {
  readonly dev: number;
  readonly ino: number;
}

interface NodeFs {
  statSync(path: string, options: { readonly throwIfNoEntry: false }): Identity | undefined;
  realpathSync(path: string): string;
  readFileSync(path: string, encoding: "utf8"): string;
}

interface NodePath {
  resolve(path: string): string;
}

interface NodeUrl {
  pathToFileURL(path: string): URL;
  fileURLToPath(url: URL): string;
}

/** What to pass to a ledger instead of a database whose rows are not objects. */
export const SQLITE_ADVICE =
  "pass a database whose options leave the rows as objects, without `returnArrays`";

/** Returns a module that is built into the runtime, or an empty object. No import names it, so no bundler tries to resolve it. */
export const builtInModule = <Module>(name: string): Partial<Module> =>
  (
    globalThis as { process?: { getBuiltinModule?(name: string): Module | undefined } }
  ).process?.getBuiltinModule?.(name) ?? {};

/** Returns the path of the file that SQLite has opened. */
const fileOf = (database: PlacedDatabase): string => {
  const result = database.prepare("PRAGMA database_list").all();
  const rows = toRows(result, ["seq", "name", "file"], SQLITE_ADVICE);
  const file = rows.find(({ name }) => name === "main")?.file;
  if (file) return String(file);
  throw new TypeError(
    "sqliteLedger needs a database in a file, because a temporary one forgets what was sent; for tests, use memoryLedger()",
  );
};

/** Returns the absolute path of what SQLite opens by a path or a `file:` URI. */
const toAbsolutePath = (given: string): string => {
  const { resolve = (path) => path } = builtInModule<NodePath>("node:path");
  const { pathToFileURL, fileURLToPath } = builtInModule<NodeUrl>("node:url");
  if (!given.startsWith("file:") || !pathToFileURL || !fileURLToPath) return resolve(given);
  return fileURLToPath(new URL(given, `${pathToFileURL(resolve("."))}/`));
};

/** Returns the paths at which something is mounted, which only Linux lists. */
const mountPoints = ({ readFileSync }: Partial<NodeFs>): string[] => {
  let mounts = "";
  try {
    mounts = readFileSync?.("/proc/self/mountinfo", "utf8") ?? "";
  } catch {
    // A system without this list, or Deno without all permissions. A mount of a different device is noticed anyway.
  }
  const toCharacter = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 8));
  return mounts
    .split("\n")
    .map((line) => (line.split(" ")[4] ?? "").replaceAll(/\\(\d{3})/g, toCharacter));
};

/** Files of an open database, as far as the runtime shows them. */
export class SqliteFiles {
  readonly #fs = builtInModule<NodeFs>("node:fs");
  /** Path of the file that SQLite has opened, as SQLite states it. */
  readonly #path: string;
  /** Files that must stay the same, with the error if one does not. */
  readonly #watched = new Map<string, readonly [Identity | undefined, lost: string]>();

  /** @param given Path by which the database was opened, if the ledger opened it. */
  constructor(database: PlacedDatabase, given: string | undefined) {
    const path = fileOf(database);
    this.#path = path;
    const file = this.#identify(path);
    this.#watched.set(path, [file, `the ledger's file was deleted or replaced: ${path}`]);
    const name = given ?? database.name ?? database.filename;
    const link = typeof name === "string" ? toAbsolutePath(name) : path;
    // The name of an open database may be relative to a directory that was left since.
    if (link === path || !this.#identify(link)) return;
    this.#watched.set(link, [file, `${link} leads to a different file than the ledger's, ${path}`]);
  }

  /** @throws Error if the file is mounted without its folder: a new container would have the file without its latest records. */
  assertKept(): void {
    const { realpathSync } = this.#fs;
    if (!realpathSync) return;
    const device = this.#identify(this.#path)?.dev;
    const isLogElsewhere = (this.#identify(`${this.#path}-wal`)?.dev ?? device) !== device;
    if (!isLogElsewhere && !mountPoints(this.#fs).includes(realpathSync(this.#path))) return;
    throw new Error(
      `${this.#path} is mounted without its folder, in which SQLite keeps the latest records: mount the folder`,
    );
  }

  /** Notes the files that SQLite has opened beside the database. */
  watchLog(): void {
    for (const path of [`${this.#path}-wal`, `${this.#path}-shm`]) {
      const file = this.#identify(path);
      // With `locking_mode = EXCLUSIVE`, the index of the log is in memory.
      if (!file && path.endsWith("-shm")) continue;
      this.#watched.set(path, [file, `the ledger's log was deleted or replaced: ${path}`]);
    }
  }

  /** @throws Error if a path does not lead to the file that SQLite has opened: what is recorded there would be lost. */
  assertSame(): void {
    if (!this.#fs.statSync) return;
    for (const [path, [file, lost]] of this.#watched) {
      const now = this.#identify(path);
      if (!now || now.ino !== file?.ino || now.dev !== file.dev) throw new Error(lost);
    }
  }

  #identify(path: string): Identity | undefined {
    return this.#fs.statSync?.(path, { throwIfNoEntry: false });
  }
}
