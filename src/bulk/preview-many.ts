import type { ValidationError } from "../errors.ts";
import { CallTimer } from "../http/call-timer.ts";
import {
  assertBoolean,
  assertFunction,
  assertOptions,
  assertSignal,
  optionOr,
  withoutUndefined,
} from "../options.ts";
import { analyzeGsm7 } from "../rules/gsm7.ts";
import { GRACE_MS, waitFor } from "../wait-for.ts";
import { Yielder } from "../yielder.ts";
import { Input, type Items, type ReadItem } from "./input.ts";
import { LedgerBatch } from "./ledger-batch.ts";
import {
  createIds,
  type InvalidItem,
  type PreparedMessage,
  prepareItem,
  type RcsMessage,
} from "./message.ts";
import { askSkip, assertItems, type RunOptions, toLedgerSettings } from "./run-options.ts";
import type { RunCounts } from "./run-result.ts";
import { RunTally } from "./run-tally.ts";
import { type MayHaveToMessage, sendManyOptionNames, type WithToMessage } from "./send-many.ts";
import { type SkipDetails, toSkippedEnd } from "./skip-reason.ts";

/**
 * Options of `previewMany`. Pass the options of the run to preview: options that only concern a send have no effect.
 * `signal` ends the preview. Without `batch` and `ledger`, the preview ignores earlier runs.
 */
export interface PreviewManyOptions<Item>
  extends Partial<RunOptions<Item>>,
    MayHaveToMessage<Item> {}

/** An item that breaks a rule. */
export interface InvalidRow<Item> {
  /** Position in the input, starting at 0. */
  readonly index: number;
  /** The item, as the input gave it. */
  readonly item: Item;
  /** Key of the item, if it has one. */
  readonly key?: string;
  /** Error with one issue for each rule that the item breaks. */
  readonly error: ValidationError;
}

/** An item with the key of an earlier item of the same input. */
export interface DuplicateRow<Item> {
  /** Position in the input, starting at 0. */
  readonly index: number;
  /** The item, as the input gave it. */
  readonly item: Item;
  /** Key that the two items share. */
  readonly key: string;
}

/** Size of the SMS fallbacks of a batch, if every message that would be sent fell back. */
export interface FallbackSize {
  /** Number of SMS segments in all. */
  readonly segments: number;
  /** Length of the longest text in septets. */
  readonly longestSeptets: number;
  /** Number of texts that take more than one segment. */
  readonly multiSegment: number;
}

/** Preview of a run. An item that would be sent counts as `sendable` and in no other number. */
export interface Preview<Item> extends RunCounts {
  /** Number of items of the input. */
  readonly items: number;
  /** Number of items that would be sent. */
  readonly sendable: number;
  /** Items that break a rule. */
  readonly invalidItems: readonly InvalidRow<Item>[];
  /** Items with the key of an earlier item of the same input. */
  readonly duplicateItems: readonly DuplicateRow<Item>[];
  /** Size of the SMS fallbacks of the items that would be sent. */
  readonly fallback: FallbackSize;
}

/** Number of items that are looked up at the same time. */
const CHUNK = 64;

/** An item that was looked up, before the items ahead of it are considered. */
interface CheckedItem<Item> {
  readonly read: ReadItem<Item>;
  readonly prepared: PreparedMessage | InvalidItem;
  /** Reason why the run would skip the item. */
  readonly skipReason?: SkipDetails | undefined;
}

/** Counts what a run would do with each item, in the order of the input. */
class PreviewTally<Item> {
  readonly #tally = new RunTally();
  readonly #invalidItems: InvalidRow<Item>[] = [];
  readonly #duplicateItems: DuplicateRow<Item>[] = [];
  readonly #fallback = { segments: 0, longestSeptets: 0, multiSegment: 0 };
  /** Reason why later items with a key are skipped: the run would send the key, or `skip` excludes it. */
  readonly #later = new Map<string, SkipDetails>();
  #items = 0;
  #sendable = 0;

  get preview(): Preview<Item> {
    return {
      ...this.#tally.counts,
      items: this.#items,
      sendable: this.#sendable,
      invalidItems: this.#invalidItems,
      duplicateItems: this.#duplicateItems,
      fallback: this.#fallback,
    };
  }

  add({ read: { item, index }, prepared, ...checked }: CheckedItem<Item>): void {
    this.#items += 1;
    if ("error" in prepared) {
      const { key, error } = prepared;
      this.#tally.add({ state: "invalid", error }, key);
      this.#invalidItems.push({ index, item, ...withoutUndefined({ key }), error });
      return;
    }
    const { key, body } = prepared;
    const skipReason = this.#later.get(key) ?? checked.skipReason;
    if (!skipReason) {
      this.#later.set(key, { reason: "duplicate" });
      this.#addSendable(body.smsFailover);
      return;
    }
    if (skipReason.reason === "excluded") this.#later.set(key, skipReason);
    if (skipReason.reason === "duplicate") this.#duplicateItems.push({ index, item, key });
    this.#tally.add(toSkippedEnd(skipReason), key);
  }

  #addSendable(smsFailover: unknown): void {
    this.#sendable += 1;
    const { septets, segments } = analyzeGsm7(String(smsFailover));
    this.#fallback.segments += segments;
    this.#fallback.longestSeptets = Math.max(this.#fallback.longestSeptets, septets);
    if (segments > 1) this.#fallback.multiSegment += 1;
  }
}

/**
 * Counts what a run with the same items and options would do. It sends nothing, records nothing, and waits for no other run:
 * a key that is in progress elsewhere counts as in doubt.
 *
 * @throws TypeError that names a missing, malformed or unknown option.
 * @throws A {@link LedgerError} if the ledger fails.
 * @throws AbortError if `signal` fires.
 * @throws whatever the input or a callback throws.
 * @example
 * const { sendable, invalidItems, fallback } = await previewMany(messages, { batch: "reminders 2026-11-21", ledger });
 */
export function previewMany<Item extends RcsMessage>(
  items: Items<Item>,
  options?: PreviewManyOptions<Item>,
): Promise<Preview<Item>>;
export function previewMany<Item>(
  items: Items<Item>,
  options: WithToMessage<Item, PreviewManyOptions<Item>>,
): Promise<Preview<Item>>;
export async function previewMany<Item>(
  items: Items<Item>,
  options: PreviewManyOptions<Item> = {},
): Promise<Preview<Item>> {
  assertItems("items", items);
  assertOptions("options", options, sendManyOptionNames());
  const { batch, ledger, signal, validateRequests } = options;
  const entries =
    batch === undefined && ledger === undefined
      ? undefined
      : new LedgerBatch(toLedgerSettings(options as RunOptions<Item>, 0), undefined);
  const preparation = {
    toMessage: optionOr("toMessage", options.toMessage, undefined, assertFunction),
    keyOf: optionOr("keyOf", options.keyOf, undefined, assertFunction),
    validate: optionOr("validateRequests", validateRequests, true, assertBoolean),
    nextRef: createIds(),
  };
  const skip = optionOr("skip", options.skip, undefined, assertFunction);

  const check = async (
    read: ReadItem<Item>,
    prepared: PreparedMessage,
  ): Promise<CheckedItem<Item>> => {
    const skipReason = await entries?.find({ ...prepared, isIdempotent: false }, {});
    if (skipReason) return { read, prepared, skipReason };
    const note = await askSkip(skip, read);
    return note === undefined
      ? { read, prepared }
      : { read, prepared, skipReason: { reason: "excluded", note } };
  };
  const input = new Input(items);
  const tally = new PreviewTally<Item>();
  const addAll = async (signal: AbortSignal): Promise<Preview<Item>> => {
    const yielder = new Yielder();
    for (let chunk: Promise<CheckedItem<Item>>[] = []; ; ) {
      if (yielder.shouldYield()) await yielder.yield();
      const read = await input.next();
      signal.throwIfAborted();
      if (read) {
        const prepared = await prepareItem(read, preparation);
        const checking =
          "error" in prepared ? Promise.resolve({ read, prepared }) : check(read, prepared);
        // `Promise.all` throws the error below; until then, the rejection is not unhandled.
        checking.catch(() => {});
        chunk.push(checking);
      }
      if (read && chunk.length < CHUNK) continue;
      for (const item of await Promise.all(chunk)) tally.add(item);
      if (!read) return tally.preview;
      chunk = [];
    }
  };
  const timer = new CallTimer(
    optionOr("signal", signal, undefined, assertSignal),
    Number.POSITIVE_INFINITY,
  );
  try {
    return await timer.run(addAll);
  } catch (error) {
    // The error that ended the preview says more than a failure to close its input.
    await waitFor(input.close(), GRACE_MS).catch(() => {});
    throw error;
  }
}
