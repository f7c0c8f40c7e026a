// How the command prints phone numbers, control characters and formulas from a ledger.
import { describe, expect, test } from "vitest";
import { maskPhones, toCsvRow, toPrintable } from "../../src/command/terminal/print.ts";

describe("maskPhones", () => {
  test.each([
    ["+12065550123", "+*******0123"],
    ["2065550123", "******0123"],
    ["1-206-555-0123", "*-***-***-0123"],
    ["(206) 555-0123", "(***) ***-0123"],
    ["206.555.0123", "***.***.0123"],
    ["206/555/0123", "***/***/0123"],
    ["206_555_0123", "***_***_0123"],
    ["206 – 555 – 0123", "*** – *** – 0123"],
    ["2 0 6 5 5 5 0 1 2 3", "* * * * * * 0 1 2 3"],
    ["206,555,0123;", "***,***,0123;"],
    ["206\u00a0555\u202f0123", "***\u00a0***\u202f0123"],
    ["206\u200b555\u20600123", "***\u200b***\u20600123"],
    ["206\t555\n0123", "***\t***\n0123"],
    ["２０６５５５０１２３", "******０１２３"],
    ["＋１（２０６）５５５－０１２３", "＋*（***）***－０１２３"],
    ["𝟐𝟎𝟔𝟓𝟓𝟓𝟎𝟏𝟐𝟑", "******𝟎𝟏𝟐𝟑"],
    ["٢٠٦٥٥٥٠١٢٣", "******٠١٢٣"],
    ["②⓪⑥⑤⑤⑤⓪①②③", "******⓪①②③"],
    ["2️⃣0️⃣6️⃣5️⃣5️⃣5️⃣0️⃣1️⃣2️⃣3️⃣", "*️⃣*️⃣*️⃣*️⃣*️⃣*️⃣0️⃣1️⃣2️⃣3️⃣"],
    ["555-0123", "***-0123"],
    ["tel:+1-206-555-0123;ext=7", "tel:+*-***-***-*123;ext=7"],
    ["206x555x0123", "***x***x0123"],
    ["tel206ext555nr0123", "tel***ext***nr0123"],
    ["2 zero 6 555 0123", "2 zero * *** 0123"],
    ["order 17 from +12065550123", "order 17 from +*******0123"],
    ["order-17-ready", "order-17-ready"],
    ["123456", "123456"],
    ["", ""],
  ])("maskPhones shows %j as %j", (key, shown) => {
    expect(maskPhones(key)).toBe(shown);
  });

  test("maskPhones masks a long key in little time", () => {
    const begun = process.cpuUsage();
    expect(maskPhones("1 ".repeat(50_000)).replaceAll(/[* ]/g, "")).toBe("1111");
    expect(maskPhones(`${"1".repeat(6)}abcd`.repeat(25_000))).toContain("111111a");
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(2_000);
  });
});

describe("toPrintable", () => {
  test.each([
    ..."\0\u0007\b\t\n\r\u001b\u007f\u0085\u009b\u00ad\u061c\u200b\u200e\u200f\u2028\u2029",
    ..."\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff",
    "\ud83c",
    "\u{e0041}",
  ])("toPrintable replaces %j", (character) => {
    expect(toPrintable(`a${character}b`)).toBe("a�b");
  });

  test.each(["order-17", "é 🎉 ü", "日本", "=1+1"])("toPrintable keeps %j", (text) => {
    expect(toPrintable(text)).toBe(text);
  });
});

describe("toCsvRow", () => {
  test.each([
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["+1+1", "'+1+1"],
    ["+1-206-555-0123", "'+1-206-555-0123"],
    ["-1", "'-1"],
    ["−1", "'−1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["|calc", "'|calc"],
    ["\t=1", "'�=1"],
    ["\r=1", "'�=1"],
    ["\n=1", "'�=1"],
    ["  =1", "'  =1"],
    ["\u00a0=1", "'\u00a0=1"],
    ["＝1", "'＝1"],
    ["＋1", "'＋1"],
    ["－1", "'－1"],
    ["＠1", "'＠1"],
    ["｜1", "'｜1"],
    ["﹦1", "'﹦1"],
    ['=HYPERLINK("https://example.com","a")', `"'=HYPERLINK(""https://example.com"",""a"")"`],
    ["a;=1", '"a;=1"'],
    ["a,=1", '"a,=1"'],
    ['a"b', '"a""b"'],
    ["a\r\nb", "a��b"],
    ["\u202egnp.exe", "�gnp.exe"],
    ["+12065550123", "+12065550123"],
    ["+*******0123", "+*******0123"],
    ["order-17", "order-17"],
    ["a=1", "a=1"],
    ["", ""],
  ])("toCsvRow writes the cell %j as %j", (cell, written) => {
    expect(toCsvRow(["key", cell])).toBe(`key,${written}\r\n`);
  });
});
