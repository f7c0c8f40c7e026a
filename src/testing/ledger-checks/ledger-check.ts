import type {
  Ledger,
  LedgerClaim,
  LedgerEntry,
  LedgerResult,
  LedgerState,
} from "../../bulk/ledger.ts";

/** One check of a ledger, for any test runner. */
export interface LedgerCheck {
  /** A full statement about a ledger, as a test title. */
  readonly name: string;
  /** Runs the check; rejects with an `Error` if the ledger behaves differently. */
  run(): Promise<void>;
}

/** Body of a check; its ledger is over a new and empty store. */
export type LedgerCheckBody = (ledger: Ledger) => Promise<void>;

export const BATCH = "reminders 2026-11-21";
export const CHECKED_KEY = "+12065550123";

/** Builds a claim from the fields that matter to a check. */
export const claimOf = (given: Partial<LedgerClaim> = {}): LedgerClaim => ({
  id: "id-1",
  batch: BATCH,
  key: CHECKED_KEY,
  digest: "digest-1",
  ref: "ref-1",
  owner: "run-1",
  at: "2026-11-21T09:00:00.000Z",
  ...given,
});

/** Builds a claim that differs from {@link claimOf} in everything but its batch and key. */
export const laterClaim = (given: Partial<LedgerClaim> = {}): LedgerClaim =>
  claimOf({
    ...{ id: "id-2", digest: "digest-2", ref: "ref-2", owner: "run-2" },
    at: "2026-11-22T09:00:00.000Z",
    ...given,
  });

/** Builds the entry that a claim leaves, without the fields that are `undefined`. */
export const entryOf = (given: Partial<LedgerEntry> = {}): LedgerEntry =>
  Object.fromEntries(
    Object.entries({ ...claimOf(), state: "sending", ...given }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as unknown as LedgerEntry;

/** Result for each state, with the details that a run records. */
export const RESULTS: Readonly<Record<LedgerResult["state"], LedgerResult>> = {
  accepted: { state: "accepted", transactionId: "transaction-1" },
  rejected: { state: "rejected", code: "validation" },
  open: { state: "open", code: "rate_limit" },
  unknown: { state: "unknown", code: "timeout" },
};

/** Brings a key into a state by a claim and its result, and returns its entry. */
export const putInState = async (
  ledger: Ledger,
  state: LedgerState,
  given: Partial<LedgerClaim> = {},
): Promise<LedgerEntry> => {
  const claim = claimOf(given);
  assertEqual(await ledger.claim(claim), undefined, "the claim of a free key");
  if (state === "sending") return entryOf(claim);
  assertEqual(await ledger.settle(claim, RESULTS[state]), true, "the settle of a claim");
  return entryOf({ ...claim, ...RESULTS[state] });
};

/** Converts a value to JSON with sorted fields; a field that is `undefined` counts as absent. */
const toSortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? "undefined";

/** @throws Error if two values differ. */
export function assertEqual(actual: unknown, expected: unknown, subject: string): void {
  const [found, wanted] = [toSortedJson(actual), toSortedJson(expected)];
  if (found !== wanted) throw new Error(`${subject} is ${found}, and must be ${wanted}`);
}

/** @throws Error unless the ledger holds the expected entry of the key. */
export const assertEntry = async (
  ledger: Ledger,
  expected: LedgerEntry | undefined,
  subject: string,
): Promise<void> => {
  const { batch, key } = expected ?? claimOf();
  assertEqual(await ledger.find(batch, key), expected, `the entry after ${subject}`);
};
