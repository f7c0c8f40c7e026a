// The misspelled options: cspell:ignore dedline deadlinee concurency concurrenyc stob sotp
import { describe, expect, test } from "vitest";
import { assertOptions } from "../../../src/core/options.ts";

interface Options {
  readonly deadline?: unknown;
  readonly concurrency?: unknown;
  readonly stop?: unknown;
  readonly key?: unknown;
}
const NAMES = { deadline: true, concurrency: true, stop: true, key: true } as const;
const check = (given: object) => assertOptions<Options>("options", given, NAMES);

describe("assertOptions", () => {
  test("assertOptions accepts known options, and unknown ones that are undefined", () => {
    const given = { deadline: 1, key: undefined, other: undefined };
    expect(check(given)).toBe(given);
  });

  test.each([
    ["dedline", "deadline"],
    ["deadlinee", "deadline"],
    ["Deadline", "deadline"],
    ["concurency", "concurrency"],
    ["concurrenyc", "concurrency"],
    ["shop", "stop"],
    ["sotp", "stop"],
  ])("assertOptions reports %s and suggests %s", (given, meant) => {
    expect(() => check({ [given]: 1 })).toThrow(
      new TypeError(`option \`${given}\` does not exist: did you mean \`${meant}\`?`),
    );
  });

  test("assertOptions suggests nothing for an option that resembles no other", () => {
    expect(() => check({ webhook: 1 })).toThrow(new TypeError("option `webhook` does not exist"));
  });

  test("assertOptions names an option of a nested object by its path", () => {
    const nested = () => assertOptions("retry", { stp: 1 } as Options, NAMES, "retry.");
    expect(nested).toThrow("option `retry.stp` does not exist: did you mean `retry.stop`?");
  });

  test.each([null, [], "x", 5])("assertOptions refuses %j, which is not an object", (given) => {
    expect(() => check(given as object)).toThrow("option `options` must be an object");
  });
});
