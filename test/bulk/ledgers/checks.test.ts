// Runs `ledgerChecks` against ledgers that each break one rule, and against a strict ledger that accepts only documented input.
import { ledgerChecks } from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import type {
  ForgetFilter,
  Ledger,
  LedgerClaim,
  LedgerEntry,
  LedgerFilter,
  LedgerResult,
  LedgerState,
} from "../../../src/bulk/ledgers/ledger.ts";

const LEDGER_STATES = ["sending", "accepted", "rejected", "open", "unknown"] as const;

const isInDoubt = ({ state }: LedgerEntry): boolean => state === "sending" || state === "unknown";

/** Rules of a ledger, written from the two tables. Each mutant replaces one of them. */
const RULES = {
  keyOf: (key: string): string => key,
  placeOf: (batch: string, key: string): string => JSON.stringify([batch, key]),
  takes: (found: LedgerEntry | undefined, { digest, ref }: LedgerClaim): boolean =>
    !found ||
    found.state === "open" ||
    (found.state === "rejected" && found.digest !== digest) ||
    (found.state === "sending" && found.ref === ref),
  pause: (): Promise<void> | undefined => undefined,
  refused: (found: LedgerEntry | undefined, _: LedgerClaim): LedgerEntry | undefined => found,
  settled: (
    found: LedgerEntry | undefined,
    claim: LedgerClaim,
    { state, transactionId, code }: LedgerResult,
  ): LedgerEntry | undefined => {
    const isOwn = found?.state === "sending" && found.id === claim.id;
    const isRestored = !found && state === "unknown";
    if (state !== "accepted" && !isOwn && !isRestored) return undefined;
    const entry = found ?? { ...claim, at: new Date().toISOString(), ageMs: 0 };
    return { ...entry, state, transactionId: found?.transactionId ?? transactionId, code };
  },
  holds: (found: LedgerEntry | undefined, { id }: LedgerClaim, { state }: LedgerResult): boolean =>
    found?.state === state && (state === "accepted" || found.id === id),
  resolved: (found: LedgerEntry, state: "accepted" | "open"): LedgerEntry | undefined =>
    isInDoubt(found) || (state === "open" && found.state === "rejected")
      ? { ...found, state, code: undefined }
      : undefined,
  isDecided: (found: LedgerEntry, id: string | undefined): boolean =>
    id === undefined || found.id === id,
  confirmed: (
    found: LedgerEntry,
    details: { readonly transactionId?: string | undefined } = {},
  ): LedgerEntry | undefined =>
    found.state === "rejected" || found.state === "accepted"
      ? undefined
      : {
          ...{ ...found, state: "accepted", code: undefined },
          transactionId: found.transactionId ?? details.transactionId,
        },
  timeOf: (_: LedgerEntry | undefined): string => new Date().toISOString(),
  ageOf: (entry: LedgerEntry): number => Date.now() - Date.parse(entry.at),
  isListed: (entry: LedgerEntry, { batch, states, before }: LedgerFilter): boolean =>
    (batch === undefined || batch === entry.batch) &&
    (states === undefined || states.includes(entry.state)) &&
    (before === undefined || entry.at < before.toISOString()),
  sorted: (entries: LedgerEntry[]): LedgerEntry[] =>
    entries.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at))),
  isForgotten: (entry: LedgerEntry, { batch, before }: ForgetFilter): boolean =>
    entry.batch === batch && (before === undefined || entry.at < before.toISOString()),
  forgetsRefs: true,
  forgotten: (number: number): number => number,
  counts: (counts: Record<LedgerState, number>): Record<LedgerState, number> => counts,
  isCounted: (entry: LedgerEntry, batch: string): boolean => entry.batch === batch,
  found: (entry: LedgerEntry | undefined): LedgerEntry | undefined => entry,
  close: (_: number): void => {},
};

/** Creates a ledger with the given rules. It shares no code with the ledgers of the package. */
const ledgerOf = (mutation: Partial<typeof RULES>): Ledger => {
  const rules = { ...RULES, ...mutation };
  const entries = new Map<string, LedgerEntry>();
  const lostRefs: LedgerEntry[] = [];
  let closed = 0;
  const placeOf = (batch: string, key: string) => rules.placeOf(batch, rules.keyOf(key));
  const find = (batch: string, key: string) => entries.get(placeOf(batch, key));
  const write = (entry: LedgerEntry): LedgerEntry => {
    entries.set(placeOf(entry.batch, entry.key), entry);
    return entry;
  };
  return {
    async find(batch, key) {
      const entry = find(batch, key);
      return rules.found(entry && { ...entry, ageMs: rules.ageOf(entry) });
    },
    async claim(claim) {
      const found = find(claim.batch, claim.key);
      const paused = rules.pause();
      if (paused) await paused;
      if (!rules.takes(found, claim)) return rules.refused(found, claim);
      write({ ...claim, state: "sending", at: rules.timeOf(found), ageMs: 0 });
      return undefined;
    },
    async settle(claim, result) {
      const found = find(claim.batch, claim.key);
      const settled = rules.settled(found, claim, result);
      if (settled) write(settled);
      return rules.holds(settled ?? found, claim, result);
    },
    async resolve(batch, key, as, id) {
      const found = find(batch, key);
      const resolved = found && rules.isDecided(found, id) && rules.resolved(found, as);
      if (resolved) write(resolved);
      return Boolean(resolved);
    },
    async confirm(ref, details) {
      const found = [...entries.values(), ...lostRefs].find((entry) => entry.ref === ref);
      const confirmed = found && rules.confirmed(found, details);
      return confirmed ? write(confirmed) : found;
    },
    async *entries(filter = {}) {
      const listed = [...entries.values()].filter((entry) => rules.isListed(entry, filter));
      yield* rules.sorted(listed);
    },
    async counts(batch) {
      const counts = Object.fromEntries(LEDGER_STATES.map((state) => [state, 0]));
      for (const entry of entries.values()) {
        if (rules.isCounted(entry, batch)) counts[entry.state] = (counts[entry.state] ?? 0) + 1;
      }
      return rules.counts(counts as Record<LedgerState, number>);
    },
    async forget(filter) {
      const forgotten = [...entries.values()].filter((entry) => rules.isForgotten(entry, filter));
      for (const { batch, key } of forgotten) entries.delete(placeOf(batch, key));
      if (!rules.forgetsRefs) lostRefs.push(...forgotten);
      return rules.forgotten(forgotten.length);
    },
    async close() {
      closed += 1;
      rules.close(closed);
    },
  };
};

type Mutant = readonly [name: string, mutation: Partial<typeof RULES>];

/** Fields that a claim shares with the entry that it finds. A claim never has the `ref` of a different run. */
const SHARED: readonly (readonly ("digest" | "owner" | "ref")[])[] = [
  [],
  ["digest"],
  ["owner"],
  ["digest", "owner"],
  ["owner", "ref"],
  ["digest", "owner", "ref"],
];

/** One mutant for each row of the table of claims, with the opposite decision. */
const claimMutants = LEDGER_STATES.flatMap((state) =>
  SHARED.map((shared): Mutant => {
    const isRow = (found: LedgerEntry, claim: LedgerClaim): boolean =>
      found.state === state &&
      (["digest", "owner", "ref"] as const).every(
        (field) => (found[field] === claim[field]) === shared.includes(field),
      );
    return [
      `decides a claim on ${state} with the same ${shared.join(", ") || "nothing"} the other way round`,
      {
        takes: (found, claim) =>
          RULES.takes(found, claim) !== (found !== undefined && isRow(found, claim)),
      },
    ];
  }),
);

/** Entries that a settle may find: the state, and whether the entry belongs to the claim. */
const FOUND = [
  [undefined, true] as const,
  ...LEDGER_STATES.flatMap((state) => [[state, true] as const, [state, false] as const]),
];

const settleMutants = FOUND.flatMap(([state, isOwn]) =>
  LEDGER_STATES.filter((as) => as !== "sending").flatMap((as): Mutant[] => {
    const isRow = (found: LedgerEntry | undefined, claim: LedgerClaim, result: LedgerResult) =>
      result.state === as &&
      found?.state === state &&
      (found === undefined || (found.id === claim.id) === isOwn);
    const row = `settle as ${as} on ${state ?? "no entry"}${isOwn ? "" : " of another claim"}`;
    const wrong = (found: LedgerEntry | undefined, claim: LedgerClaim, result: LedgerResult) => ({
      ...(found ?? { ...claim, at: RULES.timeOf(found), ageMs: 0 }),
      state: result.state,
      code: "wrong",
    });
    let matches = false;
    return [
      [
        `inverts whether ${row} changes the entry`,
        {
          settled: (found, claim, result) => {
            const settled = RULES.settled(found, claim, result);
            if (!isRow(found, claim, result)) return settled;
            return settled ? undefined : wrong(found, claim, result);
          },
        },
      ],
      [
        `resolves to the opposite after ${row}`,
        {
          settled: (found, claim, result) => {
            matches = isRow(found, claim, result);
            return RULES.settled(found, claim, result);
          },
          holds: (found, claim, result) => RULES.holds(found, claim, result) !== matches,
        },
      ],
    ];
  }),
);

const decisionMutants = LEDGER_STATES.flatMap((state): Mutant[] => [
  ...(["accepted", "open"] as const).map(
    (as): Mutant => [
      `decides resolve as ${as} on ${state} the other way round`,
      {
        resolved: (found, given) => {
          const resolved = RULES.resolved(found, given);
          if (found.state !== state || given !== as) return resolved;
          return resolved ? undefined : { ...found, state: as };
        },
      },
    ],
  ),
  [
    `decides confirm on ${state} the other way round`,
    {
      confirmed: (found, details) => {
        const confirmed = RULES.confirmed(found, details);
        if (found.state !== state) return confirmed;
        return confirmed ? undefined : { ...found, ...details, state: "accepted" };
      },
    },
  ],
]);

const resolveIdMutants: readonly Mutant[] = [
  ["ignores the id of a decision", { isDecided: () => true }],
  ...(["sending", "unknown", "rejected"] as const).map(
    (state): Mutant => [
      `ignores the id of a decision about a key that is ${state}`,
      { isDecided: (found, id) => found.state === state || RULES.isDecided(found, id) },
    ],
  ),
  ["decides nothing if an id is given", { isDecided: (_, id) => id === undefined }],
];

const without = <T extends LedgerEntry | undefined>(entry: T, field: keyof LedgerEntry): T =>
  entry && { ...entry, [field]: undefined };

const detailMutants: readonly Mutant[] = [
  ...(["id", "digest", "ref", "owner", "at", "ageMs", "code", "transactionId"] as const).map(
    (field): Mutant => [`forgets the ${field}`, { found: (entry) => without(entry, field) }],
  ),
  ["keeps the time of an earlier claim", { timeOf: (found) => found?.at ?? RULES.timeOf(found) }],
  [
    "moves the time of a claim when its result comes",
    {
      settled: (found, claim, result) => {
        const settled = RULES.settled(found, claim, result);
        return settled && { ...settled, at: new Date(Date.parse(settled.at) - 1).toISOString() };
      },
    },
  ],
  ["finds each entry as young as at its claim", { ageOf: () => 0 }],
  [
    "keeps times without milliseconds",
    { timeOf: (found) => RULES.timeOf(found).replace(/\.\d+Z$/, "Z") },
  ],
  [
    "finds an entry that was never written",
    { found: (entry) => entry ?? ({ state: "open" } as LedgerEntry) },
  ],
  [
    "replaces a known transactionId",
    {
      settled: (found, claim, result) =>
        RULES.settled(found && without(found, "transactionId"), claim, result),
    },
  ],
  [
    "keeps the code of an accepted key",
    {
      settled: (found, claim, result) => {
        const settled = RULES.settled(found, claim, result);
        return settled && { ...settled, code: settled.code ?? found?.code };
      },
    },
  ],
  [
    "keeps the code of a decided key",
    { resolved: (found, as) => RULES.resolved(found, as) && { ...found, state: as } },
  ],
  ["does not keep the id of a webhook", { confirmed: (found) => RULES.confirmed(found) }],
  [
    "adds the id of a webhook to a key that was accepted without one",
    {
      confirmed: (found, details) =>
        RULES.confirmed(found, details) ??
        (found.state === "accepted"
          ? { ...found, transactionId: found.transactionId ?? details?.transactionId }
          : undefined),
    },
  ],
  ["takes a key for two claims at once", { pause: () => Promise.resolve() }],
  [
    "tells a second one of many claims that it took the key",
    { refused: (found, { owner }) => (owner.startsWith("run-39") ? undefined : found) },
  ],
  ["ignores case", { keyOf: (key) => key.toLowerCase() }],
  ["ignores spaces", { keyOf: (key) => key.trim() }],
  ["normalizes keys", { keyOf: (key) => key.normalize("NFC") }],
  ["shortens keys", { keyOf: (key) => key.slice(0, 255) }],
  ["reads keys as numbers", { keyOf: (key) => (/^\d+$/.test(key) ? `${Number(key)}` : key) }],
  ["collapses spaces in keys", { keyOf: (key) => key.replaceAll(/ +/g, " ") }],
  ["drops invisible characters of keys", { keyOf: (key) => key.replaceAll("\u200b", "") }],
  ...[..." :/|-_.\n"].map((mark): Mutant => {
    const name = `joins batch and key by ${JSON.stringify(mark)}`;
    return [name, { placeOf: (batch, key) => `${batch}${mark}${key}` }];
  }),
  ["trims batches", { placeOf: (batch, key) => RULES.placeOf(batch.trimEnd(), key) }],
  ...[255, 512].map(
    (length): Mutant => [
      `shortens batches to ${length}`,
      { placeOf: (batch, key) => RULES.placeOf(batch.slice(0, length), key) },
    ],
  ),
];

/** Rules of a ledger that misreads the filter of `entries`, and of a ledger that misreads the filter of `forget`. */
const listing = (change: (filter: LedgerFilter) => LedgerFilter): Partial<typeof RULES> => ({
  isListed: (entry, filter) => RULES.isListed(entry, change(filter)),
});
const forgetting = (
  change: (filter: ForgetFilter, entry: LedgerEntry) => ForgetFilter,
): Partial<typeof RULES> => ({
  isForgotten: (entry, filter) => RULES.isForgotten(entry, change(filter, entry)),
});

const listMutants: readonly Mutant[] = [
  ["ignores the batch in a list", listing((filter) => ({ ...filter, batch: undefined }))],
  ["ignores the states in a list", listing((filter) => ({ ...filter, states: undefined }))],
  ["ignores the time in a list", listing((filter) => ({ ...filter, before: undefined }))],
  [
    "lists only the first of several states",
    listing((filter) => ({ ...filter, states: filter.states?.slice(0, 1) })),
  ],
  [
    "treats an empty list of states as every state",
    listing(({ states, ...filter }) => ({ ...filter, ...(states?.length && { states }) })),
  ],
  [
    "includes the time limit itself in a list",
    {
      isListed: (entry, { before, ...filter }) =>
        RULES.isListed(entry, { ...filter, before: undefined }) &&
        (before === undefined || entry.at <= before.toISOString()),
    },
  ],
  [
    "lists an entry that was never written",
    { sorted: (entries) => (entries.length > 0 ? RULES.sorted(entries) : [{} as LedgerEntry]) },
  ],
  ["lists entries as they came", { sorted: (entries) => entries }],
  ["lists the latest claim first", { sorted: (entries) => RULES.sorted(entries).toReversed() }],
  [
    "lists many entries in the wrong order",
    {
      sorted: (entries) => {
        const sorted = RULES.sorted(entries);
        return sorted.length > 1_000 ? sorted.toReversed() : sorted;
      },
    },
  ],
  ["lists a thousand entries", { sorted: (entries) => RULES.sorted(entries).slice(0, 1_000) }],
  [
    "lists only one of several entries with the same time",
    {
      sorted: (entries) => [
        ...new Map(RULES.sorted(entries).map((entry) => [entry.at, entry])).values(),
      ],
    },
  ],
  [
    "lists entries without their code",
    { sorted: (entries) => RULES.sorted(entries).map((entry) => without(entry, "code")) },
  ],
  [
    "lists batches by the start of their names",
    {
      isListed: (entry, { batch = "", ...filter }) =>
        entry.batch.startsWith(batch) && RULES.isListed(entry, filter),
    },
  ],
  [
    "counts batches by the start of their names",
    { isCounted: (entry, batch) => entry.batch.startsWith(batch) },
  ],
  [
    "forgets batches by the start of their names",
    forgetting((filter, { batch }) =>
      batch.startsWith(filter.batch) ? { ...filter, batch } : filter,
    ),
  ],
  ["counts every batch", { isCounted: () => true }],
  ["counts nothing", { isCounted: () => false }],
  [
    "leaves out states without entries",
    {
      counts: (counts) =>
        Object.fromEntries(
          Object.entries(counts).filter(([, count]) => count > 0),
        ) as typeof counts,
    },
  ],
  ["ignores the batch in forget", forgetting((filter, { batch }) => ({ ...filter, batch }))],
  ["ignores the time in forget", forgetting((filter) => ({ ...filter, before: undefined }))],
  [
    "includes the time limit itself in forget",
    {
      isForgotten: (entry, { batch, before }) =>
        entry.batch === batch && (before === undefined || entry.at <= before.toISOString()),
    },
  ],
  [
    "forgets only settled keys",
    {
      isForgotten: (entry, filter) => RULES.isForgotten(entry, filter) && entry.state !== "unknown",
    },
  ],
  ["forgets nothing", { isForgotten: () => false }],
  ["remembers the refs of forgotten entries", { forgetsRefs: false }],
  ["does not count what it forgets", { forgotten: () => 1 }],
  [
    "cannot be closed twice",
    {
      close: (times) => {
        if (times > 1) throw new Error("closed");
      },
    },
  ],
];

const MUTANTS = [
  ...claimMutants,
  ...settleMutants,
  ...decisionMutants,
  ...resolveIdMutants,
  ...detailMutants,
  ...listMutants,
];

/** Returns the names of the checks that a ledger fails, with the messages of their errors. */
const failuresOf = async (ledger: () => Ledger): Promise<Record<string, string>> => {
  const failed: Record<string, string> = {};
  await Promise.all(
    ledgerChecks(ledger).map(({ name, run }) =>
      run().catch((error: unknown) => {
        expect(error).toBeInstanceOf(Error);
        failed[name] = (error as Error).message;
      }),
    ),
  );
  return failed;
};

/** Checks for the form of each field of a claim, as the interface describes it. */
const FORMS: Readonly<Record<keyof LedgerClaim, (value: string) => boolean>> = {
  id: (id) => Buffer.from(id, "base64url").toString("base64url") === id && id.length === 22,
  batch: (batch) => batch !== "" && Buffer.byteLength(batch) <= 1_024,
  key: (key) => key !== "" && Buffer.byteLength(key) <= 1_024,
  digest: (digest) => /^[0-9a-f]{64}$/.test(digest),
  ref: (ref) => FORMS.id(ref),
  owner: (owner) => FORMS.id(owner),
};
const CODES = ["validation", "rate_limit", "timeout", "connection"];

/** Creates a ledger that refuses any undocumented input and adds its own fields to each entry. */
const strictLedger = (): Ledger => {
  const ledger = ledgerOf({
    found: (entry) => entry && { ...entry, _id: 7, savedAt: new Date() },
  });
  /** Items by ID and ref. A unique index allows each of them only once. */
  const items = new Map<string, string>();
  const check = (claim: LedgerClaim) => {
    for (const field of Object.keys(FORMS) as (keyof LedgerClaim)[]) {
      if (!FORMS[field](claim[field])) throw new Error(`${field} has the wrong form`);
    }
    for (const id of [claim.id, claim.ref]) {
      const item = JSON.stringify([claim.batch, claim.key]);
      if ((items.get(id) ?? item) !== item) throw new Error("two items share an id");
      items.set(id, item);
    }
  };
  return {
    ...ledger,
    async claim(claim) {
      check(claim);
      return ledger.claim(claim);
    },
    async settle(claim, result) {
      check(claim);
      if (result.code !== undefined && !CODES.includes(result.code)) throw new Error(result.code);
      return ledger.settle(claim, result);
    },
  };
};

describe("ledgerChecks", () => {
  const failed = new Set<string>();

  test("ledgerChecks pass for a ledger that follows the tables", async () => {
    expect(await failuresOf(() => ledgerOf({}))).toEqual({});
  });

  test.each(MUTANTS)("ledgerChecks find the fault of a ledger that %s", async (_, mutation) => {
    const failures = await failuresOf(() => ledgerOf(mutation));
    for (const name of Object.keys(failures)) failed.add(name);
    expect(failures).not.toEqual({});
    for (const message of Object.values(failures)) {
      expect(message.split("\n").length).toBeLessThanOrEqual(5);
      expect(message.length).toBeLessThan(1_200);
    }
  });

  test("ledgerChecks pass for a ledger that accepts only what the interface describes", async () => {
    expect(await failuresOf(strictLedger)).toEqual({});
  });

  test.each(["id", "batch", "key", "digest", "ref", "owner"] as const)(
    "a failed check names the field %s and both values",
    async (field) => {
      const failures = await failuresOf(() =>
        ledgerOf({ found: (entry) => entry && { ...entry, [field]: "wrong" } }),
      );
      const named = new RegExp(
        `^\`${field}\` of the entry after .+ is "wrong", and must be "[^"]+"$`,
      );
      expect(failures["claim of a new key takes it, and find returns the claim"]).toMatch(named);
    },
  );

  test("a failed check shows the start of a long value, and where a list differs", async () => {
    const shortened = await failuresOf(() =>
      ledgerOf({ found: (entry) => entry && { ...entry, key: entry.key.slice(0, 255) } }),
    );
    expect(shortened["keys and batches are kept exactly"]).toMatch(
      /^`key` of the entry after the claim is "x{80}"\.\.\. \(255 characters\), and must be "x{80}"\.\.\. \(1018 characters\)$/,
    );
    const reversed = await failuresOf(() =>
      ledgerOf({ sorted: (entries) => RULES.sorted(entries).toReversed() }),
    );
    expect(reversed["entries that match a filter are complete, oldest claim first"]).toBe(
      [
        ...[0, 1, 2, 3].map(
          (index) =>
            `\`${index}\` of the list of keys for {} is "${8 - index}", and must be "${index}"`,
        ),
        "and 4 more differences",
      ].join("\n"),
    );
  });

  test("each of the ledgerChecks fails for at least one faulty ledger", () => {
    const names = ledgerChecks(() => ledgerOf({})).map(({ name }) => name);
    expect(names.filter((name) => !failed.has(name))).toEqual([]);
  });
});
