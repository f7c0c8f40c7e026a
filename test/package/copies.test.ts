// Several copies of the package in one process: as ESM and as CommonJS, each installed twice.
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
  copyFileSync(new URL("../support/programs/copies-program.ts", import.meta.url), file);
  result = JSON.parse(execFileSync(process.execPath, [file], { encoding: "utf8" }));
});

test("two installations, each as ESM and as CommonJS, are four separate copies", () => {
  expect(result.distinct).toBe(4);
});

test("each copy recognizes the errors of the others through `is` and `instanceof`", () => {
  expect(result.wrong).toEqual([]);
  expect(result.classes).toHaveLength(15);
  // Every class except the abstract base class.
  expect(result.thrown).toBe(4 * 14);
});

test("clients of all copies can share the throttle of one copy", () => {
  expect(result.used).toBe(4);
});
