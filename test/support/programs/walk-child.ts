// A child process that saves page after page, and after each page the position to continue from.
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { type PagePosition, V2Client } from "../../../src/index.ts";

const [, , baseUrl = "", folder = ""] = process.argv;
const [saved, position] = [`${folder}/saved.jsonl`, `${folder}/position.json`];

const v2 = new V2Client({
  ...{ baseUrl, email: "owner@example.com", apiKey: "key-5f3a9c71e2" },
  throttle: false,
});
const start: PagePosition | null = existsSync(position)
  ? JSON.parse(readFileSync(position, "utf8"))
  : { page: 1, per_page: 10 };

// A finished job has nothing left to read.
if (start === null) process.exit();

// Records may have moved to the previous page in the meantime.
const earlier = { ...start, page: Math.max(1, start.page - 1) };
for await (const { page, items, next } of v2.lists.list(earlier).pages()) {
  appendFileSync(saved, `${JSON.stringify({ page, ids: items.map(({ id }) => id) })}\n`);
  // Renaming is atomic, so a kill leaves either the old or the new position.
  writeFileSync(`${position}.new`, JSON.stringify(next));
  renameSync(`${position}.new`, position);
}
