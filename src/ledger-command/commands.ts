import type { Ledger, LedgerEntry, LedgerState } from "../bulk/ledgers/ledger.ts";
import { type CommandOf, UsageError } from "./arguments.ts";
import type { OpenLedger } from "./open-ledger.ts";
import {
  type Column,
  confirms,
  endProgress,
  formatAge,
  formatBytes,
  formatCount,
  formatCountOf,
  formatHead,
  formatRow,
  formatTime,
  maskPhones,
  showProgress,
  stretch,
  toPrintable,
} from "./print.ts";

/** States of a key that may or may not have been sent. */
export const IN_DOUBT = ["sending", "unknown"] as const;

/** Age in milliseconds below which a claim may still be on the wire. */
const FRESH_MS = 600_000;

/** Number of keys that are listed before a question. */
const LISTED = 10;

/** Returns the time that long ago by the ledger's clock: the clock of this machine may be wrong. */
export const before = (now: number, ageMs: number | undefined): Date | undefined =>
  ageMs === undefined ? undefined : new Date(now - ageMs);

/** Checks that a batch has entries: a misspelled name must not look like a batch without doubts. */
export const assertBatch = async (ledger: Ledger, batch: string): Promise<void> => {
  for await (const _ of ledger.entries({ batch })) return;
  throw new Error(`There is no batch "${toPrintable(batch)}" in this ledger.`);
};

/** Asks before a change, unless the person has already agreed. */
const mayProceed = async (question: string, yes: boolean): Promise<boolean> => {
  if (yes) return true;
  if (!process.stdin.isTTY) throw new UsageError("There is no terminal to ask in: pass --yes.");
  if (await confirms(question)) return true;
  console.error("Nothing was changed.");
  return false;
};

const inDoubtOf = (counts: Readonly<Record<LedgerState, number>>): number =>
  counts.sending + counts.unknown;

const totalOf = (counts: Readonly<Record<LedgerState, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const STATUS_COLUMNS: readonly Column[] = [
  { title: "batch", width: 20 },
  { title: "accepted", width: 9, align: "right" },
  { title: "rejected", width: 8, align: "right" },
  { title: "open", width: 7, align: "right" },
  { title: "in doubt", width: 8, align: "right" },
  { title: "oldest doubt", width: 12, align: "right" },
];

/** Prints the batches with their counts. */
export const status = async (
  { ledger, size }: OpenLedger,
  { batch, json }: CommandOf<"status">,
): Promise<boolean> => {
  if (batch !== undefined) await assertBatch(ledger, batch);
  const oldest = new Map<string, string>();
  for await (const entry of ledger.entries({ batch, states: IN_DOUBT })) {
    if (!oldest.has(entry.batch)) oldest.set(entry.batch, entry.at);
  }
  const batches = [];
  for await (const name of batch === undefined ? ledger.batches() : [batch]) {
    const counts = await ledger.counts(name);
    const oldestDoubt = oldest.get(name);
    batches.push({
      batch: toPrintable(name),
      ...counts,
      oldestDoubt: oldestDoubt === undefined ? null : toPrintable(oldestDoubt),
    });
  }
  const bytes = await size();
  if (json) {
    console.log(JSON.stringify({ size: bytes, batches }, null, 2));
    return true;
  }
  const now = await ledger.now();
  const columns = stretch(STATUS_COLUMNS, "batch");
  if (batches.length > 0) console.log(formatHead(columns));
  let [total, inDoubt] = [0, 0];
  for (const { batch: name, oldestDoubt, ...counts } of batches) {
    total += totalOf(counts);
    inDoubt += inDoubtOf(counts);
    const numbers = [counts.accepted, counts.rejected, counts.open, inDoubtOf(counts)];
    const age = oldestDoubt === null ? "" : formatAge(oldestDoubt, now);
    console.log(formatRow(columns, [name, ...numbers.map(formatCount), age]));
  }
  const entries = formatCountOf(total, "entry", "entries");
  const inBatches = formatCountOf(batches.length, "batch", "batches");
  const doubt = inDoubt === 0 ? "none in doubt" : `${formatCount(inDoubt)} in doubt`;
  console.log(
    `${batches.length > 0 ? "\n" : ""}${entries} in ${inBatches}, ${doubt}; ${formatBytes(bytes)}`,
  );
  return true;
};

const toShown = (key: string, showKeys: boolean): string =>
  toPrintable(showKeys ? key : maskPhones(key));

/** Finds the entries of the named keys; throws if the decision would not change every one. */
const findKeys = async (
  { ledger }: OpenLedger,
  { batch, keys, as, showKeys }: CommandOf<"resolve">,
): Promise<LedgerEntry[]> => {
  const decidable: readonly LedgerState[] = as === "open" ? [...IN_DOUBT, "rejected"] : IN_DOUBT;
  const found: LedgerEntry[] = [];
  const problems: string[] = [];
  for (const key of new Set(keys)) {
    const entry = await ledger.find(batch, key);
    if (entry && decidable.includes(entry.state)) found.push(entry);
    else
      problems.push(
        `${toShown(key, showKeys)} ${entry ? `is ${toPrintable(entry.state)}` : "is not in this batch"}`,
      );
  }
  if (problems.length === 0) return found;
  throw new Error(
    `Nothing was changed, because not every key is in doubt:\n  ${problems.join("\n  ")}`,
  );
};

/** Records decisions about keys in doubt. */
export const resolve = async (
  opened: OpenLedger,
  command: CommandOf<"resolve">,
): Promise<boolean> => {
  const { ledger } = opened;
  const { batch, keys, allBeforeMs, as, force, yes, showKeys } = command;
  const now = await ledger.now();
  let entries: LedgerEntry[] = [];
  if (keys.length > 0) {
    entries = await findKeys(opened, command);
  } else {
    const filter = { batch, states: IN_DOUBT, before: before(now, allBeforeMs) };
    for await (const entry of ledger.entries(filter)) entries.push(entry);
    if (entries.length === 0) {
      await assertBatch(ledger, batch);
      console.log(
        `No key that was claimed before ${formatTime(String(filter.before?.toISOString()))} is in doubt.`,
      );
      return true;
    }
  }

  // A time that cannot be read may be recent, too.
  const isOld = (at: string) => Date.parse(at) <= now - FRESH_MS;
  const fresh = entries.filter(({ state, at }) => state !== "rejected" && !isOld(at));
  if (as === "open" && fresh.length > 0 && !force) {
    const some = `${formatCount(fresh.length)} of ${formatCountOf(entries.length, "key")}`;
    throw new Error(
      `Nothing was changed: ${some} ${fresh.length === 1 ? "was" : "were"} claimed less than ten minutes ago, and may be on the wire now. Wait, or pass --force.`,
    );
  }

  for (const { key, at, state, code = "" } of entries.slice(0, LISTED)) {
    console.error(
      `  ${toShown(key, showKeys)}  ${formatAge(at, now)}  ${state === "sending" ? "no result yet" : toPrintable(code)}`,
    );
  }
  if (entries.length > LISTED) console.error(`  and ${formatCount(entries.length - LISTED)} more`);
  const effect =
    as === "open" ? "may then be sent again" : "counts as sent, and will not be sent again";
  const number = formatCountOf(entries.length, "key");
  const question = `Resolve ${number} of "${toPrintable(batch)}" as ${as}? Each ${effect}.`;
  if (!(await mayProceed(question, yes))) return false;

  let resolved = 0;
  for (const { key, id } of entries) {
    // A key that was claimed again since the question may be on the wire.
    if (await ledger.resolve(batch, key, as, id)) resolved += 1;
  }
  console.log(`${formatCountOf(resolved, "key")} of "${toPrintable(batch)}" resolved as ${as}`);
  if (resolved === entries.length) return true;
  console.error(
    `${formatCountOf(entries.length - resolved, "key")} changed in the meantime: see doubts.`,
  );
  return false;
};

/** Deletes entries of a batch. */
export const forget = async (
  { ledger }: OpenLedger,
  { batch, beforeMs, yes }: CommandOf<"forget">,
): Promise<boolean> => {
  const limit = before(await ledger.now(), beforeMs);
  const filter = { batch, states: undefined, before: limit?.toISOString() };
  const counts = await ledger.countsOf(filter);
  const total = totalOf(counts);
  if (total === 0) {
    await assertBatch(ledger, batch);
    console.log(`No entry was claimed before ${formatTime(filter.before ?? "")}.`);
    return true;
  }
  const inDoubt = inDoubtOf(counts);
  if (inDoubt > 0) {
    console.error(
      `${formatCount(inDoubt)} of ${formatCountOf(total, "entry", "entries")} ${inDoubt === 1 ? "is" : "are"} in doubt: see doubts --batch "${toPrintable(batch)}"`,
    );
  }
  const number = formatCountOf(total, "entry", "entries");
  const keys = total === 1 ? "Its key" : "Their keys";
  const question = `Forget ${number} of "${toPrintable(batch)}"? ${keys} can then be sent again.`;
  if (!(await mayProceed(question, yes))) return false;

  let forgotten = 0;
  for await (const count of ledger.forgetInSteps(filter)) {
    forgotten += count;
    showProgress(forgotten, total);
  }
  endProgress();
  console.log(
    `${formatCountOf(forgotten, "entry", "entries")} of "${toPrintable(batch)}" forgotten`,
  );
  return true;
};
