import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

const SRC = new URL("../../src", import.meta.url).pathname;

/** Each layer may import those after it, and `errors`. The doors may import all but `testing`. */
const LAYERS = ["clients", "resources", "http", "wire", "schemas", "rules"];
const MAY_BE_IMPORTED_BY: Record<string, readonly string[]> = {
  ...Object.fromEntries(LAYERS.map((layer, index) => [layer, LAYERS.slice(0, index + 1)])),
  testing: ["testing"],
};
/** The fake service shares what the wire knows, and nothing of how the clients are made. */
for (const layer of ["wire", "schemas", "rules"]) {
  MAY_BE_IMPORTED_BY[layer] = [...(MAY_BE_IMPORTED_BY[layer] ?? []), "testing"];
}

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
  if (from === "") return to !== "testing";
  return imported === "errors.ts" || (MAY_BE_IMPORTED_BY[to] ?? []).includes(from);
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

  test("errors.ts is a leaf", () => {
    expect(importsOf("errors.ts")).toEqual([]);
  });

  test("there is no cycle, type imports included", () => {
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      expect(path, `a cycle: ${[...path, file].join(" -> ")}`).not.toContain(file);
      if (done.has(file)) return;
      for (const imported of importsOf(file)) visit(imported, [...path, file]);
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
