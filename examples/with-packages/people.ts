// Reads people from a CSV file of Excel, Google Sheets or a lead form. Guesses nothing, and numbers rows as a spreadsheet does.
import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { parse } from "csv-parse";
import { checkPhone } from "messaging-service-client";

/** Headers that a column may have, in lower case. */
type Headers = readonly string[];
export const NAME: Headers = ["name", "first name", "full name"];
const PHONE: Headers = ["phone", "phone number", "mobile", "mobile phone", "cell", "cell phone"];
const MARKS: Readonly<Record<string, string>> = {
  fffe: "utf-16le",
  feff: "utf-16be",
  efbb: "utf-8",
};

const stop = (reason: string): never => {
  console.error(`${reason}\nNobody was texted.`);
  process.exit(1);
};

/** Returns the text of a file. Stops if the file is not Unicode and its encoding is not confirmed. */
const decode = (file: string, bytes: Uint8Array, confirmed?: string): string => {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString("hex"); // byte order mark
  const encoding = MARKS[mark] ?? (isUtf8(bytes) ? "utf-8" : confirmed);
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes);
  const samples = ["windows-1252", "macintosh"].map((name) => {
    const cells = new TextDecoder(name).decode(bytes).match(/[^\r\n\t;,]*[^\0-\x7f][^\r\n\t;,]*/g);
    return `--encoding ${name}: ${cells?.slice(0, 5).join(", ")}`;
  });
  return stop(
    `${file} is not UTF-8. Pass the encoding whose letters are right:\n${samples.join("\n")}`,
  );
};

const isOneOf = (headers: Headers) => (cell: string) =>
  headers.includes(
    cell
      .toLowerCase()
      .replaceAll(/["_\s]+/g, " ")
      .trim(),
  );

// Lead forms write p:+1206….
const readPhone = (cell: string) => checkPhone(cell.replace(/^p:/, ""));
const isPhone = (cell: string) => {
  const { valid, reason } = readPhone(cell);
  return valid || reason === "decimal";
};

/**
 * Returns the people of a file, with their phone numbers in E.164, and the faults of the rows that it skips.
 * @param columns Required columns, besides the phone number.
 * @param confirmed Encoding of a file that is not Unicode, confirmed by a person.
 */
export async function readPeople<C extends string>(
  file: string,
  columns: Readonly<Record<C, Headers>>,
  confirmed?: string,
) {
  const bytes = await readFile(file).catch(({ message }) => stop(message));
  const text = decode(file, bytes, confirmed).replace(/^sep=.\r?\n/i, ""); // Excel reads the separator from this line
  const wanted = Object.entries<Headers>({ ...columns, phone: PHONE });
  const isHeader = (row: readonly string[]) =>
    wanted.every(([, headers]) => row.some(isOneOf(headers)));
  const delimiter = [",", ";", "\t"].find((sign) =>
    text.split(/\r?\n/).some((line) => isHeader(line.split(sign))),
  );
  if (delimiter === undefined) {
    const names = wanted.map(([column, headers]) => `${column} (${headers.join(", ")})`);
    const start = text.slice(0, 200);
    return stop(`${file}: no row has the headers ${names.join(" and ")}. It begins:\n${start}`);
  }
  const settings = { delimiter, relax_column_count: true, relax_quotes: true, trim: true };
  const rows: string[][] = await parse(text, settings)
    .toArray()
    .catch(({ message }) => stop(`${file}: ${message}`));
  const top = rows.findIndex(isHeader);
  const header = rows[top] ?? [];
  const places = wanted.map(([column, headers]) => {
    const named = header.filter(isOneOf(headers));
    if (named.length > 1)
      stop(`${file}, row ${top + 1}: which one is the ${column}: ${named.join(", ")}?`);
    return [column, header.findIndex(isOneOf(headers))] as const;
  });
  const people: (Readonly<Record<C | "phone", string>> & { readonly row: number })[] = [];
  const faults: string[] = [];
  // A missing or extra quotation mark makes several rows part of a cell.
  const hasRows = (cell: string) =>
    /[\r\n]/.test(cell) &&
    cell
      .split(/[\r\n]+/)
      .some((line) => line.includes(delimiter) && line.split(delimiter).some(isPhone));
  for (const [index, cells] of rows.entries()) {
    const at = `${file}, row ${index + 1}`;
    // In a sorted sheet, the headers may be below some people.
    if (index < top && cells.some(isPhone)) faults.push(`${at}: a phone above the headers`);
    if (index <= top || cells.every((cell) => cell === "")) continue;
    const values = places.map(([column, place]) => [column, cells[place] ?? ""]);
    const person = Object.fromEntries(values);
    const empty = places.filter(([column]) => person[column] === "").map(([column]) => column);
    const { e164, message } = readPhone(person.phone);
    if (cells.some(hasRows)) faults.push(`${at}: a cell contains other rows, by a quotation mark`);
    else if (empty.length > 0) faults.push(`${at}: no ${empty.join(", no ")}`);
    // Excel and Google Sheets pad each row, including the headers, to the same number of cells.
    else if (cells.slice(header.findLastIndex(Boolean) + 1).some(Boolean))
      faults.push(`${at}: text beyond the headers`);
    else if (e164 === undefined) faults.push(`${at}, phone: ${message}`);
    else people.push({ ...person, phone: e164, row: index + 1 });
  }
  return { people, faults };
}
