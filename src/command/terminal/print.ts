import { createInterface } from "node:readline";
import { styleText } from "node:util";

const NUMBER = new Intl.NumberFormat("en");

export const formatCount = (count: number): string => NUMBER.format(count);

export const formatCountOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

export const formatBytes = (bytes: number): string => {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = 0;
  for (; size >= 1_000 && unit < units.length - 1; unit += 1) size /= 1_000;
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
};

/** Formats an age in seconds, minutes, hours or days. A larger unit is used from two of it on. */
export const formatAge = (ageMs: number): string => {
  if (Number.isNaN(ageMs)) return "unknown";
  const seconds = Math.max(0, ageMs / 1_000);
  if (seconds < 120) return `${Math.floor(seconds)} s ago`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${formatCount(Math.floor(seconds / 86_400))} d ago`;
};

export const formatTime = (at: string): string => at.replace("T", " ").replace(/(\.\d+)?Z$/, "Z");

/** Digits of any script, at least as many as in the shortest phone number. Anything but a long word may be between them. */
const PHONE = /\p{N}(?:[^\p{L}\p{N}]*(?:\p{L}{1,3}[^\p{L}\p{N}]*)?\p{N}){6,}/gu;

/** Masks whatever looks like a phone number, except for the last digits, so a person can still distinguish phone numbers. */
export const maskPhones = (text: string, shown = 4): string =>
  text.replaceAll(PHONE, (phone) => {
    let rest = phone.match(/\p{N}/gu)?.length ?? 0;
    return phone.replaceAll(/\p{N}/gu, (digit) => {
      rest -= 1;
      return rest < shown ? digit : "*";
    });
  });

export interface Column {
  readonly title: string;
  readonly width: number;
  readonly align?: "right";
}

/** Returns the columns. The column with this title gets the rest of the terminal's width. */
export const stretch = <T extends Column>(columns: readonly T[], title: string): T[] => {
  const used = columns.reduce((sum, { width }) => sum + width + 2, -2);
  const rest = Math.max(0, (process.stdout.columns ?? 80) - used);
  return columns.map((column) =>
    column.title === title ? { ...column, width: column.width + rest } : column,
  );
};

/** Replaces characters that could move the cursor of a terminal, reverse the direction of a text, or forge a line. */
export const toPrintable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "�");

/** Replaces everything up to the last `@` of a text that may be a URL with a password, whatever its scheme is. */
export const maskPassword = (text: string): string => text.replace(/^.*:.*@/s, "***@");

export const quoteWord = (word: string): string => `"${toPrintable(maskPassword(word))}"`;

/** Returns the message of an error. If the connection to several addresses failed, it is the message of the first failure. */
export const describeError = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === "")
    return describeError(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
};

/** Pads a cell. A cell that is too long is not cut, because its batch or key may be copied into the next command. */
const toCell = (text: string, { width, align }: Column): string => {
  const shown = toPrintable(text);
  const space = " ".repeat(Math.max(0, width - [...shown].length));
  return align === "right" ? space + shown : shown + space;
};

export const formatRow = (columns: readonly Column[], cells: readonly string[]): string =>
  columns
    .map((column, index) => toCell(cells[index] ?? "", column))
    .join("  ")
    .trimEnd();

/** Formats the titles of a table; in a terminal, they are underlined. */
export const formatHead = (columns: readonly Column[]): string => {
  const titles = columns.map(({ title }) => title);
  return styleText("underline", formatRow(columns, titles), { stream: process.stdout });
};

/** Start of a cell that a spreadsheet may run, after the normalization that also covers full-width characters. */
const FORMULA = /^[\s\uFFFD]*[=+\-\u2212@|]/;
/** Phone number in E.164, masked or not. It starts like a formula but contains nothing to run. */
const E164 = /^\+(?:\*+\d{4}|\d{7,15})$/;

const toCsvCell = (text: string): string => {
  const shown = toPrintable(text);
  const isFormula = FORMULA.test(shown.normalize("NFKC")) && !E164.test(shown);
  const cell = isFormula ? `'${shown}` : shown;
  // In some languages, spreadsheets separate cells with semicolons.
  return /[",;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
};

/** Formats a row of CSV. A cell that a spreadsheet would run begins with an apostrophe. */
export const toCsvRow = (cells: readonly string[]): string =>
  `${cells.map(toCsvCell).join(",")}\r\n`;

/** Writes to the standard output. Resolves to `false` if that fails, for example because `head` has closed the pipe. */
export const write = (text: string): Promise<boolean> =>
  new Promise((resolve) => process.stdout.write(text, (error) => resolve(!error)));

/** Asks a question in the terminal. Resolves to whether the response is yes; the end of the input counts as no. */
export const confirms = (question: string): Promise<boolean> =>
  new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    lines.once("close", () => resolve(false));
    lines.question(`${question} [y/N] `, (response) => {
      resolve(/^y(es)?$/i.test(response.trim()));
      lines.close();
    });
  });
