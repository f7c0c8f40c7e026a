import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

const SRC = new URL("../src", import.meta.url).pathname;

/** The rooms of `src`, from the top down: each may import the rooms on lower lines, and its own files. */
const ROOMS: readonly (readonly string[])[] = [
  ["bulk", "reports", "opentelemetry"],
  ["clients"],
  ["resources"],
  ["paging"],
  ["http"],
  ["responses", "throttle"],
  ["wire"],
  ["schemas"],
  ["rules"],
  ["errors", "options"],
];
/** What the fake service shares with the clients. */
const SHARED_WITH_TESTING = ["wire", "schemas", "rules", "errors"];
/** The contract of a ledger, which `ledgerChecks` verifies; it imports nothing. */
const LEDGER_CONTRACT = "bulk/ledger.ts";

/** The one import that leads back, of a type: `MessagingServiceError.is` narrows to the union of its subclasses. */
const TYPE_ONLY = "errors/base.ts -> errors/any-error.ts";

const rankOf = (room: string): number => ROOMS.findIndex((rooms) => rooms.includes(room));

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);

/** What a file imports or re-exports of `src`, types included. */
const importsOf = (file: string): string[] => {
  const source = readFileSync(join(SRC, file), "utf8");
  const specifiers = [...source.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)];
  return specifiers.map(([, specifier = ""]) => join(dirname(file), specifier));
};

const layerOf = (file: string): string => (file.includes("/") ? (file.split("/")[0] ?? "") : "");

const mayImport = (file: string, imported: string): boolean => {
  const [from, to] = [layerOf(file), layerOf(imported)];
  if (from === to) return true;
  if (from === "") return to !== "testing";
  if (from === "testing") return SHARED_WITH_TESTING.includes(to) || imported === LEDGER_CONTRACT;
  return rankOf(from) >= 0 && rankOf(from) < rankOf(to);
};

describe("the one direction of imports", () => {
  test("no file imports anything above it", () => {
    const upward = files.flatMap((file) =>
      importsOf(file)
        .filter((imported) => !mayImport(file, imported))
        .map((imported) => `${file} imports ${imported}`),
    );
    expect(upward).toEqual([]);
  });

  test.each(["errors", "options"])("%s imports no other room", (room) => {
    const outside = files
      .filter((file) => layerOf(file) === room)
      .flatMap(importsOf)
      .filter((imported) => layerOf(imported) !== room);
    expect(outside).toEqual([]);
  });

  test("there is no cycle, type imports included", () => {
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      expect(path, `a cycle: ${[...path, file].join(" -> ")}`).not.toContain(file);
      if (done.has(file)) return;
      for (const imported of importsOf(file)) {
        if (`${file} -> ${imported}` !== TYPE_ONLY) visit(imported, [...path, file]);
      }
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(done.size).toBe(files.length);
  });

  test("every import names a file that is there", () => {
    const missing = files.flatMap(importsOf).filter((file) => !files.includes(file));
    expect(missing.map((file) => relative(SRC, join(SRC, file)))).toEqual([]);
  });
});
