// Runs steps on a ledger and on the in-memory ledger, which follows the two tables, and compares the results.
import type { Ledger, LedgerClaim, LedgerEntry } from "../../bulk/ledgers/ledger.ts";
import { memoryLedger } from "../../bulk/ledgers/memory-ledger.ts";

export const BATCH = "reminders 2026-11-21";
export const CHECKED_KEY = "+12065550123";

/** Builds an id from a name: 132 bits in base64url, like the id of a claim, of a run and of a webhook URL. */
export const idOf = (name: string): string => name.padEnd(22, "A");

/** Builds a claim from the fields that matter to a check; ids and digests may be names. Different refs have different ids. */
export const claimOf = (given: Partial<LedgerClaim> = {}): LedgerClaim => {
  const { id, digest = "d1", ref = "ref-1", owner = "run-1", ...rest } = given;
  return {
    batch: BATCH,
    key: CHECKED_KEY,
    ...rest,
    id: idOf(id ?? `of-${ref.slice(0, 19)}`),
    // SHA-256 in hexadecimal.
    digest: digest.padEnd(64, "0"),
    ref: idOf(ref),
    owner: idOf(owner),
  };
};

/** Waits until every clock shows a later millisecond. */
export const nextMillisecond = async (): Promise<void> => {
  const start = performance.now();
  do await new Promise((resolve) => setTimeout(resolve, 1));
  while (performance.now() - start <= 1);
};

/** Maximum length of a value in a message, and maximum number of differences. */
const MAX = { characters: 80, differences: 4 };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const show = (value: unknown): string => {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  // A database may return a `Date` instead of a string.
  if (isObject(value)) return Object.prototype.toString.call(value);
  if (typeof value !== "string") return String(value);
  const start = JSON.stringify(value.slice(0, MAX.characters));
  return value.length > MAX.characters ? `${start}... (${value.length} characters)` : start;
};

/** Fields that an entry must lack if the expected entry lacks them. A ledger may add fields of other names. */
const OPTIONAL = ["transactionId", "code"];

const differences = (actual: unknown, expected: unknown, path: string): string[] => {
  if (!isObject(actual) || !isObject(expected)) {
    return actual === expected ? [] : [`${path} is ${show(actual)}, and must be ${show(expected)}`];
  }
  const fields = Array.isArray(expected) ? ["length"] : OPTIONAL;
  const compared = new Set([...fields, ...Object.keys(expected)]);
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

/** Maximum time in milliseconds that a check may take. */
const MAX_AGE_MS = 600_000;

/** @throws Error unless an entry has a valid time and age. */
const assertTimes = ({ at, ageMs }: LedgerEntry, subject: string): void => {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at)) {
    throw new Error(`\`at\` of ${subject} is ${show(at)}, and must be ISO 8601 in UTC`);
  }
  if (ageMs >= 0 && ageMs < MAX_AGE_MS) return;
  throw new Error(
    `\`ageMs\` of ${subject} is ${show(ageMs)}, and must be the milliseconds since its claim`,
  );
};

/** A step of a check, with its name in messages. */
export type Step = readonly [name: string, run: (ledger: Ledger) => Promise<unknown>];

/** The ledger under test, with the in-memory ledger that it is compared with. */
export class Comparison {
  readonly ledger: Ledger;
  readonly #model = memoryLedger();
  /** Times of the claims on the ledger's clock, by claim id. */
  readonly #times = new Map<unknown, string>();

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  async compare([name, step]: Step): Promise<void> {
    const expected = await step(this.#model);
    assertEqual(await step(this.ledger), this.#timed(expected), name);
  }

  /** Runs steps, and compares every entry after each step. */
  async run(steps: readonly Step[]): Promise<void> {
    for (const [name, step] of steps) {
      await this.compare([`the result of ${name}`, step]);
      await this.compareEntries(name);
    }
  }

  async compareEntries(step: string): Promise<void> {
    const subject = `the entry after ${step}`;
    await this.compare([subject, (ledger) => ledger.find(BATCH, CHECKED_KEY)]);
    for await (const entry of this.#model.entries()) {
      const found = await this.ledger.find(entry.batch, entry.key);
      assertEqual(found, this.#timed(entry), subject);
      if (!found) continue;
      assertTimes(found, subject);
      this.#times.set(entry.id, found.at);
    }
  }

  /** Returns an in-memory entry as the ledger must return it, with the ledger's own time once that is known. */
  #timed(expected: unknown): unknown {
    if (Array.isArray(expected)) return expected.map((item) => this.#timed(item));
    if (!isObject(expected)) return expected;
    // Not compared: an age grows between two statements.
    const { at: _, ageMs: _age, ...rest } = expected;
    const at = this.#times.get(expected.id);
    return at === undefined ? rest : { ...rest, at };
  }
}
