// Removes a batch of subscribers safely: `npm run example remove-subscribers 17 phones.txt`, where 17 is the list.
// What became of each is written to phones.txt.journal at once: run it again, and it goes on where it stopped.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { MessagingServiceError, V2Client } from "messaging-service-client";

const listId = Number(process.argv[2]);
const [, , , path = "phones.txt"] = process.argv;
const journal = `${path}.journal`;

const linesOf = (file: string) => readFileSync(file, "utf8").split(/\r?\n/).filter(Boolean);

/** What became of each phone so far; of a phone that was tried twice, the later result counts. */
const results = new Map(
  (existsSync(journal) ? linesOf(journal) : []).map((line) => line.split("\t") as [string, string]),
);
const keep = (phone: string, result: string) => {
  results.set(phone, result);
  appendFileSync(journal, `${phone}\t${result}\n`);
};

const SETTLED = ["removed", "not on the list"];
const phones = [...new Set(linesOf(path))];
const open = phones.filter((phone) => !SETTLED.includes(results.get(phone) ?? ""));
console.log(`${phones.length} phones, ${phones.length - open.length} settled by an earlier run`);

const v2 = new V2Client();
for (const phone of open) {
  try {
    await v2.subscribers.remove(listId, phone);
    keep(phone, "removed");
  } catch (error) {
    if (!MessagingServiceError.is(error)) throw error;
    // A 404 after an attempt that was lost says "unknown", too: it may be gone because of that attempt.
    const isGone = error.code === "not_found" && error.outcome === "rejected";
    keep(phone, isGone ? "not on the list" : error.outcome);
    // What would meet every phone alike, ends the batch: the rest stays open.
    if (["authentication", "permission_denied", "throttle"].includes(error.code)) {
      console.error(`stopped: ${error.message}`);
      break;
    }
  }
}

const counts = new Map<string, number>();
for (const phone of phones) {
  const result = results.get(phone) ?? "not tried";
  counts.set(result, (counts.get(result) ?? 0) + 1);
}
for (const [result, count] of counts) console.log(`${String(count).padStart(6)}  ${result}`);

const isSettled = phones.every((phone) => SETTLED.includes(results.get(phone) ?? ""));
if (!isSettled) console.log(`Not all is settled: see ${journal}, and run this again.`);
process.exitCode = isSettled ? 0 : 1;
