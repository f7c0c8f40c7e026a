import { type ClientSend, findSend } from "../core/call/send-of.ts";
import { CALL_OPTIONS, copyOptions, type RequestOptions } from "../core/call/settings.ts";
import {
  assertCount,
  assertDuration,
  assertFunction,
  assertPositiveInteger,
  assertSignal,
  invalidOption,
  MAX_TIMER_MS,
  or,
  type ReadFrom,
  readEach,
} from "../core/options.ts";
import { isDate } from "../core/rules/dates.ts";
import type { Items } from "./input.ts";
import type { Ledger } from "./ledgers/ledger.ts";
import { assertName } from "./names.ts";
import type { RunProgress } from "./run-result.ts";

/** Options of a run, including those of its calls, such as `timeout` and `retry`. */
export interface RunOptions<Item> extends RequestOptions {
  /**
   * Name of the job: 1 to 1024 bytes without NUL, lone surrogates or a leading byte order mark. Each key is sent at most once in
   * a batch. A job that is started again needs the same name, so do not derive the name from the current time.
   */
  readonly batch: string;
  /** Ledger that records each key, such as `sqliteLedger(path)` or `postgresLedger(pool)`. */
  readonly ledger: Ledger;
  /** Timeout of one ledger step in milliseconds, above 0, after which the ledger counts as failed. Default: 10 000. */
  readonly ledgerTimeout?: number | undefined;
  /** Number of items under way at the same time, 1 or more. Default: 4. */
  readonly concurrency?: number | undefined;
  /**
   * Function that returns the key of an item in its batch, by the same rules as `batch`.
   * Default: the phone number, which `sendMany` converts to E.164.
   */
  readonly keyOf?: ((item: Item) => string) | undefined;
  /**
   * Function that can exclude an item, such as for an opt-out or quiet hours. It is called right before each claim. If
   * it returns a string, the item and later items with the same key are skipped with this `note`. `""`, `false`, `null` and
   * `undefined` send the item. Default: none.
   */
  readonly skip?:
    | ((
        item: Item,
      ) => string | false | null | undefined | PromiseLike<string | false | null | undefined>)
    | undefined;
  /** Signal after which nothing more starts, but requests on the wire finish. Default: none. */
  readonly stop?: AbortSignal | undefined;
  /** Time after which nothing more starts, but requests on the wire finish. Default: none. */
  readonly deadline?: Date | undefined;
  /**
   * Number of consecutive failures that stops the run, 1 or more, or `false` for none. An item fails if it is `unknown`,
   * `not_sent`, or `rejected` without the documented errors. Skipped and invalid items do not count, nor does a 404 of a removal
   * after a removal of the run has succeeded. Default: 5.
   */
  readonly stopAfterFailures?: number | false | undefined;
  /**
   * Longest pause for a 429 or the throttle in milliseconds, 0 or more; a longer pause stops the run.
   * Default: 3 600 000.
   */
  readonly maxPause?: number | undefined;
  /** Number of items that `onProgress` reports, 0 or more. Default: the `length` or `size` of the input, if it has one. */
  readonly total?: number | undefined;
  /**
   * Callback after each item, when a pause begins, grows or expires, and when only keys in progress in other runs are left. If it
   * throws, the run stops and rejects. Default: none.
   */
  readonly onProgress?: ((progress: RunProgress) => unknown) | undefined;
}

export interface LedgerSettings {
  readonly batch: string;
  readonly ledger: Ledger;
  readonly ledgerTimeoutMs: number;
  /** Time in milliseconds that a claim, its attempt and the record of its result may take, in this run and in others. */
  readonly callMs: number;
}

/** The clients, each by a member that only this client has. */
const CLIENTS = { sendRcsText: "a TransactionalClient", subscribers: "a V2Client" };

/** @throws TypeError for anything but a client with this member, because a test double could send without a claim. */
export const assertClient = (client: unknown, member: keyof typeof CLIENTS): ClientSend => {
  const send = findSend(client);
  const members = Object(client);
  if (send && member in members) return send;
  const [, other = "a test double"] =
    Object.entries(CLIENTS).find(([known]) => send && known in members) ?? [];
  throw invalidOption("client", `${CLIENTS[member]} of this package, not ${other}`);
};

export const assertItems = (name: string, items: Items<unknown>): void => {
  const { [Symbol.iterator]: iterator, [Symbol.asyncIterator]: asyncIterator } = Object(items);
  const isIterable = typeof iterator === "function" || typeof asyncIterator === "function";
  if (isIterable && typeof items !== "string") return;
  throw invalidOption(name, "an iterable or async iterable of items");
};

const assertLedger = (name: string, ledger: Ledger): Ledger => {
  const { find, claim, settle } = Object(ledger);
  if ([find, claim, settle].every((method) => typeof method === "function")) return ledger;
  throw invalidOption(name, "a ledger, such as memoryLedger() or sqliteLedger(path)");
};

const assertLedgerTimeout = (name: string, ms: number): number => {
  if (typeof ms === "number" && ms > 0 && ms <= MAX_TIMER_MS) return ms;
  throw invalidOption(name, `milliseconds above 0 and at most ${MAX_TIMER_MS}`);
};

const assertTime = (name: string, date: Date): number => {
  if (isDate(date) && !Number.isNaN(date.getTime())) return date.getTime();
  throw invalidOption(name, "a valid Date");
};

/** Longest attempt in milliseconds that `callMs` allows for. Without a `timeout`, a runtime's own limit ends an attempt. */
const LONG_ATTEMPT_MS = 300_000;

/** The options of a ledger, with their checks and defaults. */
export const ledgerOptions = () => ({
  batch: assertName,
  ledger: assertLedger,
  ledgerTimeout: or(assertLedgerTimeout, 10_000),
});

export const toLedgerSettings = (
  { batch, ledger, ledgerTimeout }: ReadFrom<ReturnType<typeof ledgerOptions>>,
  timeoutMs: number,
): LedgerSettings => {
  const callMs = Math.min(timeoutMs, LONG_ATTEMPT_MS) + 2 * ledgerTimeout;
  return { batch, ledger, ledgerTimeoutMs: ledgerTimeout, callMs };
};

const countItems = (items: Items<unknown>): number | undefined => {
  const { length, size } = items as { length?: unknown; size?: unknown };
  return [length, size].find((count) => typeof count === "number");
};

export const toCallOptions = (options: RequestOptions): RequestOptions =>
  copyOptions(
    Object.fromEntries(
      Object.keys(CALL_OPTIONS).map((name) => [name, options[name as keyof RequestOptions]]),
    ),
  );

const toFailures = (name: string, failures: number | false): number =>
  failures === false ? Number.POSITIVE_INFINITY : assertPositiveInteger(name, failures);

/** The options of a run, except the options of its calls, with their checks and defaults. */
const ownOptions = <Item>() => ({
  ...ledgerOptions(),
  concurrency: or(assertPositiveInteger, 4),
  keyOf: or(assertFunction<RunOptions<Item>["keyOf"]>),
  skip: or(assertFunction<RunOptions<Item>["skip"]>),
  stop: or(assertSignal),
  deadline: or(assertTime, Number.POSITIVE_INFINITY),
  stopAfterFailures: or(toFailures, 5),
  maxPause: or(assertDuration, 3_600_000),
  total: or(assertCount),
  onProgress: or(assertFunction<RunOptions<Item>["onProgress"]>),
});

export const runOptionNames = <More extends object>(more: More) => {
  return { ...CALL_OPTIONS, ...ownOptions<never>(), ...more };
};

/** @param callOptions Options of each call, with the `signal` of the run. */
export const toRunSettings = <Item>(
  options: RunOptions<Item>,
  items: Items<Item>,
  { signal, ...callOptions }: RequestOptions,
  { timeoutMs, totalTimeoutMs, validateRequests }: ReturnType<ClientSend["limitsOf"]>,
) => {
  const { maxPause, total = countItems(items), ...read } = readEach(options, ownOptions<Item>());
  return {
    ...read,
    ...toLedgerSettings(read, timeoutMs),
    maxPauseMs: maxPause,
    total,
    callOptions,
    signal,
    totalTimeoutMs,
    validate: validateRequests,
    /** Error whose stack contains the call that created the run. */
    origin: new Error("run"),
  };
};

export type RunSettings<Item> = Readonly<ReturnType<typeof toRunSettings<Item>>>;

/** Makes the stack of a result's error start at the call that created the run. That call has long returned. */
export const startStackAtCall = <R extends { readonly error?: Error | undefined }>(
  origin: Error,
  result: R,
): R => {
  const { error } = result;
  if (error) error.stack = String(origin.stack).replace(`${origin}`, () => `${error}`);
  return result;
};
