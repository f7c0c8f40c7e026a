// The entries that a command is about.
import type { Ledger, LedgerEntry, LedgerState } from "../../bulk/ledgers/ledger.ts";
import { isUsOrCanadianNumber, toE164 } from "../../rules/phone.ts";
import { maskPhones, quoteWord, toPrintable } from "../terminal/print.ts";

/** States of a key that may or may not have been sent. */
export const IN_DOUBT = ["sending", "unknown"] as const satisfies readonly LedgerState[];

/** Returns the time that long ago by the ledger's clock: the clock of this machine may be wrong. */
export const before = (now: number, ageMs: number | undefined): Date | undefined =>
  ageMs === undefined ? undefined : new Date(now - ageMs);

/** Checks that a batch has entries: a misspelled name must not look like a batch without doubts. */
export const assertBatch = async (ledger: Ledger, batch: string | undefined): Promise<void> => {
  if (batch === undefined) return;
  for await (const _ of ledger.entries({ batch })) return;
  throw new Error(`There is no batch ${quoteWord(batch)} in this ledger.`);
};

/** Returns a key as it is shown. */
export const toShown = (key: string, showKeys: boolean): string =>
  toPrintable(showKeys ? key : maskPhones(key));

/** Returns a test of whether a key is one of these. A phone number matches in any common format, and any other key exactly. */
export const matchKeys = (keys: readonly string[]): ((key: string) => boolean) => {
  const phones = new Set(keys.filter(isUsOrCanadianNumber).map(toE164));
  // To read a key as a phone number takes longer than to read its entry.
  return (key) =>
    keys.includes(key) || (phones.size > 0 && isUsOrCanadianNumber(key) && phones.has(toE164(key)));
};

/** Leaves out the entries of all keys but these. */
export async function* withKeys(
  entries: AsyncIterable<LedgerEntry>,
  keys: readonly string[],
): AsyncGenerator<LedgerEntry> {
  const isAsked = matchKeys(keys);
  for await (const entry of entries) if (isAsked(entry.key)) yield entry;
}
