import { CallTimer } from "../core/call/call-timer.ts";
import { CALL_OPTIONS, type RequestOptions } from "../core/call/settings.ts";
import type { TransactionalClient } from "../core/clients/transactional-client.ts";
import {
  type AnyMessagingServiceError,
  LedgerError,
  MessagingServiceError,
  toCallError,
} from "../core/errors.ts";
import { assertDuration, assertOptions, or, readEach, withoutUndefined } from "../core/options.ts";
import { Delivery } from "./delivery.ts";
import type { Ledger } from "./ledgers/ledger.ts";
import {
  type MessageContext,
  nextId,
  type PromisedMessage,
  prepareMessage,
  type RcsMessage,
  toSendTask,
} from "./message.ts";
import { assertName } from "./names.ts";
import { assertClient, ledgerOptions, toCallOptions, toLedgerSettings } from "./run-options.ts";
import { type SkipDetails, TimedLedger } from "./timed-ledger.ts";
import { toPauseMs } from "./waiting-items.ts";

/** Options of `sendOnce`, including those of its call, such as `timeout` and `signal`. */
export interface SendOnceOptions extends RequestOptions {
  /** Ledger that records the send, such as `sqliteLedger(path)` or `postgresLedger(pool)`. */
  readonly ledger: Ledger;
  /**
   * Identity of the send: 1 to 1024 bytes without NUL, lone surrogates or a leading byte order mark. An event that may arrive
   * twice, such as a webhook, needs the same key each time.
   */
  readonly key: string;
  /** Content type of a file, if you know it; it is checked, never sent. Default: from the URL's extension. */
  readonly contentType?: string | undefined;
  /** Name of the batch in which keys are unique, by the same rules as `key`. Default: `"once"`. */
  readonly batch?: string | undefined;
  /**
   * Longest wait for a call in progress with the same key, in milliseconds, 0 or more; `totalTimeout` can shorten it. Default:
   * 10 000.
   */
  readonly wait?: number | undefined;
  /** Timeout of one ledger step in milliseconds, above 0, after which the ledger counts as failed. Default: 10 000. */
  readonly ledgerTimeout?: number | undefined;
}

/** Result of `sendOnce`: the message was sent. */
export interface SentOnce {
  /** The service's id of the message; absent if it is not known, such as if a person confirmed the send. */
  readonly transactionId?: string;
  /** Whether this call sent the message; `false` if an earlier call did. */
  readonly sentNow: boolean;
  /** Whether the ledger recorded the send; `false` if the ledger failed after it. The key may then be in doubt in the ledger. */
  readonly recorded: boolean;
}

/**
 * Converts an entry that prevents a send into the result of the earlier send.
 *
 * @throws A {@link LedgerError} unless the message was sent.
 */
const toSentBefore = ({ reason, entry, leftMs }: SkipDetails): SentOnce => {
  switch (reason) {
    case "accepted_before":
    case "duplicate": {
      const { transactionId } = entry ?? {};
      return withoutUndefined({ transactionId, sentNow: false, recorded: true });
    }
    case "rejected_before":
    case "changed":
      throw new LedgerError(reason);
    default:
      throw new LedgerError(leftMs === undefined ? "in_doubt" : "in_progress", { at: entry?.at });
  }
};

/**
 * Returns whether an error means that this call sent nothing, but not whether a different call with the key did, such as in the
 * pause after a 429. An error with a `status` is a response to this call while it held the key.
 */
const isUnsent = (error: unknown): error is AnyMessagingServiceError =>
  MessagingServiceError.is(error) &&
  error.outcome !== "unknown" &&
  error.status === undefined &&
  error.code !== "recipient" &&
  (error.code !== "ledger" || error.reason === "unavailable");

/**
 * Sends a message unless its key was sent before. It is safe to call again in a request handler, a webhook or a queue worker.
 *
 * A call waits for an earlier call in progress with the same ledger, batch and key, in any process. After a double click, both
 * calls return the `transactionId` of the first.
 *
 * @param message RCS text or file, or a function that makes it. The function receives the `ref` of this send, for the
 * `webhookUrl`.
 * @throws The errors of `sendRcsText`, and {@link LedgerError} if the ledger prevents the send.
 * @throws TypeError that names a missing, malformed or unknown option.
 * @example
 * const { transactionId, sentNow } = await sendOnce(rcs, message, { ledger, key: "order-17-ready" });
 */
export async function sendOnce(
  client: TransactionalClient,
  message: RcsMessage | ((context: MessageContext) => RcsMessage | PromisedMessage),
  options: SendOnceOptions,
): Promise<SentOnce> {
  const { limitsOf, nextCallId } = assertClient(client, "sendRcsText");
  const table = {
    ...ledgerOptions(),
    batch: or(assertName, "once"),
    key: assertName,
    wait: or(assertDuration, 10_000),
  };
  assertOptions("options", options, { ...CALL_OPTIONS, ...table, contentType: true });
  const { contentType } = options;
  const { key, wait, ...read } = readEach(options, table);
  const callOptions = toCallOptions(options);
  const { timeoutMs, totalTimeoutMs, validateRequests } = limitsOf(callOptions);

  const timer = new CallTimer(callOptions.signal, totalTimeoutMs);
  const ref = nextId();
  const content =
    typeof message === "function" ? await timer.run(async () => message({ ref })) : message;
  const prepared = await prepareMessage(content, ref, key, validateRequests, contentType);
  if ("error" in prepared) throw prepared.error;
  const task = toSendTask(client, prepared, nextCallId);

  const settings = toLedgerSettings(read, timeoutMs);
  const ledger = new TimedLedger(settings, callOptions.signal, () => timer.remainingMs);
  const delivery = new Delivery(task, ledger, { timer });
  const { endpoint } = task;
  const toContext = () => ({ endpoint, callId: delivery.callId, attempts: delivery.attempts });

  /** Whether a different call with the key was in progress at the latest lookup. */
  let isElsewhere = false;
  const sendUnlessPrevented = async (): Promise<SentOnce | SkipDetails> => {
    const found = await timer.run(() => ledger.find(task, toContext()));
    if (found) return found;
    isElsewhere = false;
    const { result } = await delivery.send(callOptions);
    const { outcome, skipReason } = await result;
    if (skipReason) return skipReason;
    const { transactionId, error, recorded } = outcome ?? {};
    if (error) throw error;
    return withoutUndefined({ transactionId, sentNow: true, recorded: recorded !== false });
  };

  const begunAt = timer.now;
  try {
    for (;;) {
      const end = await sendUnlessPrevented();
      if ("sentNow" in end) return end;
      const waitedMs = timer.now - begunAt;
      if (end.leftMs === undefined || waitedMs >= wait) return toSentBefore(end);
      isElsewhere = true;
      const pauseMs = Math.min(toPauseMs(waitedMs, end.leftMs), wait - waitedMs);
      if (pauseMs >= timer.remainingMs) return toSentBefore(end);
      await timer.pause(pauseMs);
    }
  } catch (error) {
    if (isUnsent(error) && (isElsewhere || (await ledger.isTakenElsewhere(task)))) {
      const message = `${error.message}; another call may have sent a message with this key`;
      Object.assign(error, { outcome: "unknown", message });
    }
    throw toCallError(error, toContext());
  }
}
