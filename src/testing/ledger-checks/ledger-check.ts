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
  claimOf({ id: "id-2", digest: "d2", ref: "ref-2", owner: "run-2", ...given });

/** Entry that a check expects; without `at`, any time will do. */
export type ExpectedEntry = Omit<LedgerEntry, "at" | "ageMs"> & { readonly at?: string };

/** Builds the entry that a claim leaves, without the fields that are `undefined`. */
export const entryOf = (given: Partial<ExpectedEntry> = {}): ExpectedEntry =>
  Object.fromEntries(
    Object.entries({ ...claimOf(), state: "sending", ...given }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as unknown as ExpectedEntry;

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
): Promise<ExpectedEntry> => {
  const claim = claimOf(given);
  assertEqual(await ledger.claim(claim), undefined, "the claim of a free key");
  const { at } = (await ledger.find(claim.batch, claim.key)) ?? {};
  const claimed = { ...claim, ...(at !== undefined && { at }) };
  if (state === "sending") return entryOf(claimed);
  assertEqual(await ledger.settle(claim, RESULTS[state]), true, "the settle of a claim");
  return entryOf({ ...claimed, ...RESULTS[state] });
};

/** Waits until every clock shows a later millisecond. */
export const nextMillisecond = async (): Promise<void> => {
  const start = performance.now();
  do await new Promise((resolve) => setTimeout(resolve, 1));
  while (performance.now() - start <= 1);
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
  // An age grows between two statements.
  const compared = new Set([...fields, ...Object.keys(expected).filter((key) => key !== "ageMs")]);
  return [...compared].flatMap((field) =>
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

/** Longest time in milliseconds that a check may take. */
const MAX_AGE_MS = 600_000;

/** @throws Error unless the ledger holds the expected entry of the key, with a time and an age. */
export const assertEntry = async (
  ledger: Ledger,
  expected: ExpectedEntry | undefined,
  subject: string,
): Promise<void> => {
  const { batch, key } = expected ?? claimOf();
  const entry = await ledger.find(batch, key);
  assertEqual(entry, expected, `the entry after ${subject}`);
  if (!entry) return;
  const { at, ageMs } = entry;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at)) {
    throw new Error(
      `\`at\` of the entry after ${subject} is ${show(at)}, and must be ISO 8601 in UTC`,
    );
  }
  if (!(ageMs >= 0 && ageMs < MAX_AGE_MS)) {
    throw new Error(
      `\`ageMs\` of the entry after ${subject} is ${show(ageMs)}, and must be the milliseconds since its claim`,
    );
  }
};
