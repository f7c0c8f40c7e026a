// Compares every ledger, step by step under random histories, with a model written from the two tables alone.
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  LEDGER_STATES,
  type Ledger,
  type LedgerClaim,
  type LedgerEntry,
  type LedgerResult,
} from "../../../src/bulk/ledgers/ledger.ts";
import { memoryLedger } from "../../../src/bulk/ledgers/memory-ledger.ts";
import { postgresLedger } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { newMemoryFolder } from "../../support/memory-folder.ts";
import { usePostgres } from "../../support/servers/use-postgres.ts";

const TIMEOUT_MS = 300_000;

const KEYS = ["a", "b"];
const BATCHES = ["x", "y"];

/** One step of a history. A settle counts claims back from the latest one, so it may be late, repeated or for a lost claim. */
type Step =
  | {
      readonly type: "claim";
      readonly key: string;
      readonly batch: string;
      readonly run: number;
      readonly text: string;
      readonly item: number;
    }
  | { readonly type: "settle"; readonly claim: number; readonly result: LedgerResult }
  | {
      readonly type: "resolve";
      readonly key: string;
      readonly batch: string;
      readonly as: "accepted" | "open";
    }
  | { readonly type: "confirm"; readonly item: number; readonly transactionId: string | undefined }
  | { readonly type: "forget"; readonly batch: string; readonly beforeClaim: number | undefined };

const key = fc.constantFrom(...KEYS);
const batch = fc.constantFrom("x", "x", "y");

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("claim" as const),
      ...{ key, batch, run: fc.nat(1), text: fc.constantFrom("Hi", "Hello"), item: fc.nat(2) },
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("settle" as const),
      // Mostly the latest claim.
      claim: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(8)),
      result: fc.record({
        state: fc.constantFrom(...LEDGER_STATES.filter((state) => state !== "sending")),
        transactionId: fc.constantFrom(undefined, "t-1", "t-2"),
        code: fc.constantFrom(undefined, "timeout", "rate_limit"),
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("resolve" as const),
      ...{ key, batch, as: fc.constantFrom("accepted" as const, "open" as const) },
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("confirm" as const),
      ...{ item: fc.nat(12), transactionId: fc.constantFrom(undefined, "t-3") },
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("forget" as const),
      ...{ batch, beforeClaim: fc.option(fc.nat(20), { nil: undefined }) },
    }),
  },
);

/** Ref of an item. An item belongs to one key of one batch in one run. */
const refOf = (run: number, batchName: string, keyName: string, item: number): string =>
  `${run}-${batchName}-${keyName}-${item}`;
const REFS = [0, 1].flatMap((run) =>
  BATCHES.flatMap((b) => KEYS.flatMap((k) => [0, 1, 2].map((item) => refOf(run, b, k, item)))),
);

type Entry = { -readonly [Field in keyof LedgerEntry]: LedgerEntry[Field] };

/** Claims of the same millisecond are in the order of their keys. */
const byTime = (a: LedgerEntry, b: LedgerEntry): number =>
  `${a.at} ${a.key}` < `${b.at} ${b.key}` ? -1 : 1;

/** The two tables, written as plainly as possible. */
class Model {
  readonly entries = new Map<string, Entry>();

  claim(claim: LedgerClaim): LedgerEntry | undefined {
    const place = `${claim.batch}/${claim.key}`;
    const found = this.entries.get(place);
    const isFree =
      !found ||
      found.state === "open" ||
      (found.state === "rejected" && found.digest !== claim.digest) ||
      (found.state === "sending" && found.ref === claim.ref);
    if (!isFree) return { ...found };
    this.entries.set(place, { ...claim, state: "sending", at: "", ageMs: 0 });
    return undefined;
  }

  settle(claim: LedgerClaim, { state, transactionId, code }: LedgerResult): boolean {
    const place = `${claim.batch}/${claim.key}`;
    const found = this.entries.get(place);
    if (!found) {
      if (state === "open" || state === "rejected") return false;
      this.entries.set(place, { ...claim, state, transactionId, code, at: "", ageMs: 0 });
      return true;
    }
    if (state !== "accepted" && found.id !== claim.id) return false;
    if (state !== "accepted" && found.state !== "sending") return found.state === state;
    found.state = state;
    found.code = code;
    found.transactionId ??= transactionId;
    return true;
  }

  resolve(batchName: string, keyName: string, as: "accepted" | "open"): boolean {
    const found = this.entries.get(`${batchName}/${keyName}`);
    if (!found || found.state === "accepted" || found.state === "open") return false;
    if (found.state === "rejected" && as === "accepted") return false;
    found.state = as;
    found.code = undefined;
    return true;
  }

  confirm(ref: string, transactionId: string | undefined): LedgerEntry | undefined {
    const found = [...this.entries.values()].find((entry) => entry.ref === ref);
    if (found && found.state !== "rejected" && found.state !== "accepted") {
      found.state = "accepted";
      found.code = undefined;
      found.transactionId ??= transactionId;
    }
    return found && { ...found };
  }

  forget(batchName: string, before: string | undefined): number {
    const forgotten = [...this.entries].filter(
      ([, entry]) => entry.batch === batchName && (before === undefined || entry.at < before),
    );
    for (const [place] of forgotten) this.entries.delete(place);
    return forgotten.length;
  }

  sorted(): LedgerEntry[] {
    return [...this.entries.values()].sort(byTime);
  }
}

/** Returns a copy of an entry without its age and its `undefined` fields. */
const compact = (entry: LedgerEntry | undefined): unknown =>
  entry && JSON.parse(JSON.stringify({ ...entry, ageMs: undefined }));

const listOf = async (entries: AsyncIterable<LedgerEntry>): Promise<unknown[]> => {
  const list: LedgerEntry[] = [];
  for await (const entry of entries) list.push(entry);
  expect(list.map(({ at }) => at)).toEqual(list.map(({ at }) => at).sort());
  return list.sort(byTime).map(compact);
};

/** Runs a history on a ledger, and compares each result and all entries with the model. */
const follow = async (ledger: Ledger, history: readonly Step[], prefix: string): Promise<void> => {
  const model = new Model();
  const claims: LedgerClaim[] = [];
  const times: Date[] = [];
  /** Gives an entry of the model the time at which the ledger wrote it. */
  const learnTime = async ({ batch, key }: LedgerClaim) => {
    const entry = model.entries.get(`${batch}/${key}`);
    if (!entry || entry.at) return;
    entry.at = String((await ledger.find(batch, key))?.at);
    times.push(new Date(entry.at));
  };
  const named = (name: string) => `${prefix}${name}`;
  for (const [number, given] of history.entries()) {
    if (given.type === "claim") {
      const { run, text, item } = given;
      const claim: LedgerClaim = {
        id: `id-${number}`,
        batch: named(given.batch),
        key: given.key,
        digest: text,
        ref: named(refOf(run, given.batch, given.key, item)),
        owner: `run-${run}`,
      };
      claims.push(claim);
      expect(compact(await ledger.claim(claim))).toEqual(compact(model.claim(claim)));
      await learnTime(claim);
    } else if (given.type === "settle") {
      const claim = claims.at(-1 - (given.claim % Math.max(1, claims.length)));
      if (!claim) continue;
      expect(await ledger.settle(claim, given.result)).toBe(model.settle(claim, given.result));
      await learnTime(claim);
    } else if (given.type === "resolve") {
      const decided = await ledger.resolve(named(given.batch), given.key, given.as);
      expect(decided).toBe(model.resolve(named(given.batch), given.key, given.as));
    } else if (given.type === "confirm") {
      const ref = named(REFS[given.item % REFS.length] ?? "");
      const { transactionId } = given;
      const confirmed = await ledger.confirm(ref, { transactionId });
      expect(compact(confirmed)).toEqual(compact(model.confirm(ref, transactionId)));
    } else {
      const before = times[given.beforeClaim ?? Number.POSITIVE_INFINITY];
      const forgotten = await ledger.forget({ batch: named(given.batch), before });
      expect(forgotten).toBe(model.forget(named(given.batch), before?.toISOString()));
    }
    for (const name of BATCHES.map(named)) {
      const expected = model.sorted().filter((entry) => entry.batch === name);
      expect(await listOf(ledger.entries({ batch: name }))).toEqual(expected.map(compact));
      const states = ["sending", "unknown"] as const;
      expect(await listOf(ledger.entries({ batch: name, states }))).toEqual(
        expected.filter(({ state }) => state === "sending" || state === "unknown").map(compact),
      );
      const counts = Object.fromEntries(
        LEDGER_STATES.map((state) => [
          state,
          expected.filter((entry) => entry.state === state).length,
        ]),
      );
      expect(await ledger.counts(name)).toEqual(counts);
    }
  }
};

const folder = newMemoryFolder("histories-");
const postgres = usePostgres();
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

describe("a ledger", () => {
  test.each([
    ["memory", () => memoryLedger(), 2_000],
    ["SQLite", () => sqliteLedger(join(folder, "sends.db")), 300],
    ["Postgres", () => postgresLedger(postgres.pool), 100],
  ] as const)(
    "a ledger in %s follows both tables through any history of claims, late and lost results, decisions, webhooks and forgotten entries",
    async (_, makeLedger, numRuns) => {
      const ledger = makeLedger();
      let histories = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25, size: "max" }), async (history) => {
          histories += 1;
          await follow(ledger, history, `${histories}-`);
        }),
        { numRuns },
      );
      await ledger.close();
    },
    TIMEOUT_MS,
  );
});
