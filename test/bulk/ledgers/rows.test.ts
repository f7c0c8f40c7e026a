// Statement results that a ledger reads, and results that it refuses.
import { describe, expect, test } from "vitest";
import { toRows } from "../../../src/bulk/ledgers/postgres-rows.ts";

const COLUMNS = ["batch", "key"];
const ROW = { batch: "b", key: "k" };
const WRAPPED =
  "rows within an array, such as [rows, metadata] of Sequelize or [rows, count] of TypeORM";
const ARRAYS = "rows that are arrays, not objects";
const MORE = "rows with columns that the statement does not have";

class Model {
  batch = "b";
  key = "k";
}

describe("toRows", () => {
  test.each([
    ["no row", []],
    ["a row", [ROW]],
    ["columns in a different order", [{ key: "k", batch: "b" }]],
    ["a row without a prototype", [Object.assign(Object.create(null), ROW)]],
    ["an instance of a class", [new Model()]],
    [
      "numbers and null",
      [
        { batch: 1n, key: null },
        { batch: 1, key: undefined },
      ],
    ],
    ["an array with fields", Object.assign([ROW], { count: 1, command: "SELECT" })],
  ])("toRows returns %s", (_, result) => {
    expect(toRows(result, COLUMNS)).toBe(result);
  });

  test.each([
    ["undefined", undefined],
    ["null", null],
    ["a number", 1],
    ["a string", "rows"],
    ["an object without `rows`", { raw: [], records: [ROW], affected: 1 }],
    ["an object without `rows`", { 0: [ROW], 1: 1 }],
    [WRAPPED, [[ROW], { rowCount: 1 }]],
    [WRAPPED, [[ROW], 1]],
    [WRAPPED, [[ROW], [ROW]]],
    [WRAPPED, [[ROW, ROW]]],
    [WRAPPED, [[], 0]],
    [WRAPPED, [[], []]],
    [WRAPPED, [undefined, []]],
    [ARRAYS, [["b", "k"]]],
    [
      ARRAYS,
      [
        ["b", null],
        ["b", "k2"],
      ],
    ],
    ["rows that are not objects", ["b", "k"]],
    ["rows that are not objects", [null]],
    ["rows without the column `batch`, such as renamed ones", [{ Batch: "b", Key: "k" }]],
    ["rows without the column `key`, such as renamed ones", [{ batch: "b", KEY: "k" }]],
    ["rows without the column `key`, such as renamed ones", [ROW, { batch: "b" }]],
    ["rows without the column `batch`, such as renamed ones", [{}]],
    ["rows without the column `batch`, such as renamed ones", [Object.create(ROW)]],
    [MORE, [{ ...ROW, "+12065550123": "x" }]],
    ["values that were converted to objects", [{ batch: new Date(), key: "k" }]],
    ["values that were converted to objects", [{ batch: ["b"], key: "k" }]],
  ])("toRows refuses %s: %j", (shape, result) => {
    const mismatch = `a statement of the ledger resulted in ${shape}: pass an object whose \`query\``;
    expect(() => toRows(result, COLUMNS)).toThrow(mismatch);
  });
});
