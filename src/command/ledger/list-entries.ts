// The selection of entries for a command, and the commands that list entries.
import { IN_DOUBT, type Ledger, type LedgerEntry } from "../../bulk/ledgers/ledger.ts";
import { e164Of } from "../../core/rules/phone.ts";
import { UsageError } from "../terminal/arguments.ts";
import {
  type Column,
  formatCountOf,
  formatHead,
  formatRow,
  formatTime,
  maskPhones,
  quoteWord,
  stretch,
  toCsvRow,
  toPrintable,
  write,
} from "../terminal/print.ts";
import type { FlagsOf, Limit } from "./ledger-flags.ts";
import type { Work } from "./open-ledger.ts";

/** Returns the time of a limit. An age is measured by the ledger's clock, because the clock of this machine may be wrong. */
export const before = (now: number, limit: Limit | undefined): Date | undefined =>
  typeof limit === "number" ? new Date(now - limit) : limit;

/** Checks that a batch has entries, because a misspelled name must not look like a batch without doubts. */
export const assertBatch = async (ledger: Ledger, batch: string | undefined): Promise<void> => {
  if (batch === undefined) return;
  for await (const _ of ledger.entries({ batch })) return;
  throw new Error(`There is no batch ${quoteWord(batch)} in this ledger.`);
};

export const toShown = (key: string, showKeys: boolean): string =>
  toPrintable(showKeys ? key : maskPhones(key));

/** Returns a function that matches keys: a phone number in any common format, and any other key exactly. */
export const matchKeys = (keys: readonly string[]): ((key: string) => boolean) => {
  const phones = new Set(keys.flatMap((key) => e164Of(key) ?? []));
  // Parsing a key as a phone number takes longer than reading its entry, so it is the last test.
  return (key) => keys.includes(key) || (phones.size > 0 && phones.has(e164Of(key) ?? ""));
};

export async function* withKeys(
  entries: AsyncIterable<LedgerEntry>,
  keys: readonly string[],
): AsyncGenerator<LedgerEntry> {
  const isAsked = matchKeys(keys);
  for await (const entry of entries) if (isAsked(entry.key)) yield entry;
}

type Property = Exclude<keyof LedgerEntry, "ageMs">;

interface Listing {
  /** Columns in a terminal, with the property of an entry that each shows. */
  readonly columns: readonly (Column & { readonly property: Property })[];
  /** Names of the fields in JSON, with their properties. CSV has the same names in snake case. */
  readonly fields: Readonly<Record<string, Property>>;
  readonly none: string;
  readonly toTotal: (count: number) => string;
}

type Form = Pick<FlagsOf<"doubts" | "entries">, "csv" | "json" | "show-keys">;

const assertOneForm = ({ csv, json }: Form): void => {
  if (csv && json) throw new UsageError("Pass --csv or --json, not both.");
};

const toCell = (entry: LedgerEntry, property: Property): string => {
  if (property === "at") return formatTime(entry.at);
  if (property === "code" && entry.state === "sending") return "no result yet";
  return String(entry[property] ?? "");
};

const toSnakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const list = async (
  entries: AsyncIterable<LedgerEntry>,
  { csv, json, "show-keys": showKeys }: Form,
  { columns, fields, none, toTotal }: Listing,
): Promise<true> => {
  const stretched = stretch(columns, "batch");
  const properties = Object.entries(fields);
  const toText = (entry: LedgerEntry, isFirst: boolean): string => {
    if (csv) return toCsvRow(properties.map(([, name]) => String(entry[name] ?? "")));
    if (json) {
      const object = properties.map(([name, property]) => {
        const value = entry[property];
        return [name, value === undefined ? null : toPrintable(String(value))];
      });
      return `${isFirst ? "[" : ","}\n  ${JSON.stringify(Object.fromEntries(object))}\n`;
    }
    const cells = columns.map(({ property }) => toCell(entry, property));
    const head = isFirst ? `${formatHead(stretched)}\n` : "";
    return `${head}${formatRow(stretched, cells)}\n`;
  };
  let [count, masked] = [0, 0];
  // Without a byte order mark, Excel shows Montréal as MontrÃ©al.
  if (csv) process.stdout.write(`\uFEFF${toCsvRow(Object.keys(fields).map(toSnakeCase))}`);
  for await (const { key: whole, ...rest } of entries) {
    const entry: LedgerEntry = { key: showKeys ? whole : maskPhones(whole), ...rest };
    if (entry.key !== whole) masked += 1;
    if (!(await write(toText(entry, count === 0)))) return true;
    count += 1;
  }
  if (json) console.log(count === 0 ? "[]" : "]");
  else if (!csv) console.log(count === 0 ? none : `\n${toTotal(count)}`);
  const hint = "Phone numbers are masked: --show-keys shows them in full.";
  // Output for a program contains only the data.
  if (masked > 0 && !json) (csv ? console.error : console.log)(hint);
  return true;
};

const column = (title: string, width: number, property: Property) => ({ title, width, property });

export const doubts: Work<"doubts"> = (_, flags) => {
  assertOneForm(flags);
  return async (ledger) => {
    const { batch } = flags;
    await assertBatch(ledger, batch);
    const limit = before(await ledger.now(), flags.before);
    return list(ledger.entries({ batch, states: IN_DOUBT, before: limit }), flags, {
      columns: [
        column("key", 20, "key"),
        column("batch", 16, "batch"),
        column("since", 20, "at"),
        column("last error", 14, "code"),
      ],
      fields: { batch: "batch", key: "key", state: "state", since: "at", lastError: "code" },
      none: "No key is in doubt.",
      toTotal: (count) => `${formatCountOf(count, "key")} in doubt`,
    });
  };
};

export const entries: Work<"entries"> = ([batch], flags) => {
  assertOneForm(flags);
  return async (ledger) => {
    const { state: states, key: keys } = flags;
    await assertBatch(ledger, batch);
    const found = ledger.entries({ batch, ...(states.length > 0 && { states }) });
    return list(keys.length === 0 ? found : withKeys(found, keys), flags, {
      columns: [
        column("key", 20, "key"),
        column("batch", 8, "batch"),
        column("state", 8, "state"),
        column("claimed at", 20, "at"),
        column("last error", 14, "code"),
      ],
      fields: {
        batch: "batch",
        key: "key",
        state: "state",
        claimedAt: "at",
        transactionId: "transactionId",
        lastError: "code",
      },
      none: "There is no such entry.",
      toTotal: (count) => formatCountOf(count, "entry", "entries"),
    });
  };
};
