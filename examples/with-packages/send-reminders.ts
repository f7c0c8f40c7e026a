// Reminds every guest of a CSV file (id, name, phone): `npm run example send-reminders guests.csv`. Stop it with Ctrl+C, or
// kill it, and run it again: it continues where it stopped. `--sent ID` and `--again ID` decide about a guest in doubt.
import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import { Presets, SingleBar } from "cli-progress";
import { parse } from "csv-parse";
import { TransactionalClient, toGsm7 } from "messaging-service-client";
import { previewMany, sendMany, sqliteLedger } from "messaging-service-client/bulk";

type Guest = Readonly<Record<"id" | "name" | "phone", string>>;

const decision = { type: "string", multiple: true } as const;
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { sent: decision, again: decision },
});
const [path = "guests.csv"] = positionals;
const guests = (): AsyncIterable<Guest> => createReadStream(path).pipe(parse({ columns: true }));

const ledger = sqliteLedger(`${path}.db`);
const batch = "reminders";
for (const id of values.sent ?? []) await ledger.resolve(batch, id, "accepted");
for (const id of values.again ?? []) await ledger.resolve(batch, id, "open");

const options = {
  batch,
  ledger,
  keyOf: (guest: Guest) => guest.id, // the ledger then holds no phone number
  toMessage: (guest: Guest, { ref }: { ref: string }) => ({
    phoneNumber: guest.phone,
    webhookUrl: `https://example.com/hooks/${ref}`,
    rcsPayload: { text: `See you tomorrow, ${guest.name} 👋` },
    smsFailover: toGsm7(`See you tomorrow, ${guest.name}`),
  }),
};
const { items, sendable, acceptedBefore, invalid } = await previewMany(guests(), options);
console.log(`${items} guests: ${sendable} to send, ${acceptedBefore} sent before`);
for (const { key, errors } of invalid) console.log(`  ${key}: ${errors[0]?.message}`);

const stop = new AbortController();
process.once("SIGINT", () => stop.abort()); // finishes the sends under way; a second Ctrl+C kills
const bar = new SingleBar({}, Presets.shades_classic);
bar.start(items, 0);
const { stopped, error, ...counts } = await sendMany(new TransactionalClient(), guests(), {
  ...options,
  stop: stop.signal,
  onProgress: ({ done }) => bar.update(done),
});
bar.stop();

console.log(`${counts.accepted} sent, ${counts.rejected} refused, ${counts.skipped} skipped`);
if (stopped) console.log(`Stopped (${error?.message ?? stopped}). Run it again to go on.`);
for (const state of ["unknown", "sending"] as const) {
  for await (const { key, at } of ledger.entries(batch, { state })) {
    console.log(`${key} may have been sent at ${at}: find out, then pass --sent or --again ${key}`);
  }
}
await ledger.close();
process.exitCode = stopped ? 1 : 0;
