// Reminds every guest of a CSV file (id, name, phone): `node send-reminders.ts guests.csv`. Stop it with Ctrl+C, or
// kill it, and run it again: it continues where it stopped. `--sent ID` and `--again ID` settle the doubt about a guest.
import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import { Presets, SingleBar } from "cli-progress";
import { parse } from "csv-parse";
import { TransactionalClient, toGsm7 } from "messaging-service-client";
import {
  previewMany,
  type RunProgress,
  sendMany,
  sqliteLedger,
} from "messaging-service-client/bulk";

type Guest = Readonly<Record<"id" | "name" | "phone", string>>;
const decision = { type: "string", multiple: true } as const;
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { sent: decision, again: decision },
});
const [path = "guests.csv"] = positionals;
const csv = { columns: true, bom: true }; // a byte order mark would become part of the first column's name
const guests = (): AsyncIterable<Guest> => createReadStream(path).pipe(parse(csv));

const [ledger, batch] = [sqliteLedger(`${path}.db`), "reminders"];
for (const id of values.sent ?? []) await ledger.resolve(batch, id, "accepted");
for (const id of values.again ?? []) await ledger.resolve(batch, id, "open");

const stop = new AbortController();
process.once("SIGINT", () => stop.abort()); // finishes the current sends; a second Ctrl+C kills
const bar = new SingleBar({ format: "{bar} {value} of {total} {note}" }, Presets.shades_classic);
const options = {
  batch,
  ledger,
  stop: stop.signal,
  keyOf: (guest: Guest) => guest.id, // the ledger then holds no phone number
  toMessage: (guest: Guest, { ref }: { ref: string }) => ({
    phoneNumber: guest.phone,
    webhookUrl: `https://example.com/hooks/${ref}`,
    rcsPayload: { text: `See you tomorrow, ${guest.name} 👋` },
    smsFailover: toGsm7(`See you tomorrow, ${guest.name}`),
  }),
  onProgress: ({ done, pausedUntil, waiting = 0 }: RunProgress) => {
    const pause = pausedUntil && `paused until ${pausedUntil.toISOString()}`;
    bar.update(done, {
      note: pause ?? (waiting > 0 ? `waiting for ${waiting} in other runs` : ""),
    });
  },
};
const { items, sendable, skippedBy: before } = await previewMany(guests(), options);
console.log(`${items} guests: ${sendable} to send, ${before.acceptedBefore} sent before`);
bar.start(items, 0, { note: "" });
const failures: string[] = [];
const run = sendMany(new TransactionalClient(), guests(), options);
for await (const { item, state, reason, error } of run) {
  if (state === "accepted" || reason === "accepted_before" || reason === "in_doubt") continue;
  failures.push(`${item.id}: ${reason ?? state}${error ? `, ${error.message}` : ""}`);
}
const { stopped, error, accepted, skippedBy, inDoubt, ...others } = await run;
bar.stop();
for (const failure of failures) console.log(failure);
const refused = others.rejected + skippedBy.rejectedBefore;
const unsent = others.invalid + others.notSent + skippedBy.changed + skippedBy.duplicate;
console.log(`${accepted} sent, ${refused} refused, ${unsent} not sent, ${inDoubt} in doubt`);
if (stopped) console.log(`Stopped (${error?.message ?? stopped}). Run it again to go on.`);
for await (const { key, at } of ledger.entries({ batch, states: ["sending", "unknown"] }))
  console.log(`${key} may have been sent at ${at}: find out, then pass --sent or --again ${key}`);
await ledger.close();
process.exitCode = stopped || refused + unsent + inDoubt > 0 ? 1 : 0;
