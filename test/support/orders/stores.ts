// The ledgers of two processes over one store. Each of their statements is an operation that the scheduler ends.
import { join } from "node:path";
import {
  LEDGER_STATES,
  type Ledger,
  type LedgerClaim,
  type LedgerEntry,
} from "../../../src/bulk/ledgers/ledger.ts";
import { memoryLedger } from "../../../src/bulk/ledgers/memory-ledger.ts";
import { postgresLedger, type Queryable } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import type { Fate, Process } from "./process.ts";

/** Store of the histories of a search. */
export interface Store {
  /** Opens the ledgers of a history: the scheduler's own, and one for each process unless they share the first. */
  readonly open: () => readonly Ledger[];
  /** Makes each SQL statement of a ledger a step of its process. Default: each call of the ledger is a step. */
  readonly connect?: (process: Process, index: number) => void;
}

/** Store that is created anew for each history. */
export const memoryStore: Store = { open: () => [memoryLedger()] };

/** One file for all histories, with a handle for each process. */
export const sqliteStore = (folder: string): Store => {
  const path = join(folder, "orders.db");
  const ledgers = [sqliteLedger(path), sqliteLedger(path), sqliteLedger(path)];
  return { open: () => ledgers };
};

/** One table for all histories, with a ledger for each process. */
export const postgresStore = async (pool: Queryable, processes: number): Promise<Store> => {
  const owners: (Process | undefined)[] = [];
  const ledgers = Array.from({ length: processes }, (_, index) =>
    postgresLedger({
      query: (text, values) => {
        const run = async () => pool.query(text, values);
        const state = values.find((value) => LEDGER_STATES.some((name) => name === value));
        const statement = [text.trim().split(/\s/)[0], state].filter(Boolean).join(" ");
        return owners[index]?.perform(`runs ${statement}`, fatesOf(run)) ?? run();
      },
    }),
  );
  const all = [postgresLedger(pool), ...ledgers];
  // The table exists before the first history.
  for (const ledger of all) await ledger.counts("none");
  const connect = (process: Process, index: number) => {
    owners[index] = process;
  };
  return { open: () => all, connect };
};

/** Names for the random ids in a history. `A` is a run, and `A1` is its first claim. */
export class Names {
  readonly #names = new Map<string, string>();
  readonly #claims = new Map<string, number>();
  readonly #times = new Map<string, number>();

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

  /** Records that a claim reaches the ledger now, on the clock of the history. */
  time({ id }: LedgerClaim): void {
    this.#times.set(id, Date.now());
  }

  /** Returns an entry with the times of the history's clock, because a database has its own clock. */
  timed<T extends LedgerEntry | undefined>(entry: T): T {
    const claimedMs = this.#times.get(entry?.id ?? "") ?? Date.now();
    const at = new Date(claimedMs).toISOString();
    return entry && { ...entry, at, ageMs: Date.now() - claimedMs };
  }

  /** Returns an entry in words. */
  toText(entry: LedgerEntry | undefined): string {
    return entry ? `it is ${entry.state} (${this.of(entry.id)})` : "there is none";
  }
}

/** Returns what may happen to a statement. A statement is late if its operation ends after a time limit. */
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

/** Returns the ledger of a process. */
export const ledgerIn = (process: Process, ledger: Ledger, names: Names): Ledger => {
  const perform = <T>(text: string, run: () => Promise<T>, toText: (value: T) => string) =>
    process.perform(text, fatesOf(run), toText);
  return {
    ...ledger,
    find: (batch, key) =>
      perform(
        "looks the key up",
        async () => names.timed(await ledger.find(batch, key)),
        (entry) => names.toText(entry),
      ),
    claim: (claim) =>
      perform(
        `claims the key (${names.add(process, claim)})`,
        async () => {
          names.time(claim);
          return names.timed(await ledger.claim(claim));
        },
        (entry) => (entry ? `not granted, ${names.toText(entry)}` : "granted"),
      ),
    settle: (claim, result) =>
      perform(
        `records ${result.state}${result.code ? ` (${result.code})` : ""} for ${names.of(claim.id)}`,
        () => ledger.settle(claim, result),
        (holds) => (holds ? "" : "the ledger does not hold it"),
      ),
    resolve: (...decision) =>
      perform(
        "opens the key, whose removal may be repeated",
        () => ledger.resolve(...decision),
        (changed) => (changed ? "" : "nothing changes"),
      ),
  };
};
