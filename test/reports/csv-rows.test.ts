import fc from "fast-check";
import { expect, test } from "vitest";
import { CsvParser } from "../../src/reports/csv-rows.ts";

const rowsOf = (...pieces: readonly string[]): string[][] => {
  const parser = new CsvParser();
  return [...pieces.flatMap((piece) => [...parser.push(piece)]), ...parser.end()];
};

test.each([
  ["", []],
  ["a", [["a"]]],
  [
    "a,b\r\nc,d\r\n",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ["a\nb\rc", [["a"], ["b"], ["c"]]],
  [
    "a,\n,b\n",
    [
      ["a", ""],
      ["", "b"],
    ],
  ],
  ["\n\r\n\na\n\n", [["a"]]],
  ['""\n', [[""]]],
  ['"a,b","c""d","e\r\nf"\n', [["a,b", 'c"d', "e\r\nf"]]],
  ['a "quoted" word,b', [['a "quoted" word', "b"]]],
  ['"a"b,c', [["ab", "c"]]],
  ['"never closed,\nb', [["never closed,\nb"]]],
])("CSV text %j has the rows %j", (text, rows) => {
  expect(rowsOf(text)).toEqual(rows);
});

const field = fc.string({ unit: fc.constantFrom("a", "é", "🎉", ",", '"', "\r", "\n", " ") });

test("rows written according to RFC 4180 are read unchanged, however the text is split", () => {
  const rows = fc.array(fc.array(field, { minLength: 1 }));
  const lineEnd = fc.constantFrom("\r\n", "\n", "\r");
  fc.assert(
    fc.property(rows, lineEnd, fc.array(fc.nat()), (written, end, cuts) => {
      const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const text = written.map((row) => row.map(quote).join(",") + end).join("");
      const places = cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b);
      const pieces = [0, ...places].map((from, index) => text.slice(from, places[index]));
      expect(rowsOf(...pieces)).toEqual(written);
    }),
    { numRuns: 500 },
  );
});
