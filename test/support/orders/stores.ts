// The ledgers of two processes over one store. Each of their statements is an operation that the scheduler ends.
import { join } from "node:path";
import type { Ledger, LedgerClaim, LedgerEntry } from "../../../src/bulk/ledger.ts";
import { memoryLedger } from "../../../src/bulk/memory-ledger.ts";
import { sqliteLedger } from "../../../src/bulk/sqlite-ledger.ts";
import type { Fate, Process } from "./process.ts";

/** Opens the ledgers of a history, one handle for each process. */
export type OpenStore = () => readonly Ledger[];

/** Store that each history creates anew. All processes have the same handle. */
export const memoryStore: OpenStore = () => [memoryLedger()];

/** One file with two handles, for all histories. */
export const sqliteStore = (folder: string): OpenStore => {
  const path = join(folder, "orders.db");
  const handles = [sqliteLedger(path), sqliteLedger(path)];
  return () => handles;
};

/** Names of the random ids in a history: `A` is a run, and `A1` its first claim. */
export class Names {
  readonly #names = new Map<string, string>();
  readonly #claims = new Map<string, number>();

  of(id: string): string {
    return this.#names.get(id) ?? "?";
  }

  /** Names the ids of a claim. */
  add({ name }: Process, { id, ref, owner }: LedgerClaim): string {
    const count = (this.#claims.get(name) ?? 0) + 1;
    this.#claims.set(name, count);
    this.#names.set(owner, name).set(ref, name).set(id, `${name}${count}`);
    return this.of(id);
  }

  /** Returns an entry in words. */
  toText(entry: LedgerEntry | undefined): string {
    return entry ? `it is ${entry.state} (${this.of(entry.id)})` : "there is none";
  }
}

/** Returns what may happen to a statement. A late statement is one whose operation ends after a time limit. */
const fatesOf = <T>(run: () => Promise<T>): readonly Fate<T>[] => {
  const fail = () => {
    throw new Error("connection lost");
  };
  return [
    { text: "done", isEvent: false, hasEffect: true, act: run },
    { text: "the ledger refuses the statement", isEvent: true, hasEffect: false, act: fail },
    {
      text: "the ledger has done it, and the confirmation is lost",
      ...{ isEvent: true, hasEffect: true },
      act: async () => {
        await run();
        return fail();
      },
    },
  ];
};

/** Runs a statement as an operation of its process. */
export type Perform = <T>(
  text: string,
  run: () => Promise<T>,
  toText?: (value: T) => string,
) => Promise<T>;

/** Returns the function that runs statements of a process. */
export const performIn =
  (process: Process): Perform =>
  (text, run, toText) =>
    process.perform(text, fatesOf(run), toText);

/** Returns the ledger of a process. */
export const ledgerIn = (process: Process, ledger: Ledger, names: Names): Ledger => {
  const perform = performIn(process);
  return {
    ...ledger,
    find: (batch, key) =>
      perform(
        "looks the key up",
        () => ledger.find(batch, key),
        (entry) => names.toText(entry),
      ),
    claim: (claim) =>
      perform(
        `claims the key (${names.add(process, claim)})`,
        () => ledger.claim(claim),
        (entry) => (entry ? `not granted, ${names.toText(entry)}` : "granted"),
      ),
    settle: (claim, result) =>
      perform(
        `records ${result.state} for ${names.of(claim.id)}`,
        () => ledger.settle(claim, result),
        (holds) => (holds ? "" : "the ledger does not hold it"),
      ),
    resolve: (batch, key, as) =>
      perform(
        "opens the key, whose removal may be repeated",
        () => ledger.resolve(batch, key, as),
        (changed) => (changed ? "" : "nothing changes"),
      ),
  };
};
