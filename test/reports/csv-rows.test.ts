import { execFileSync } from "node:child_process";
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
  ['a""b"c,"d', undefined],
  ['"never closed,\nb', undefined],
  ['a\n"b\n""', undefined],
  ['a"b""c,d"\n', [['a"b""c', 'd"']]],
  ['"""""""a",b', [['"""a', "b"]]],
])("the CSV text %j has the rows %j (undefined if a quote is never closed)", (text, rows) => {
  for (const pieces of [[text], [...text]]) {
    if (rows) expect(rowsOf(...pieces)).toEqual(rows);
    else expect(() => rowsOf(...pieces)).toThrow("has a quote that is never closed");
  }
});

test("an unclosed quote throws an error that names its row", () => {
  expect(() => rowsOf('a\nb\n"c\n"d"')).not.toThrow();
  expect(() => rowsOf('a\nb\n"c\nd')).toThrow("row 3 has a quote that is never closed");
});

const MIB = 2 ** 20;
const piece = "a".repeat(MIB);

test.each([
  ["quoted", '"', '"'],
  ["unquoted", "", ""],
])("a field of 16 MiB is read, and one more character throws: %s", (_, before, after) => {
  const pieces = Array<string>(16).fill(piece);
  const [[long, short] = []] = rowsOf(before, ...pieces, after, ",b");
  expect([long?.length, short]).toEqual([16 * MIB, "b"]);
  expect(() => rowsOf("a\n", before, ...pieces, "b", after)).toThrow(
    "row 2 has a field of more than 16 MiB",
  );
});

test("a row with too many fields throws before it fills the memory", () => {
  const many = ",".repeat(MIB);
  expect(() => rowsOf(many, many, many)).not.toThrow();
  expect(() => rowsOf(many, many, many, many)).toThrow("row 1 has more than 64 MiB");
}, 60_000);

test.each([
  ["doubled quotes within quotes", '"', '""'],
  ["quotes within a word", "a", '"'],
])(
  "a long field of %s takes little more memory than its characters",
  (_, before, repeated) => {
    const source = new URL("../../src/reports/csv-rows.ts", import.meta.url);
    const code = `import { CsvParser } from ${JSON.stringify(source)};
      const parser = new CsvParser();
      const many = ${JSON.stringify(repeated)}.repeat(${MIB / 32});
      for (const text of [${JSON.stringify(before)}, ...Array(15 * 32).fill(many)]) [...parser.push(text)];`;
    // A separate string for each quote would take half a gigabyte.
    const args = ["--max-old-space-size=100", "--input-type=module", "--eval", code];
    execFileSync(process.execPath, args, { timeout: 60_000, stdio: "pipe" });
  },
  60_000,
);

const field = fc.string({ unit: fc.constantFrom("a", "é", "🎉", ",", '"', "\r", "\n", " ") });

test("rows written according to RFC 4180 are read unchanged, however the text is split into chunks", () => {
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
