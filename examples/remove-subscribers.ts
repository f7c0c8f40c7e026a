// Removes the subscribers in a file, and can be stopped at any time: `node remove-subscribers.ts 2 phones.txt`, where 2 is
// the id of the list. Ctrl+C and SIGTERM finish the current call and stop. Run it again to continue: phones.txt.db records the removals.
// Try it with one phone number first, because the service does not document which formats it accepts.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { checkPhone, V2Client } from "messaging-service-client";
import { type ItemResult, removeMany, sqliteLedger } from "messaging-service-client/bulk";

const [list = "", path = "phones.txt"] = process.argv.slice(2);

/** Lines without a valid phone number. They are not sent. */
const faults: string[] = [];

async function* phonesOf(file: string) {
  let number = 0;
  for await (const line of createInterface(createReadStream(file))) {
    number += 1;
    if (line.trim() === "") continue;
    const { e164, message } = checkPhone(line.trim());
    if (e164 === undefined) faults.push(`line ${number}: ${message}`);
    else yield e164;
  }
}

/** Describes the result for a phone number. */
const describe = ({ state, reason, error }: ItemResult<string>): string => {
  if (state === "accepted") return "removed";
  if (reason === "accepted_before") return "removed before";
  return error?.code === "not_found" ? "404: perhaps not on the list" : (reason ?? state);
};

const controller = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => controller.abort());

const ledger = sqliteLedger(`${path}.db`);
const run = removeMany(new V2Client(), phonesOf(path), {
  listId: Number(list),
  batch: `remove from list ${list}`,
  ledger,
  concurrency: 1, // enough for 1200 calls an hour
  stopAfterFailures: false, // the first lines of a growing file may get a 404 in every run
  stop: controller.signal,
});
const counts = new Map<string, number>();
for await (const result of run) {
  const end = describe(result);
  counts.set(end, (counts.get(end) ?? 0) + 1);
  if (result.error && result.error.code !== "not_found") console.error(result.error.message);
}
const { stopped, error } = await run;
await ledger.close();

for (const fault of faults) console.error(fault);
for (const [end, count] of counts) console.log(`${String(count).padStart(6)}  ${end}`);
const REMOVED = ["removed", "removed before", "duplicate"];
const isComplete =
  !stopped && faults.length === 0 && [...counts.keys()].every((end) => REMOVED.includes(end));
if (stopped)
  console.error(`Stopped (${error?.message ?? stopped}): the other phones were not tried.`);
if (!isComplete)
  console.log(
    "Some phones may still be subscribed: check them and the list's id, and run this again.",
  );
process.exitCode = isComplete ? 0 : 1;
