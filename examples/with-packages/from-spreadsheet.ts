// With `--send`, texts a spreadsheet's guests, except those of a second file: `node from-spreadsheet.ts guests.csv opt-outs.csv --encoding windows-1252`.
// Without it, shows the first messages. Exit code 0 means that the service accepted a text to every other guest's number.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fitSms, TransactionalClient } from "messaging-service-client";
import { previewMany, type RunCounts, sendMany, sqliteLedger } from "messaging-service-client/bulk";
import { NAME, readPeople } from "./people.ts";

const JOB = "opening"; // a new text for everybody needs a new name
const textFor = (name: string) => `${name}, we open on Friday! 🎉`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { send: { type: "boolean" }, encoding: { type: "string" } },
});
const ownLedger = join(import.meta.dirname, `${JOB}.db`); // does not depend on the name of the guests' file
const [guestsFile = "", optOutsFile = "", ledgerFile = ownLedger] = positionals;
const { people: guests, faults } = await readPeople(guestsFile, { name: NAME }, values.encoding);
if (guests.length === 0) faults.push(`${guestsFile}: no guests`);
const optOuts = await readPeople(optOutsFile, {}, values.encoding);
if (optOuts.faults.length > 0) {
  // Otherwise, a person whose opt-out cannot be read might be texted.
  console.error(`${optOuts.faults.join("\n")}\nNobody was texted.`);
  process.exit(1);
}
const optedOut = new Set(optOuts.people.map(({ phone }) => phone));
type Guest = (typeof guests)[number];

const ledger = sqliteLedger(ledgerFile);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop.abort());
const options = {
  batch: JOB,
  ledger,
  stop: stop.signal,
  skip: ({ phone }: Guest) => optedOut.has(phone) && "opted out",
  toMessage: ({ name, phone }: Guest, { ref }: { ref: string }) => {
    const text = textFor(name);
    const smsFailover = fitSms(text, { segments: 1, unwritable: "?" }).text;
    const webhookUrl = `https://example.com/hooks/${ref}`;
    return { phoneNumber: phone, webhookUrl, rcsPayload: { text }, smsFailover };
  },
};

/** Returns the number of guests who neither got the text nor opted out. A duplicate has the number of an earlier row. */
const countMissing = ({ accepted, skippedBy }: RunCounts) =>
  guests.length - accepted - skippedBy.acceptedBefore - skippedBy.excluded - skippedBy.duplicate;

const preview = await previewMany(guests, options);
const { sendable, invalidItems } = preview;
for (const { item, error } of invalidItems)
  faults.push(`${guestsFile}, row ${item.row}: ${error.message}`);
for (const fault of faults) console.error(fault);
if (!values.send) {
  for (const guest of guests.filter(({ phone }) => !optedOut.has(phone)).slice(0, 3)) {
    const { phoneNumber, rcsPayload, smsFailover } = options.toMessage(guest, { ref: "" });
    console.log(`${phoneNumber}\n  RCS: ${rcsPayload.text}\n  SMS: ${smsFailover}`);
  }
  console.log(`${sendable} guests would be texted. Faults: ${faults.length}.`);
  const { inDoubt, changed, rejectedBefore } = preview.skippedBy;
  const stuck = inDoubt + changed + rejectedBefore;
  if (stuck > 0) console.log(`In doubt, changed or refused: ${stuck}. --send names them.`);
  console.log("Nobody was texted. To send, pass --send.");
  process.exit(countMissing(preview) + faults.length === 0 ? 0 : 1);
}

const run = sendMany(new TransactionalClient(), guests, options);
for await (const { item, state, reason, note } of run) {
  if (state === "accepted" || reason === "accepted_before") continue;
  console.log(`row ${item.row}, ${item.name}: ${note ?? reason ?? state}`);
}
const summary = await run;
await ledger.close();
const { accepted, inDoubt, skippedBy, stopped, error } = summary;
console.log(`${accepted} texted, ${skippedBy.acceptedBefore} texted before, ${inDoubt} in doubt`);
if (stopped) console.error(`Stopped (${error?.message ?? stopped}). Run it again to continue.`);
process.exitCode = countMissing(summary) + faults.length === 0 ? 0 : 1;
