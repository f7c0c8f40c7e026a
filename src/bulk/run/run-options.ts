import type { RequestOptions } from "../../http/options.ts";
import { DEFAULT_SETTINGS, toSettings } from "../../http/settings.ts";
import {
  assertCount,
  assertDuration,
  assertFunction,
  assertSignal,
  invalidOption,
  optionOr,
} from "../../options.ts";
import { isName, NAME_RULE } from "../item/name.ts";
import type { Ledger } from "../ledger.ts";
import type { RunProgress } from "./run-result.ts";

/** Options of a run. The options of a call, such as `timeout` or `retry`, go to each of its calls. */
export interface RunOptions<Item> extends RequestOptions {
  /** Name of the job, not empty: a key is sent once in each batch. */
  readonly batch: string;
  /** Ledger that records the sends. */
  readonly ledger: Ledger;
  /** Number of items that are sent at the same time, 1 or more; one more is made and looked up ahead. Default: 4. */
  readonly concurrency?: number | undefined;
  /**
   * Function that returns the key of an item in its batch, a string that is not empty. Default: the phone number, in
   * E.164 for a message.
   */
  readonly keyOf?: ((item: Item) => string) | undefined;
  /**
   * Function that may leave an item out, for an opt-out or quiet hours: a string that it returns becomes the item's
   * `note`; nothing, or `""`, sends the item. Called right before each claim.
   */
  readonly skip?: ((item: Item) => SkipNote | PromiseLike<SkipNote>) | undefined;
  /** Signal that stops the run: nothing more starts, and items under way run to their end. Default: none. */
  readonly stop?: AbortSignal | undefined;
  /** Time after which nothing starts. Default: none. */
  readonly deadline?: Date | undefined;
  /** Number of `unknown` results in a row that stops the run, 1 or more; `false` never stops it. Default: 5. */
  readonly stopAfterUnknown?: number | false | undefined;
  /**
   * Longest pause in milliseconds, if the service or the throttle asks for one; a longer one stops the run. Default: 3
   * 600 000 (one hour).
   */
  readonly maxPause?: number | undefined;
  /** Number of items, for `onProgress`. Default: the length or size of the input, if it has one. */
  readonly total?: number | undefined;
  /** Callback after each item. Default: none. */
  readonly onProgress?: ((progress: RunProgress) => unknown) | undefined;
}

/** Result of `skip`: the reason to leave an item out, or nothing. */
export type SkipNote = string | false | null | undefined;

/** Options of a run, checked and completed. */
export interface RunSettings<Item> {
  readonly batch: string;
  readonly ledger: Ledger;
  readonly concurrency: number;
  readonly keyOf: ((item: Item) => string) | undefined;
  readonly skip: RunOptions<Item>["skip"];
  readonly stop: AbortSignal | undefined;
  /** Deadline in epoch milliseconds. */
  readonly deadline: number;
  readonly stopAfterUnknown: number;
  readonly maxPauseMs: number;
  readonly total: number | undefined;
  readonly onProgress: RunOptions<Item>["onProgress"];
  /** Options of each call; the run itself listens to `signal`. */
  readonly callOptions: RequestOptions;
  readonly signal: AbortSignal | undefined;
}

const HOUR_MS = 3_600_000;

const assertLedger = (name: string, ledger: Ledger): Ledger => {
  const { find, claim, settle } = Object(ledger);
  if ([find, claim, settle].every((method) => typeof method === "function")) return ledger;
  throw invalidOption(name, "a ledger, such as memoryLedger() or sqliteLedger(path)");
};

/**
 * Checks a number of items, or an id.
 *
 * @throws TypeError that names the option.
 */
export const assertPositive = (name: string, value: number): number => {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw invalidOption(name, "a positive integer");
};

const assertTime = (name: string, date: Date): number => {
  if (date instanceof Date && !Number.isNaN(date.getTime())) return date.getTime();
  throw invalidOption(name, "a valid Date");
};

/**
 * Checks the name of a batch, or the key that the caller gives to an item.
 *
 * @throws TypeError that names the option.
 */
export const assertName = (option: string, name: string): string => {
  if (isName(name)) return name;
  throw invalidOption(option, NAME_RULE);
};

/**
 * Checks the batch and the ledger of a send.
 *
 * @throws TypeError that names the option.
 */
export const toDesk = (options: { readonly batch: string; readonly ledger: Ledger }) => ({
  batch: assertName("batch", options.batch),
  ledger: assertLedger("ledger", options.ledger),
});

/**
 * Checks the options of a call before the first one is made.
 *
 * @throws TypeError that names the option.
 */
export const assertCallOptions = (options: RequestOptions): void => {
  toSettings(DEFAULT_SETTINGS, options);
};

/**
 * Checks the options of a run.
 *
 * @param size Number of items, if the input knows it.
 * @throws TypeError that names the missing or malformed option.
 */
export const toRunSettings = <Item>(
  options: RunOptions<Item>,
  size: number | undefined,
): RunSettings<Item> => {
  const {
    batch,
    ledger,
    concurrency,
    keyOf,
    skip,
    stop,
    deadline,
    stopAfterUnknown,
    maxPause,
    total,
    onProgress,
    signal,
    ...callOptions
  } = options;
  assertCallOptions({ ...callOptions, signal });
  return {
    ...toDesk({ batch, ledger }),
    concurrency: optionOr("concurrency", concurrency, 4, assertPositive),
    keyOf: optionOr("keyOf", keyOf, undefined, assertFunction),
    skip: optionOr("skip", skip, undefined, assertFunction),
    stop: optionOr("stop", stop, undefined, assertSignal),
    deadline: optionOr("deadline", deadline, Number.POSITIVE_INFINITY, assertTime),
    stopAfterUnknown:
      stopAfterUnknown === false
        ? Number.POSITIVE_INFINITY
        : optionOr("stopAfterUnknown", stopAfterUnknown, 5, assertPositive),
    maxPauseMs: optionOr("maxPause", maxPause, HOUR_MS, assertDuration),
    total: optionOr("total", total, size, assertCount),
    onProgress: optionOr("onProgress", onProgress, undefined, assertFunction),
    callOptions,
    signal,
  };
};
