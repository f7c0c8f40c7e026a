// Compares both SQL ledgers with the memory ledger, step by step, under random histories.
// `ledgerChecks` compares the memory ledger with the two tables.
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  LEDGER_STATES,
  type Ledger,
  type LedgerClaim,
  type LedgerEntry,
  type LedgerFilter,
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

/** One step of a history. A settle counts claims back from the latest, so it may be late, repeated or for a lost claim. */
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
  | { readonly type: "forget"; readonly batch: string };

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
      // Usually settles the latest claim.
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
    arbitrary: fc.record({ type: fc.constant("forget" as const), batch }),
  },
);

/** Returns the ref of an item. An item belongs to one key of one batch in one run. */
const refOf = (run: number, batchName: string, keyName: string, item: number): string =>
  `${run}-${batchName}-${keyName}-${item}`;
const REFS = [0, 1].flatMap((run) =>
  BATCHES.flatMap((b) => KEYS.flatMap((k) => [0, 1, 2].map((item) => refOf(run, b, k, item)))),
);

/** Returns a copy of an entry without its time, its age and its `undefined` fields. */
const compact = (entry: LedgerEntry | undefined): unknown =>
  entry && JSON.parse(JSON.stringify({ ...entry, at: undefined, ageMs: undefined }));

/** Checks that the entries of a batch are listed in the order of their claims. Returns them sorted by key. */
const listOf = async (ledger: Ledger, filter: LedgerFilter): Promise<unknown[]> => {
  const list: LedgerEntry[] = [];
  for await (const entry of ledger.entries(filter)) list.push(entry);
  expect(list.map(({ at }) => at)).toEqual(list.map(({ at }) => at).sort());
  return list.sort((a, b) => (a.key < b.key ? -1 : 1)).map(compact);
};

/** Runs a history on a ledger and on the model. Compares each result and all entries. */
const follow = async (ledger: Ledger, history: readonly Step[], prefix: string): Promise<void> => {
  const model = memoryLedger();
  const claims: LedgerClaim[] = [];
  const named = (name: string) => `${prefix}${name}`;
  const take = async (place: Ledger, given: Step): Promise<unknown> => {
    if (given.type === "claim") {
      const claim = claims.at(-1);
      return claim && compact(await place.claim(claim));
    }
    if (given.type === "settle") {
      const claim = claims.at(-1 - (given.claim % Math.max(1, claims.length)));
      return claim && place.settle(claim, given.result);
    }
    if (given.type === "resolve") return place.resolve(named(given.batch), given.key, given.as);
    if (given.type === "forget") return place.forget({ batch: named(given.batch) });
    const ref = named(REFS[given.item % REFS.length] ?? "");
    return compact(await place.confirm(ref, { transactionId: given.transactionId }));
  };
  for (const [number, given] of history.entries()) {
    if (given.type === "claim") {
      const { run, text, item } = given;
      const ref = named(refOf(run, given.batch, given.key, item));
      const place = { batch: named(given.batch), key: given.key };
      claims.push({ id: `id-${number}`, ...place, digest: text, ref, owner: `run-${run}` });
    }
    expect(await take(ledger, given)).toEqual(await take(model, given));
    for (const batch of BATCHES.map(named)) {
      for (const states of [undefined, ["sending", "unknown"] as const]) {
        const filter = { batch, states };
        expect(await listOf(ledger, filter)).toEqual(await listOf(model, filter));
      }
      expect(await ledger.counts(batch)).toEqual(await model.counts(batch));
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
    ["SQLite", () => sqliteLedger(join(folder, "sends.db")), 150],
    ["Postgres", () => postgresLedger(postgres.pool), 50],
  ] as const)(
    "a ledger in %s does what the ledger in memory does in any history of claims, late and lost results, decisions, webhooks and forgotten entries",
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
