import type { LedgerEntry } from "../bulk/ledgers/ledger.ts";
import { isUsOrCanadianNumber, toE164 } from "../rules/phone.ts";
import type { CommandOf } from "./arguments.ts";
import { assertBatch, before, IN_DOUBT } from "./commands.ts";
import type { OpenLedger } from "./open-ledger.ts";
import {
  type Column,
  formatCountOf,
  formatHead,
  formatRow,
  formatTime,
  maskPhones,
  stretch,
  toPrintable,
} from "./print.ts";
import { writeCsv } from "./write-csv.ts";

type Property = keyof LedgerEntry;

/** Form of a list of entries. */
interface Listing {
  /** Columns in a terminal, with the property of an entry that each shows. */
  readonly columns: readonly (Column & { readonly property: Property })[];
  /** Names of the fields in JSON, in snake case also in a CSV file, with their properties. */
  readonly fields: Readonly<Record<string, Property>>;
  /** Sentence for an empty list. */
  readonly none: string;
  readonly toTotal: (count: number) => string;
}

const toCell = (entry: LedgerEntry, property: Property): string => {
  if (property === "at") return formatTime(entry.at);
  if (property === "code" && entry.state === "sending") return "no result yet";
  return entry[property] ?? "";
};

const toSnakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Prints entries, or writes them to a file. */
const list = async (
  { files }: OpenLedger,
  entries: AsyncIterable<LedgerEntry>,
  { csv, json, showKeys }: CommandOf<"doubts" | "entries">,
  { columns, fields, none, toTotal }: Listing,
): Promise<true> => {
  let [count, masked] = [0, 0];
  const shown = async function* () {
    for await (const entry of entries) {
      const key = showKeys ? entry.key : maskPhones(entry.key);
      if (key !== entry.key) masked += 1;
      yield { ...entry, key };
      count += 1;
    }
  };
  if (json && csv === undefined) {
    for await (const entry of shown()) {
      const object = Object.entries(fields).map(([name, property]) => {
        const value = entry[property];
        return [name, value === undefined ? null : toPrintable(value)];
      });
      console.log(`${count === 0 ? "[" : ","}\n  ${JSON.stringify(Object.fromEntries(object))}`);
    }
    console.log(count === 0 ? "[]" : "]");
    return true;
  }
  if (csv !== undefined) {
    const rows = async function* () {
      yield Object.keys(fields).map(toSnakeCase);
      for await (const entry of shown())
        yield Object.values(fields).map((property) => entry[property] ?? "");
    };
    await writeCsv(csv, files, rows());
    console.log(`${toTotal(count)}, written to ${toPrintable(csv)}`);
  } else {
    const stretched = stretch(columns, "batch");
    for await (const entry of shown()) {
      if (count === 0) console.log(formatHead(stretched));
      const cells = columns.map(({ property }) => toCell(entry, property));
      console.log(formatRow(stretched, cells));
    }
    console.log(count === 0 ? none : `\n${toTotal(count)}`);
  }
  if (masked > 0) console.log("Phone numbers are masked: --show-keys shows them in full.");
  return true;
};

/** Prints the keys in doubt, or writes them to a file. */
export const doubts = async (
  opened: OpenLedger,
  command: CommandOf<"doubts">,
): Promise<boolean> => {
  const { ledger } = opened;
  const { batch, beforeMs } = command;
  if (batch !== undefined) await assertBatch(ledger, batch);
  const limit = before(await ledger.now(), beforeMs);
  const entries = ledger.entries({ batch, states: IN_DOUBT, before: limit });
  return list(opened, entries, command, {
    columns: [
      { title: "key", width: 20, property: "key" },
      { title: "batch", width: 16, property: "batch" },
      { title: "since", width: 20, property: "at" },
      { title: "last error", width: 14, property: "code" },
    ],
    fields: { batch: "batch", key: "key", state: "state", since: "at", lastError: "code" },
    none: "No key is in doubt.",
    toTotal: (count) => `${formatCountOf(count, "key")} in doubt`,
  });
};

/** Leaves out the entries of all keys but these. A phone number matches in any common format, and any other key exactly. */
async function* withKeys(
  entries: AsyncIterable<LedgerEntry>,
  keys: readonly string[],
): AsyncGenerator<LedgerEntry> {
  const phones = new Set(keys.filter(isUsOrCanadianNumber).map(toE164));
  const isPhone = (key: string) => isUsOrCanadianNumber(key) && phones.has(toE164(key));
  for await (const entry of entries) {
    // To read a key as a phone number takes longer than to read the entry.
    if (keys.includes(entry.key) || (phones.size > 0 && isPhone(entry.key))) yield entry;
  }
}

/** Prints the keys with their states, or writes them to a file. */
export const entries = async (
  opened: OpenLedger,
  command: CommandOf<"entries">,
): Promise<boolean> => {
  const { ledger } = opened;
  const { batch, states, keys } = command;
  if (batch !== undefined) await assertBatch(ledger, batch);
  const found = ledger.entries({ batch, states });
  return list(opened, keys === undefined ? found : withKeys(found, keys), command, {
    columns: [
      { title: "key", width: 20, property: "key" },
      { title: "batch", width: 8, property: "batch" },
      { title: "state", width: 8, property: "state" },
      { title: "claimed at", width: 20, property: "at" },
      { title: "last error", width: 14, property: "code" },
    ],
    fields: {
      ...{ batch: "batch", key: "key", state: "state", claimedAt: "at" },
      ...{ transactionId: "transactionId", lastError: "code" },
    },
    none: "There is no such entry.",
    toTotal: (count) => formatCountOf(count, "entry", "entries"),
  });
};
