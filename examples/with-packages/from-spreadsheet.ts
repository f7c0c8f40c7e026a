// Texts the guests of a spreadsheet, except those of a second file: `node from-spreadsheet.ts guests.csv opt-outs.csv`. The columns
// are name and phone. It stops if a row is invalid, unless `--anyway` is given.
import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { parse } from "csv-parse/sync";
import { checkPhone, fitSms, TransactionalClient } from "messaging-service-client";
import { previewMany, sendMany, sqliteLedger } from "messaging-service-client/bulk";

type Row = Readonly<Record<string, string>>;
const flags = { anyway: { type: "boolean" } } as const;
const { positionals, values } = parseArgs({ allowPositionals: true, options: flags });
const [guestsFile = "guests.csv", optOutsFile = "opt-outs.csv"] = positionals;

async function rowsOf(file: string): Promise<Row[]> {
  const bytes = await readFile(file);
  const encoding = isUtf8(bytes) ? "utf-8" : "windows-1252"; // which Excel writes in North America
  const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  const [header = ""] = text.split("\n", 1);
  const delimiter = [";", "\t", ","].find((sign) => header.includes(sign)) ?? ",";
  const columns = (names: string[]) => names.map((name) => name.trim().toLowerCase());
  const quotes = { relax_quotes: true, trim: true }; // accepts ="2065550123"
  return parse(text, { columns, delimiter, skip_empty_lines: true, ...quotes });
}

const optedOut = new Set<string>();
for (const { phone } of await rowsOf(optOutsFile)) {
  const { e164, message } = checkPhone(phone);
  // Whoever cannot be left out could be texted.
  if (e164 === undefined) throw new Error(`${optOutsFile}: ${message}`);
  optedOut.add(e164);
}

const guests = await rowsOf(guestsFile);
const ledger = sqliteLedger(`${guestsFile}.db`);
const options = {
  batch: "opening",
  ledger,
  skip: ({ phone }: Row) => optedOut.has(checkPhone(phone).e164 ?? "") && "opted out",
  toMessage: ({ name, phone }: Row, { ref }: { ref: string }) => {
    const text = `${name}, we open on Friday! 🎉`;
    const smsFailover = fitSms(text, { segments: 1, unwritable: "?" }).text;
    const webhookUrl = `https://example.com/hooks/${ref}`;
    return { phoneNumber: phone ?? "", webhookUrl, rcsPayload: { text }, smsFailover };
  },
};

const { sendable, invalidItems } = await previewMany(guests, options);
for (const { item, error } of invalidItems) console.log(`${item.name}: ${error.message}`);
console.log(`${sendable} of ${guests.length} guests would be texted`);
if (invalidItems.length > 0 && !values.anyway) {
  console.log("Nobody was texted. Correct the file, or pass --anyway.");
  process.exit(1);
}

const run = sendMany(new TransactionalClient(), guests, options);
const notTexted: Record<string, string> = {};
for await (const { item, state, reason, note } of run) {
  const why = note ?? reason ?? state;
  if (state !== "accepted") notTexted[why] = [notTexted[why] ?? why, item.name].join(", ");
}
const { accepted, rejected, notSent, inDoubt, skippedBy, stopped } = await run;
console.log(`${accepted} texted`);
for (const line of Object.values(notTexted)) console.log(line.replace(",", ":"));
await ledger.close();
const { changed, rejectedBefore } = skippedBy;
const unsent = invalidItems.length + rejected + rejectedBefore + changed + notSent + inDoubt;
process.exitCode = stopped || unsent > 0 ? 1 : 0;
