// Reminds the guests in a CSV file (id, name, phone) of a date: `node send-reminders.ts reminders.csv 2026-11-22`. Ctrl+C and
// SIGTERM finish the current sends and stop. Run it again to continue. `--sent ID` and `--again ID` settle a guest in doubt.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Presets, SingleBar } from "cli-progress";
import { TransactionalClient, toGsm7 } from "messaging-service-client";
import {
  type LedgerEntry,
  previewMany,
  type RunProgress,
  sendMany,
  sqliteLedger,
} from "messaging-service-client/bulk";
import { NAME, readPeople } from "./people.ts";

const decision = { type: "string", multiple: true } as const;
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { sent: decision, again: decision, encoding: { type: "string" } },
});
const [file = "", date = "", ledgerFile = join(import.meta.dirname, "reminders.db")] = positionals;
if (JSON.stringify(new Date(date)).slice(1, 11) !== date) {
  // The same day in a different format would be a new batch and text everybody again. JavaScript reads February 30 as March 2.
  console.error(`Pass the day as in 2026-11-22, not "${date}".`);
  process.exit(1);
}
const day = { weekday: "long", month: "long", day: "numeric", timeZone: "UTC" } as const;
const text = `See you on ${new Intl.DateTimeFormat("en-US", day).format(new Date(date))}`;
const columns = { id: ["id"], name: NAME };
const { people: guests, faults } = await readPeople(file, columns, values.encoding);
type Guest = (typeof guests)[number];

const [ledger, batch] = [sqliteLedger(ledgerFile), `reminders for ${date}`];
const doubts = new Map<string, LedgerEntry>();
for await (const entry of ledger.entries({ batch, states: ["sending", "unknown"] }))
  doubts.set(entry.key, entry);
const decide = async (ids: readonly string[] = [], as: "accepted" | "open") => {
  for (const id of ids) {
    const { id: claimId, at = "", state } = doubts.get(id) ?? {};
    const isOnWire = state === "sending" && Date.now() - Date.parse(at) < 600_000;
    if (as === "open" && isOnWire) console.log(`${id} may be on its way: wait ten minutes`);
    else if (!claimId || !(await ledger.resolve(batch, id, as, claimId)))
      console.log(`${id} was not in doubt on ${date}`);
  }
};
await decide(values.sent, "accepted");
await decide(values.again, "open");

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop.abort());
const bar = new SingleBar({ format: "{bar} {value} of {total} {note}" }, Presets.shades_classic);
const options = {
  batch,
  ledger,
  stop: stop.signal,
  keyOf: (guest: Guest) => guest.id, // so the ledger contains no phone numbers
  toMessage: ({ name, phone }: Guest, { ref }: { ref: string }) => ({
    phoneNumber: phone,
    webhookUrl: `https://example.com/hooks/${ref}`,
    rcsPayload: { text: `${text}, ${name} 👋` },
    smsFailover: toGsm7(`${text}, ${name}`),
  }),
  onProgress: ({ done, pausedUntil, waiting = 0 }: RunProgress) => {
    const pause = pausedUntil && `paused until ${pausedUntil.toISOString()}`;
    const note = pause ?? (waiting > 0 ? `waiting for ${waiting} in other runs` : "");
    bar.update(done, { note });
  },
};
const { sendable, skippedBy: before } = await previewMany(guests, options);
console.log(`${guests.length} guests: ${sendable} to send, ${before.acceptedBefore} sent before`);
bar.start(guests.length, 0, { note: "" });
const run = sendMany(new TransactionalClient(), guests, options);
for await (const { item, state, reason, error } of run) {
  // Guests in doubt are listed below, from the ledger.
  if (["accepted", "accepted_before", "unknown", "in_doubt"].includes(reason ?? state)) continue;
  faults.push(`${item.id}: ${reason ?? state}${error ? `, ${error.message}` : ""}`);
}
const { done, stopped, error, accepted, inDoubt } = await run;
bar.stop();
for (const fault of faults) console.log(fault);
const untried = guests.length - done;
console.log(
  `${accepted} sent, ${faults.length} not sent, ${inDoubt} in doubt, ${untried} not tried`,
);
if (stopped) console.log(`Stopped (${error?.message ?? stopped}). Run it again to go on.`);
for await (const { key, at, code } of ledger.entries({ batch, states: ["sending", "unknown"] }))
  console.log(
    `${key} may have been sent at ${at} (${code ?? "no result"}): find out, then pass --sent or --again ${key}`,
  );
await ledger.close();
process.exitCode = stopped || faults.length + inDoubt > 0 ? 1 : 0;
