import { IN_DOUBT, type LedgerEntry, type LedgerState } from "../../bulk/ledgers/ledger.ts";
import type { SqlLedger } from "../../bulk/ledgers/sql-ledger.ts";
import { UsageError } from "../terminal/arguments.ts";
import {
  type Column,
  confirms,
  formatAge,
  formatBytes,
  formatCount,
  formatCountOf,
  formatHead,
  formatRow,
  formatTime,
  quoteWord,
  stretch,
  toPrintable,
} from "../terminal/print.ts";
import { requiredBatch } from "./ledger-flags.ts";
import { assertBatch, before, matchKeys, toShown, withKeys } from "./list-entries.ts";
import type { Work } from "./open-ledger.ts";

/** Age in milliseconds below which a claim may still be on the wire. */
const FRESH_MS = 600_000;

const LISTED = 10;

const mayProceed = async (question: string, yes: boolean): Promise<boolean> => {
  if (yes) return true;
  if (!process.stdin.isTTY) throw new UsageError("There is no terminal to ask in: pass --yes.");
  if (await confirms(question)) return true;
  console.error("Nothing was changed.");
  return false;
};

type Counts = Readonly<Record<LedgerState, number>>;

const inDoubtOf = ({ sending, unknown }: Counts): number => sending + unknown;

const totalOf = (counts: Counts): number => Object.values(counts).reduce((sum, n) => sum + n, 0);

const splitCounts = ({ sending, accepted, rejected, open, unknown, ...other }: Counts) => ({
  counts: { sending, accepted, rejected, open, unknown },
  other: Object.entries<number>(other).map(
    ([state, count]) => [toPrintable(state), count] as const,
  ),
});

const STATUS_COLUMNS: readonly Column[] = [
  { title: "batch", width: 20 },
  ...Object.entries({ accepted: 9, rejected: 8, open: 7, "in doubt": 8, "oldest doubt": 12 }).map(
    ([title, width]) => ({ title, width, align: "right" as const }),
  ),
];

export const status: Work<"status"> =
  ([batch], { json }) =>
  async (ledger) => {
    await assertBatch(ledger, batch);
    const oldest = new Map<string, LedgerEntry>();
    for await (const entry of ledger.entries({ batch, states: IN_DOUBT })) {
      if (!oldest.has(entry.batch)) oldest.set(entry.batch, entry);
    }
    const batches = [];
    for await (const name of batch === undefined ? ledger.batches() : [batch]) {
      batches.push({
        batch: toPrintable(name),
        doubt: oldest.get(name),
        ...splitCounts(await ledger.counts(name)),
      });
    }
    const bytes = await ledger.size();
    if (json) {
      const shown = batches.map(({ batch, doubt, counts, other }) => {
        const oldestDoubt = doubt ? toPrintable(doubt.at) : null;
        const otherStates = other.length > 0 && { otherStates: Object.fromEntries(other) };
        return { batch, ...counts, ...otherStates, oldestDoubt };
      });
      console.log(JSON.stringify({ size: bytes, batches: shown }, null, 2));
      return true;
    }
    const columns = stretch(STATUS_COLUMNS, "batch");
    if (batches.length > 0) console.log(formatHead(columns));
    let [total, inDoubt] = [0, 0];
    const others = new Map<string, number>();
    for (const { batch: name, doubt, counts, other } of batches) {
      total += totalOf(counts);
      inDoubt += inDoubtOf(counts);
      for (const [state, count] of other) others.set(state, (others.get(state) ?? 0) + count);
      const numbers = [counts.accepted, counts.rejected, counts.open, inDoubtOf(counts)];
      const age = doubt ? formatAge(doubt.ageMs) : "";
      console.log(formatRow(columns, [name, ...numbers.map(formatCount), age]));
    }
    const entries = formatCountOf(total, "entry", "entries");
    const inBatches = formatCountOf(batches.length, "batch", "batches");
    const doubt = inDoubt === 0 ? "none in doubt" : `${formatCount(inDoubt)} in doubt`;
    if (batches.length > 0) console.log("");
    console.log(`${entries} in ${inBatches}, ${doubt}; ${formatBytes(bytes)}`);
    for (const [state, count] of others) {
      const more = formatCountOf(count, "further entry", "further entries");
      console.log(`${more} in the state ${quoteWord(state)}, which this version does not support`);
    }
    return true;
  };

/** Finds the entries of the named keys. Throws if the decision would not change all of them. */
const findKeys = async (
  ledger: SqlLedger,
  batch: string,
  keys: readonly string[],
  { as, showKeys }: { readonly as: "accepted" | "open"; readonly showKeys: boolean },
): Promise<LedgerEntry[]> => {
  const decidable: readonly LedgerState[] = as === "open" ? [...IN_DOUBT, "rejected"] : IN_DOUBT;
  const matching: LedgerEntry[] = [];
  for await (const entry of withKeys(ledger.entries({ batch }), keys)) matching.push(entry);
  // A key matches a phone number in another format only if no entry has exactly this key.
  const asWritten = new Set(matching.map(({ key }) => key));
  const rest = matchKeys(keys.filter((key) => !asWritten.has(key)));
  const found = matching.filter(({ key }) => keys.includes(key) || rest(key));
  const problems = found
    .filter(({ state }) => !decidable.includes(state))
    .map(({ key, state }) => `${toShown(key, showKeys)} is ${toPrintable(state)}`);
  for (const key of keys) {
    if (found.some((entry) => matchKeys([key])(entry.key))) continue;
    problems.push(`${toShown(key, showKeys)} is not in this batch`);
  }
  if (problems.length === 0) return found;
  throw new Error(
    `Nothing was changed, because not every key is in doubt:\n  ${problems.join("\n  ")}`,
  );
};

export const resolve: Work<"resolve"> = ([first, ...keys], flags) => {
  const batch = requiredBatch("resolve", first);
  const { as, force, yes, "all-before": allBefore, "show-keys": showKeys } = flags;
  if ((allBefore === undefined) === (keys.length === 0)) {
    throw new UsageError("resolve takes either keys or --all-before.");
  }
  if (as === undefined) throw new UsageError("--as must be accepted or open.");
  return async (ledger) => {
    let entries: LedgerEntry[] = [];
    if (keys.length > 0) {
      entries = await findKeys(ledger, batch, keys, { as, showKeys });
    } else {
      const filter = { batch, states: IN_DOUBT, before: before(await ledger.now(), allBefore) };
      for await (const entry of ledger.entries(filter)) entries.push(entry);
      if (entries.length === 0) {
        await assertBatch(ledger, batch);
        const limit = formatTime(String(filter.before?.toISOString()));
        console.log(`No key that was claimed before ${limit} is in doubt.`);
        return true;
      }
    }

    // A time that cannot be parsed may also be recent.
    const isFresh = ({ ageMs, state }: LedgerEntry) => state !== "rejected" && !(ageMs >= FRESH_MS);
    const fresh = entries.filter(isFresh);
    if (as === "open" && fresh.length > 0 && !force) {
      const some = `${formatCount(fresh.length)} of ${formatCountOf(entries.length, "key")}`;
      throw new Error(
        `Nothing was changed: ${some} ${fresh.length === 1 ? "was" : "were"} claimed less than ten minutes ago, and may be on the wire now. Wait, or pass --force.`,
      );
    }

    for (const { key, ageMs, state, code = "" } of entries.slice(0, LISTED)) {
      console.error(
        `  ${toShown(key, showKeys)}  ${formatAge(ageMs)}  ${state === "sending" ? "no result yet" : toPrintable(code)}`,
      );
    }
    if (entries.length > LISTED)
      console.error(`  and ${formatCount(entries.length - LISTED)} more`);
    const effect =
      as === "open" ? "may then be sent again" : "counts as sent, and will not be sent again";
    const number = formatCountOf(entries.length, "key");
    const question = `Resolve ${number} of ${quoteWord(batch)} as ${as}? Each ${effect}.`;
    if (!(await mayProceed(question, yes))) return false;

    let resolved = 0;
    for (const { key, id } of entries) {
      // A key that was claimed again since the question may be on the wire.
      if (await ledger.resolve(batch, key, as, id)) resolved += 1;
    }
    console.log(`${formatCountOf(resolved, "key")} of ${quoteWord(batch)} resolved as ${as}`);
    if (resolved === entries.length) return true;
    console.error(
      `${formatCountOf(entries.length - resolved, "key")} changed in the meantime: see doubts.`,
    );
    return false;
  };
};

export const forget: Work<"forget"> = ([first], { yes, before: beforeLimit }) => {
  const batch = requiredBatch("forget", first);
  return async (ledger) => {
    const limit = before(await ledger.now(), beforeLimit);
    const counts = await ledger.counts(batch, limit);
    const total = totalOf(counts);
    if (total === 0) {
      await assertBatch(ledger, batch);
      console.log(`No entry was claimed before ${formatTime(limit?.toISOString() ?? "")}.`);
      return true;
    }
    const inDoubt = inDoubtOf(counts);
    const number = formatCountOf(total, "entry", "entries");
    if (inDoubt > 0) {
      console.error(
        `${formatCount(inDoubt)} of ${number} ${inDoubt === 1 ? "is" : "are"} in doubt: see doubts --batch ${quoteWord(batch)}`,
      );
    }
    const keys = total === 1 ? "Its key" : "Their keys";
    const question = `Forget ${number} of ${quoteWord(batch)}? ${keys} can then be sent again.`;
    if (!(await mayProceed(question, yes))) return false;
    const forgotten = await ledger.forget({ batch, before: limit });
    console.log(`${formatCountOf(forgotten, "entry", "entries")} of ${quoteWord(batch)} forgotten`);
    return true;
  };
};
