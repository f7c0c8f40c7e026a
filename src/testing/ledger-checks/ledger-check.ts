import type {
  Ledger,
  LedgerClaim,
  LedgerEntry,
  LedgerResult,
  LedgerState,
} from "../../bulk/ledgers/ledger.ts";

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

/** Builds an id from a name: 128 bits in base64url, like the id of a claim, of a run and of a webhook URL. */
export const idOf = (name: string): string => name.padEnd(22, "A");

/** Builds a digest from a name: SHA-256 in hexadecimal. */
export const digestOf = (name: string): string => name.padEnd(64, "0");

/**
 * Builds a claim from the fields that matter to a check. Their ids and digests may be names. As in a run, the claims of different
 * refs have different ids.
 */
export const claimOf = (given: Partial<LedgerClaim> = {}): LedgerClaim => {
  const { id, digest = "d1", ref = "ref-1", owner = "run-1", ...rest } = given;
  return {
    batch: BATCH,
    key: CHECKED_KEY,
    at: "2026-11-21T09:00:00.000Z",
    ...rest,
    id: idOf(id ?? `of-${ref.slice(0, 19)}`),
    digest: digestOf(digest),
    ref: idOf(ref),
    owner: idOf(owner),
  };
};

/** The claim that most checks begin with. */
export const FIRST = claimOf();

/** Builds a claim that differs from {@link claimOf} in everything but its batch and key. */
export const laterClaim = (given: Partial<LedgerClaim> = {}): LedgerClaim =>
  claimOf({
    ...{ id: "id-2", digest: "d2", ref: "ref-2", owner: "run-2" },
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

/** Maximum length of a value in a message, and maximum number of differences. */
const MAX = { characters: 80, differences: 4 };

const show = (value: unknown): string => {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  // A database may return a `Date` instead of a string.
  if (isObject(value)) return Object.prototype.toString.call(value);
  if (typeof value !== "string") return String(value);
  const start = JSON.stringify(value.slice(0, MAX.characters));
  return value.length > MAX.characters ? `${start}... (${value.length} characters)` : start;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Optional fields of an entry. Other fields that the expected object lacks are the ledger's own, and it may have them. */
const OPTIONAL = ["transactionId", "code"];

/** Lists the differences between two values, each with the path of its field. */
const differences = (actual: unknown, expected: unknown, path: string): string[] => {
  if (!isObject(actual) || !isObject(expected)) {
    return actual === expected ? [] : [`${path} is ${show(actual)}, and must be ${show(expected)}`];
  }
  const fields = Array.isArray(expected) ? ["length"] : OPTIONAL;
  return [...new Set([...fields, ...Object.keys(expected)])].flatMap((field) =>
    differences(actual[field], expected[field], `\`${field}\` of ${path}`),
  );
};

/** @throws Error that names the fields in which two values differ. */
export function assertEqual(actual: unknown, expected: unknown, subject: string): void {
  const found = differences(actual, expected, subject);
  if (found.length === 0) return;
  const rest = found.length - MAX.differences;
  const lines = found.slice(0, MAX.differences);
  throw new Error([...lines, ...(rest > 0 ? [`and ${rest} more differences`] : [])].join("\n"));
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
