// One process can hold several copies of the package: as ESM and as CommonJS, and installed twice.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";

const APPLICATION = inject("application");
let result: {
  readonly distinct: number;
  readonly classes: readonly string[];
  readonly thrown: number;
  readonly wrong: readonly string[];
  readonly used: number;
};

beforeAll(() => {
  const second = join(APPLICATION, "second/node_modules/messaging-service-client");
  cpSync(join(APPLICATION, "node_modules/messaging-service-client"), second, { recursive: true });
  const file = join(APPLICATION, "copies-program.ts");
  copyFileSync(new URL("copies-program.ts", import.meta.url), file);
  result = JSON.parse(execFileSync(process.execPath, [file], { encoding: "utf8" }));
});

test("four copies are four: two installations, each as ESM and as CommonJS", () => {
  expect(result.distinct).toBe(4);
});

test("each recognizes the errors of the others, by `is` and by `instanceof`", () => {
  expect(result.wrong).toEqual([]);
  expect(result.classes).toHaveLength(14);
  // Every class but the base, which is never thrown itself.
  expect(result.thrown).toBe(4 * 13);
});

test("clients of all can share the throttle of one", () => {
  expect(result.used).toBe(4);
});
