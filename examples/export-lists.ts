// Exports all lists to a CSV file, with a progress bar: `npm run example export-lists lists.csv`.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { type List, V2Client } from "messaging-service-client";

const [path = "lists.csv"] = process.argv.slice(2);

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

const row = (list: List): string =>
  `${Object.values(columns).map((column) => cell(column(list)))}\r\n`;

const showProgress = (done: number, all: number): void => {
  const filled = all === 0 ? 30 : Math.round((30 * done) / all);
  const bar = "█".repeat(filled) + "░".repeat(30 - filled);
  process.stderr.write(`\r${bar} ${done} of ${all} lists`);
};

const v2 = new V2Client();
const file = createWriteStream(path);
file.write(`${Object.keys(columns)}\r\n`);

let done = 0;
// Without `include_deleted: false`, this would export deleted lists too. `prefetch` reads the next page while this one is written.
for await (const page of v2.lists.list({ include_deleted: false }, { prefetch: true }).pages()) {
  for (const list of page.items) {
    if (!file.write(row(list))) await once(file, "drain");
  }
  done += page.items.length;
  showProgress(done, page.count);
}

await finished(file.end());
console.log(`\nwrote ${path}: ${done} lists`);
