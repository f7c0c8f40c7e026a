// The misspelled options: cspell:ignore dedline deadlinee concurency concurrenyc stob sotp
import { describe, expect, test } from "vitest";
import { assertOptions } from "../../src/options.ts";

interface Options {
  readonly deadline?: unknown;
  readonly concurrency?: unknown;
  readonly stop?: unknown;
  readonly key?: unknown;
}
const NAMES = { deadline: true, concurrency: true, stop: true, key: true } as const;
const check = (given: object) => assertOptions<Options>("options", given, NAMES);

describe("assertOptions", () => {
  test("known options pass, and so does an unknown one that is undefined", () => {
    const given = { deadline: 1, key: undefined, other: undefined };
    expect(check(given)).toBe(given);
  });

  test.each([
    ["dedline", "deadline"],
    ["deadlinee", "deadline"],
    ["Deadline", "deadline"],
    ["concurency", "concurrency"],
    ["concurrenyc", "concurrency"],
    ["stob", "stop"],
    ["sotp", "stop"],
  ])("%s is reported with the option that was meant, %s", (given, meant) => {
    expect(() => check({ [given]: 1 })).toThrow(
      new TypeError(`option \`${given}\` does not exist: did you mean \`${meant}\`?`),
    );
  });

  test("an option that resembles none is reported without a proposal", () => {
    expect(() => check({ webhook: 1 })).toThrow(new TypeError("option `webhook` does not exist"));
  });

  test("an option of a nested object is reported with its path", () => {
    const nested = () => assertOptions("retry", { stp: 1 } as Options, NAMES, "retry.");
    expect(nested).toThrow("option `retry.stp` does not exist: did you mean `retry.stop`?");
  });

  test.each([null, [], "x", 5])("%j is no object of options", (given) => {
    expect(() => check(given as object)).toThrow("option `options` must be an object");
  });
});
