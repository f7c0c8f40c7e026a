// Exports the lists to a CSV file and can continue after a crash: `node export-lists.ts lists.csv`.
import { open, readFile, rename, writeFile } from "node:fs/promises";
import { type List, type PagePosition, V2Client } from "messaging-service-client";

const [path = "lists.csv"] = process.argv.slice(2);
const positionPath = `${path}.position`;

/** Progress after each page: the next page (`null` after the last), bytes and lists of the file, and ids of the latest page. */
type Progress = {
  readonly next: PagePosition | null;
  readonly bytes: number;
  readonly lists: number;
  readonly ids: readonly number[];
};

const columns = {
  id: ({ id }: List) => id,
  name: ({ name }: List) => name,
  opt_in_type: ({ opt_in_type }: List) => opt_in_type,
  keywords: ({ keyword_names }: List) => keyword_names.join(" "),
  subscribers: ({ counts }: List) => counts.subscribers,
  unsubscribed: ({ counts }: List) => counts.unsubscribed,
  cleaned: ({ counts }: List) => counts.cleaned,
};

/** Quotes a cell according to RFC 4180, and keeps spreadsheets from reading it as a formula. */
const cell = (value: string | number): string => {
  const text = String(value).replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const row = (list: List) => `${Object.values(columns).map((column) => cell(column(list)))}\r\n`;

const stored = await readFile(positionPath, "utf8").catch((error) => {
  if (error.code !== "ENOENT") throw error; // no position is stored before the first page
});
const start: Progress | undefined = stored && JSON.parse(stored);
if (start?.next === null) {
  console.log(`${path} is complete: ${start.lists} lists. Delete ${positionPath} to start again.`);
  process.exit();
}

const file = await open(path, "a");
if (start && (await file.stat()).size < start.bytes) throw new Error(`${path} has lost rows`);
await file.truncate(start?.bytes ?? 0); // rows whose position was not stored are written again
// Without a byte order mark, Excel shows Montréal as MontrÃ©al.
if (!start) await file.appendFile(`\uFEFF${Object.keys(columns)}\r\n`);

const v2 = new V2Client();
let lists = start?.lists ?? 0;
// Without `include_deleted: false`, this would export deleted lists too. `prefetch` reads the next page while this one is written.
const first = start
  ? { ...start.next, page: Math.max(1, start.next.page - 1) } // lists may have moved to an earlier page in the meantime
  : { include_deleted: false };
const had = new Set(start?.ids);
for await (const { items, next, count } of v2.lists.list(first, { prefetch: true }).pages()) {
  const added = items.filter(({ id }) => !had.has(id));
  await file.appendFile(added.map(row).join(""));
  await file.sync();
  lists += added.length;
  const { size: bytes } = await file.stat();
  const progress: Progress = { next, bytes, lists, ids: items.map(({ id }) => id) };
  await writeFile(`${positionPath}.new`, JSON.stringify(progress));
  await rename(`${positionPath}.new`, positionPath); // replaces the old position in one step
  const bar = "█".repeat(Math.round((30 * lists) / Math.max(count, lists, 1))).padEnd(30, "░");
  process.stderr.write(`\r${bar} ${lists} of ${count} lists`);
}
await file.close();
process.stderr.write("\n"); // ends the progress bar
console.log(`wrote ${path}: ${lists} lists`);
