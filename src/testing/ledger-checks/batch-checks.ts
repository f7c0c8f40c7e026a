import { LEDGER_STATES, type LedgerEntry } from "../../bulk/ledger.ts";
import {
  assertEntry,
  assertEqual,
  BATCH,
  claimOf,
  entryOf,
  type LedgerCheckBody,
  putInState,
} from "./ledger-check.ts";

/** Number of entries that is larger than a page of any ledger. */
const MANY = 1_200;

const keysOf = async (entries: AsyncIterable<LedgerEntry>): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of entries) keys.push(key);
  return keys.sort();
};

/** Adds an entry in each state, and one in another batch. */
const fill = async (ledger: Parameters<LedgerCheckBody>[0]): Promise<void> => {
  for (const state of LEDGER_STATES) {
    await putInState(ledger, state, { key: `key-${state}`, ref: `ref-${state}` });
  }
  await putInState(ledger, "accepted", { batch: "another batch", ref: "ref-elsewhere" });
};

export const batchChecks: Readonly<Record<string, LedgerCheckBody>> = {
  "entries of an empty batch are none": async (ledger) => {
    assertEqual(await keysOf(ledger.entries(BATCH)), [], "the list of keys");
  },

  "entries are those of the batch, whole": async (ledger) => {
    await fill(ledger);
    const expected = LEDGER_STATES.map((state) => `key-${state}`).sort();
    assertEqual(await keysOf(ledger.entries(BATCH)), expected, "the list of keys");
    for await (const entry of ledger.entries(BATCH)) await assertEntry(ledger, entry, "entries");
  },

  "entries of a state are those in that state": async (ledger) => {
    await fill(ledger);
    for (const state of LEDGER_STATES) {
      const keys = await keysOf(ledger.entries(BATCH, { state }));
      assertEqual(keys, [`key-${state}`], `the list of keys that are ${state}`);
    }
    assertEqual((await keysOf(ledger.entries(BATCH, { state: undefined }))).length, 5, "the count");
  },

  "entries of a large batch come once each": async (ledger) => {
    const keys = Array.from({ length: MANY }, (_, index) => `key-${index}`);
    await Promise.all(keys.map((key) => ledger.claim(claimOf({ key, ref: `ref of ${key}` }))));
    assertEqual(await keysOf(ledger.entries(BATCH)), keys.sort(), "the list of keys");
    const sending = await keysOf(ledger.entries(BATCH, { state: "sending" }));
    assertEqual(sending.length, MANY, "the number of keys that are sending");
  },

  "entries can be decided while they are iterated, and left early": async (ledger) => {
    for (const key of ["a", "b", "c"]) await ledger.claim(claimOf({ key, ref: `ref-${key}` }));
    for await (const { key } of ledger.entries(BATCH)) await ledger.resolve(BATCH, key, "accepted");
    assertEqual((await ledger.counts(BATCH)).accepted, 3, "the count of `accepted`");
    for await (const _ of ledger.entries(BATCH)) break;
    assertEqual(await ledger.resolve(BATCH, "a", "open"), false, "a call after the loop was left");
  },

  "counts of an empty batch are 0 for each state": async (ledger) => {
    const zeros = Object.fromEntries(LEDGER_STATES.map((state) => [state, 0]));
    assertEqual(await ledger.counts(BATCH), zeros, "the counts");
  },

  "counts are numbers of entries by state": async (ledger) => {
    await fill(ledger);
    await putInState(ledger, "open", { key: "one more", ref: "ref of one more" });
    const expected = { sending: 1, accepted: 1, rejected: 1, open: 2, unknown: 1 };
    assertEqual(await ledger.counts(BATCH), expected, "the counts");
  },

  "forget deletes the batch with its refs, and no other batch": async (ledger) => {
    await fill(ledger);
    await ledger.forget(BATCH);
    assertEqual(await keysOf(ledger.entries(BATCH)), [], "the list of keys");
    assertEqual(await ledger.confirm("ref-sending"), undefined, "confirm of a forgotten ref");
    assertEqual((await ledger.counts("another batch")).accepted, 1, "the count of another batch");
  },

  "forget lets a key be claimed anew": async (ledger) => {
    await putInState(ledger, "accepted");
    await ledger.forget(BATCH);
    const anew = claimOf({ ref: "ref-2" });
    assertEqual(await ledger.claim(anew), undefined, "the claim");
    await assertEntry(ledger, entryOf(anew), "the claim");
  },

  "forget of an unknown batch does nothing": async (ledger) => {
    const before = await putInState(ledger, "unknown");
    await ledger.forget("another batch");
    await assertEntry(ledger, before, "forget of another batch");
  },

  "close can be called twice": async (ledger) => {
    await putInState(ledger, "sending");
    await ledger.close();
    await ledger.close();
  },
};
