import { AbortError, type ValidationError } from "../core/errors.ts";
import {
  assertBoolean,
  assertOptions,
  assertSignal,
  or,
  withoutUndefined,
} from "../core/options.ts";
import { analyzeGsm7 } from "../core/rules/gsm7.ts";
import { waitFor } from "../core/wait-for.ts";
import type { Deliver } from "./delivery.ts";
import type { ReadItem } from "./input.ts";
import type { Ledger, LedgerEntry } from "./ledgers/ledger.ts";
import { createPrepare, type MessageFunctions, type RcsMessage } from "./message.ts";
import { type OnResult, Run } from "./run.ts";
import { assertItems, type RunOptions, type RunSettings, toRunSettings } from "./run-options.ts";
import type { ItemOutcome, RunCounts } from "./run-result.ts";
import { type SendManyOptions, sendManyOptionNames } from "./send-many.ts";
import { toSkippedOutcome } from "./timed-ledger.ts";

/**
 * Options of `previewMany`. Pass the options of the run to preview; options that only concern a send have no effect.
 * `signal` ends the preview. Without `batch` and `ledger`, the preview ignores earlier runs.
 */
export type PreviewManyOptions<Item> = Partial<RunOptions<Item>> &
  Pick<SendManyOptions<Item>, "toMessage" | "contentTypeOf">;

/** Preview of a run. An item that would be sent counts in `items` and `sendable`, and in no other number. */
export interface Preview<Item> extends RunCounts {
  /** Number of items of the input. */
  readonly items: number;
  /** Number of items that would be sent. */
  readonly sendable: number;
  /** Items that break a rule. */
  readonly invalidItems: readonly {
    /** The item, as the input gave it. */
    readonly item: Item;
    /** Position in the input, starting at 0. */
    readonly index: number;
    /** Key of the item, if it has one. */
    readonly key?: string;
    /** Error with one issue for each rule that the item breaks. */
    readonly error: ValidationError;
  }[];
  /** Items that would be skipped as `duplicate`, because an earlier item of the input has the same key. */
  readonly duplicateItems: readonly {
    /** The item, as the input gave it. */
    readonly item: Item;
    /** Position in the input, starting at 0. */
    readonly index: number;
    /** Key that the two items share. */
    readonly key: string;
  }[];
  /** Size of the SMS fallbacks, if every message that would be sent fell back. */
  readonly fallback: {
    /** Number of SMS segments in all. */
    readonly segments: number;
    /** Length of the longest text in septets. */
    readonly longestSeptets: number;
    /** Number of texts that take more than one segment. */
    readonly multiSegment: number;
  };
}

const CONCURRENCY = 64;

/** Returns a substitute for the ledger of a preview without one. It contains no earlier run. */
const noLedger = () => {
  const nothing = async () => undefined;
  return { find: nothing, claim: nothing, settle: nothing };
};

/** Returns the settings of a run that only looks up keys: first among what the preview would have sent, then in the ledger. */
const toPreviewSettings = <Item>(
  { batch, ledger, ledgerTimeout, keyOf, skip, ...options }: Partial<RunOptions<Item>>,
  sent: ReadonlyMap<string, LedgerEntry>,
): RunSettings<Item> => {
  const signal = or(assertSignal)("signal", options.signal);
  const { validateRequests: validate } = options;
  const validateRequests = or(assertBoolean, true)("validateRequests", validate);
  const limits = { timeoutMs: 0, totalTimeoutMs: Infinity, validateRequests };
  const isAlone = batch === undefined && ledger === undefined;
  const place = isAlone ? { batch: "preview", ledger: noLedger() } : { batch, ledger };
  const given = { ...place, ledgerTimeout, keyOf, skip, stopAfterFailures: false };
  const settings = toRunSettings(given as RunOptions<Item>, [], { signal }, limits);
  const find: Ledger["find"] = async (name, key) =>
    sent.get(key) ?? settings.ledger.find(name, key);
  // With `callMs: 0`, the preview does not wait for other runs.
  return { ...settings, ledger: { ...settings.ledger, find }, callMs: 0, concurrency: CONCURRENCY };
};

/**
 * Counts what a run with the same items and options would do. It sends nothing, records nothing, and does not wait for other
 * runs. A key that is in progress elsewhere counts as in doubt.
 *
 * @param options Not needed if each item is a message.
 * @throws TypeError that names a missing or unknown option, or a malformed option that has an effect.
 * @throws A {@link LedgerError} if the ledger fails.
 * @throws AbortError if `signal` fires.
 * @throws whatever the input or a callback throws.
 * @example
 * const { sendable, invalidItems, fallback } = await previewMany(messages, { batch: "reminders 2026-11-21", ledger });
 */
export async function previewMany<Item>(
  items: readonly Item[] | Iterable<Item> | AsyncIterable<Item>,
  ...[options = {} as PreviewManyOptions<Item>]: [Item] extends [RcsMessage]
    ? [options?: PreviewManyOptions<Item>]
    : [options: PreviewManyOptions<Item>]
): Promise<Preview<Item>> {
  assertItems("items", items);
  const given: Partial<RunOptions<Item>> & MessageFunctions<Item> = options;
  assertOptions("options", given, sendManyOptionNames());
  const sent = new Map<string, LedgerEntry>();
  const settings = toPreviewSettings(given, sent);
  const { signal } = settings;
  const prepareMessage = createPrepare(given, settings);
  const invalidItems: Preview<Item>["invalidItems"][number][] = [];
  const duplicateItems: Preview<Item>["duplicateItems"][number][] = [];
  const fallback = { segments: 0, longestSeptets: 0, multiSegment: 0 };

  const prepare = async (read: ReadItem<Item>) => {
    const prepared = await prepareMessage(read);
    if ("error" in prepared) {
      const { key, error } = prepared;
      invalidItems.push({ ...read, ...withoutUndefined({ key }), error });
      return prepared;
    }
    const { key, digest, ref, body } = prepared;
    const deliver: Deliver = ({ owner }, { skip }) => ({
      isOnWire: false,
      async send({ signal }) {
        const end = (outcome?: ItemOutcome) => ({ result: Promise.resolve({ outcome }) });
        const asked = await waitFor(skip(), undefined, signal);
        if (typeof asked === "string") return end();
        const { value: note } = asked;
        if (note !== undefined) return end(toSkippedOutcome({ reason: "excluded", note }));
        const claim = { id: ref, batch: settings.batch, key, digest, ref, owner };
        sent.set(key, { ...claim, state: "accepted", at: "", ageMs: 0 });
        const { septets, segments } = analyzeGsm7(String(body.smsFailover));
        fallback.segments += segments;
        fallback.longestSeptets = Math.max(fallback.longestSeptets, septets);
        if (segments > 1) fallback.multiSegment += 1;
        return end({ state: "accepted" });
      },
    });
    return { ...prepared, deliver };
  };
  const onResult: OnResult<Item> = ({ item, key, reason }, index) => {
    if (reason === "duplicate" && key !== undefined) duplicateItems.push({ index, item, key });
  };
  const run = new Run(settings, items, { prepare, isPreview: true });
  const { accepted: sendable, stopped, error, ...counts } = await run.run(onResult);
  if (stopped === "ledger") throw error;
  if (stopped) throw new AbortError("aborted", "not_sent", { cause: signal?.reason });
  return {
    ...counts,
    done: counts.done - sendable,
    accepted: 0,
    items: counts.done,
    sendable,
    invalidItems,
    duplicateItems: duplicateItems.sort((a, b) => a.index - b.index),
    fallback,
  };
}
