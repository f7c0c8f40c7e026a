// A SQLite ledger grants a claim only if its records are where other processes look for them and survive a power failure.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { newMemoryFolder } from "../../support/memory-folder.ts";
import { claim } from "./claim.ts";

const CHILD = new URL("../../support/programs/claim-on-demand-child.ts", import.meta.url).pathname;

const root = newMemoryFolder("ledger-place-");
const disk = mkdtempSync(join(tmpdir(), "ledger-place-"));
const mounts: string[] = [];
afterAll(() => {
  for (const mount of mounts) execFileSync("umount", ["--lazy", mount]);
  for (const folder of [root, disk]) rmSync(folder, { recursive: true });
});

const next = { ...claim, id: "i2", key: "k2", ref: "r2" };

let folders = 0;
let folder: string;
let path: string;
beforeEach(() => {
  folders += 1;
  folder = join(root, `${folders}`);
  mkdirSync(folder);
  path = join(folder, "sends.db");
});

const replace = (file: string): void => {
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
};

describe("the files of a SQLite ledger", () => {
  test.each([
    ["file", "", "deleted", rmSync],
    ["file", "", "replaced", replace],
    ["log", "-wal", "deleted", rmSync],
    ["log", "-wal", "replaced", replace],
    ["log", "-shm", "deleted", rmSync],
    ["log", "-shm", "replaced", replace],
  ] as const)("a claim fails after the %s (%s) was %s", async (name, suffix, _change, change) => {
    const ledger = sqliteLedger(path);
    await ledger.claim(claim);
    change(path + suffix);
    const lost = new Error(`the ledger's ${name} was deleted or replaced: ${path}${suffix}`);
    await expect(ledger.claim(next)).rejects.toThrow(lost);
    await expect(ledger.settle(claim, { state: "accepted" })).rejects.toThrow(lost);
    expect(await ledger.find("b", "k2")).toBeUndefined();
    await ledger.close();
  });

  test("a claim fails after the file was moved and a link to it took its place", async () => {
    const ledger = sqliteLedger(path);
    await ledger.claim(claim);
    renameSync(path, join(folder, "moved.db"));
    symlinkSync("moved.db", path);
    const lost = new Error(`the ledger's file was moved behind a link: ${path}`);
    await expect(ledger.claim(next)).rejects.toThrow(lost);
    await ledger.close();
  });

  test("claims continue while other connections open, checkpoint, vacuum and close the same file", async () => {
    const ledger = sqliteLedger(path);
    for (let index = 0; index < 5; index += 1) {
      const own = { ...claim, key: `${index}`, ref: `${index}` };
      expect(await ledger.claim(own)).toBeUndefined();
      const other = new DatabaseSync(path);
      other.exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM");
      other.close();
    }
    await ledger.close();
  });

  test("a file whose path contains the word busy or locked fails at once after it was deleted", async () => {
    const file = join(folder, "busy locked.db");
    const ledger = sqliteLedger(file);
    await ledger.claim(claim);
    rmSync(file);
    const begun = performance.now();
    await expect(ledger.claim(next)).rejects.toThrow("deleted");
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});

/** Symbolic links between a deployment and its ledger: the path that the ledger receives, and the link that a deploy changes. */
const LINKS = {
  "a link to the release": () => [join(folder, "current/sends.db"), "current", "one", "two"],
  "a link to the file": () => [
    join(folder, "current.db"),
    "current.db",
    "one/sends.db",
    "two/sends.db",
  ],
  "a relative path": () => [
    relative(process.cwd(), join(folder, "current/sends.db")),
    ...["current", "one", "two"],
  ],
  "a URL": () => [`file:${folder}/current/sends.db`, "current", "one", "two"],
  "a link and `..`": () => [`${folder}/current/../sends.db`, "current", "one/app", "two/app"],
} satisfies Record<string, () => string[]>;

describe.each(Object.entries(LINKS))("a ledger behind %s", (_, toLink) => {
  test("a claim fails after the link was repointed", async () => {
    for (const release of ["one/app", "two/app"])
      mkdirSync(join(folder, release), { recursive: true });
    const [given = "", link = "", before = "", after = ""] = toLink();
    const repoint = (target: string) => {
      symlinkSync(target, join(folder, "next"));
      renameSync(join(folder, "next"), join(folder, link));
    };
    repoint(before);
    const ledger = sqliteLedger(given);
    await ledger.claim(claim);
    repoint(after);
    const lost = /sends\.db|current\.db/;
    await expect(ledger.claim(next)).rejects.toThrow(lost);
    await sqliteLedger(join(folder, "two/sends.db")).close();
    await expect(ledger.claim(next)).rejects.toThrow("leads to a different file than the ledger's");
    await expect(ledger.settle(claim, { state: "accepted" })).rejects.toThrow(lost);
    expect(await ledger.find("b", "k2")).toBeUndefined();

    repoint(before);
    expect(await ledger.claim(next)).toBeUndefined();
    await ledger.close();
  });
});

/** Makes a path unusable for its user. Returns the path that the error names. */
const UNWRITABLE = {
  file: () => {
    chmodSync(path, 0o444);
    return path;
  },
  log: () => {
    writeFileSync(`${path}-wal`, "");
    chmodSync(`${path}-wal`, 0o444);
    return `${path}-wal`;
  },
  folder: () => {
    chmodSync(folder, 0o555);
    return folder;
  },
};

test.each(Object.entries(UNWRITABLE))(
  "a %s that this user cannot write is refused at once with its name",
  async (_, makeUnwritable) => {
    await sqliteLedger(path).close();
    const named = makeUnwritable();
    // Root can write to any file.
    if (process.getuid?.() === 0) {
      chmodSync(root, 0o755);
      for (const owned of [folder, path]) chownSync(owned, 65_534, 65_534);
    }
    const { stderr } = spawnSync(process.execPath, [CHILD, path], {
      ...(process.getuid?.() === 0 && { uid: 65_534, gid: 65_534 }),
      input: "",
      encoding: "utf8",
    });
    chmodSync(folder, 0o755);
    expect(stderr).toContain(`EACCES: permission denied, access '${named}'`);
  },
);

/** Mounts a file or folder at a second path. Returns whether the system permits it. */
const mountAt = (source: string, target: string): boolean => {
  try {
    execFileSync("mount", ["--bind", source, target], { stdio: "pipe" });
    mounts.push(target);
    return true;
  } catch (error) {
    console.warn(`SKIPPED: mounts of a SQLite ledger, for mount failed: ${error}`);
    return false;
  }
};

describe("a SQLite ledger that is mounted", () => {
  const refused = "is mounted without its folder, in which SQLite keeps the latest records";

  test.each([
    ["on the same file system", () => folder],
    ["on a different file system", () => mkdtempSync(join(disk, "volume-"))],
  ])(
    "a file %s that is mounted without its folder is refused before a table is created",
    async (_, toVolume) => {
      const volume = join(toVolume(), "volume.db");
      for (const file of [volume, path]) writeFileSync(file, "");
      if (!mountAt(volume, path)) return;
      expect(() => sqliteLedger(path)).toThrow(
        `sqliteLedger cannot open ${path}: ${path} ${refused}`,
      );
      const link = join(folder, "link.db");
      symlinkSync(path, link);
      expect(() => sqliteLedger(link)).toThrow(refused);
      const database = new DatabaseSync(path);
      expect(database.prepare("SELECT name FROM sqlite_schema").all()).toEqual([]);
      database.close();
    },
  );

  test("a file whose folder is mounted is accepted", async () => {
    const [volume, target] = [mkdtempSync(join(disk, "volume-")), join(folder, "a b")];
    mkdirSync(target);
    if (!mountAt(volume, target)) return;
    const ledger = sqliteLedger(join(target, "sends.db"));
    expect(await ledger.claim(claim)).toBeUndefined();
    await ledger.close();
  });
});
