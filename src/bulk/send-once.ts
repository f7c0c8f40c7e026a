import { CallTimer } from "../core/call/call-timer.ts";
import { CALL_OPTIONS, type RequestOptions } from "../core/call/settings.ts";
import type { TransactionalClient } from "../core/clients/transactional-client.ts";
import { type CallContext, LedgerError, toCallError } from "../core/errors.ts";
import { isIsolateShared, Lease } from "../core/isolate.ts";
import { assertDuration, assertOptions, or, readEach, withoutUndefined } from "../core/options.ts";
import { Delivery } from "./delivery.ts";
import type { Ledger } from "./ledgers/ledger.ts";
import {
  createIds,
  type MessageContext,
  type PromisedMessage,
  prepareMessage,
  type RcsMessage,
  toSendTask,
} from "./message.ts";
import { assertName } from "./names.ts";
import {
  assertTransactional,
  ledgerOptions,
  toCallOptions,
  toLedgerSettings,
} from "./run-options.ts";
import { TimedLedger } from "./timed-ledger.ts";

/** Options of `sendOnce`, including those of its call, such as `timeout` and `signal`. */
export interface SendOnceOptions extends RequestOptions {
  /** Ledger that records the send, such as `sqliteLedger(path)` or `postgresLedger(pool)`. */
  readonly ledger: Ledger;
  /** Identity of the send, 1 to 1024 bytes. An event that may arrive twice, such as a webhook, needs the same key each time. */
  readonly key: string;
  /** Content type of a file, if you know it: it is checked and never sent. Default: by the URL's extension. */
  readonly contentType?: string | undefined;
  /** Name of the batch in which keys are unique, 1 to 1024 bytes. Default: `"once"`. */
  readonly batch?: string | undefined;
  /** Longest wait for a call that is in progress in another process, in milliseconds, 0 or more. Default: 0. */
  readonly wait?: number | undefined;
  /** Longest wait for one step of the ledger, in milliseconds above 0; then the ledger counts as failed. Default: 10 000. */
  readonly ledgerTimeout?: number | undefined;
}

/** Result of `sendOnce`: the message was sent. */
export interface SentOnce {
  /** The service's id of the message; absent if only a person or a webhook confirmed the send. */
  readonly transactionId?: string;
  /** Whether this call sent the message; `false` if an earlier call did. */
  readonly sentNow: boolean;
  /** Whether the ledger recorded the send; `false` if the ledger failed after the send, and then holds the key as in doubt. */
  readonly recorded: boolean;
}

/** Property of a ledger that holds the owners of its calls; the same symbol in the ESM and the CommonJS copy. */
const OWNERS: unique symbol = /* @__PURE__ */ Symbol.for("messaging-service-client.owners");

/** Signs of life of the calls that are under way, by their keys and owners. */
type Owners = Map<string, Map<string, Lease>>;

/** Returns the calls of this process on a ledger, which holds them itself. A frozen ledger cannot. */
const ownersIn = (ledger: Ledger & { readonly [OWNERS]?: Owners }): Owners => {
  if (!ledger[OWNERS]) {
    // Vue's proxies wrap only what is extensible, and any proxy may wrap only a property that is configurable.
    const value: Owners = Object.preventExtensions(new Map());
    Reflect.defineProperty(ledger, OWNERS, { value, configurable: true });
  }
  return ledger[OWNERS] ?? new Map();
};

/** Interval in milliseconds at which the ledger is read while another call may be sending. */
const POLL_MS = 200;

/**
 * Sends a message unless its key was sent before. It is safe to call again in a request handler, a webhook or a queue worker.
 *
 * A call waits for an earlier call of its process with the same ledger, batch and key. After a double click, both calls
 * return the `transactionId` of the first.
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
  const { limitsOf } = assertTransactional(client);
  const table = {
    ...{ ...ledgerOptions(), batch: or(assertName, "once"), key: assertName },
    wait: or(assertDuration, 0),
  };
  assertOptions("options", options, { ...CALL_OPTIONS, ...table, contentType: true });
  const { contentType } = options;
  const { key, wait: waitMs, ...read } = readEach(options, table);
  const { batch } = read;
  const callOptions = toCallOptions(options);
  const call = limitsOf(callOptions);
  const settings = toLedgerSettings(read, call.timeoutMs);

  let context: CallContext = {};
  const timer = new CallTimer(callOptions.signal, call.totalTimeoutMs);
  const ref = createIds()();
  const content =
    typeof message === "function" ? await timer.run(async () => message({ ref })) : message;
  const { validateRequests } = call;
  const prepared = await prepareMessage(content, ref, key, validateRequests, contentType);
  if ("error" in prepared) throw prepared.error;
  const task = toSendTask(client, prepared);
  const { endpoint } = task;

  const ledger = new TimedLedger(settings, callOptions.signal, () => timer.remainingMs);
  const owners = ownersIn(settings.ledger);
  const id = JSON.stringify([batch, key]);
  // While another call with this key may be sending, the outcome is unknown.
  context = { endpoint, previousOutcome: owners.has(id) ? "unknown" : undefined };
  const isShared = isIsolateShared();
  // A call whose request has gone never ends by itself.
  for (const [other, leases] of isShared ? owners : []) {
    if ([...leases.values()].every(({ isOver }) => isOver)) owners.delete(other);
  }
  const lease = new Lease(isShared);
  const leases = (owners.get(id) ?? new Map<string, Lease>()).set(ledger.owner, lease);
  owners.set(id, leases);
  try {
    const waitUntil = timer.now + waitMs;
    for (;;) {
      let skipReason = await timer.run(() => ledger.find(task, context));
      if (!skipReason) {
        context = { endpoint };
        const leftMs = Math.max(1, Math.ceil(timer.remainingMs));
        const totalTimeout = leftMs < Number.POSITIVE_INFINITY && leftMs;
        const end = await new Delivery(task, ledger).send({ ...callOptions, totalTimeout });
        const { outcome: sent, ...result } = await end.result;
        skipReason = result.skipReason;
        if (sent?.error) throw sent.error;
        if (!skipReason) {
          const recorded = sent?.recorded !== false;
          return withoutUndefined({ transactionId: sent?.transactionId, sentNow: true, recorded });
        }
      }
      const { reason, entry, isInProgress } = skipReason;
      if (reason === "accepted_before" || reason === "duplicate") {
        const { transactionId } = entry ?? {};
        return withoutUndefined({ transactionId, sentNow: false, recorded: true });
      }
      if (reason === "rejected_before" || reason === "changed") {
        throw toCallError(new LedgerError(reason), { endpoint });
      }
      if (!entry || !isInProgress) {
        throw toCallError(new LedgerError("in_doubt", { at: entry?.at }), { endpoint });
      }
      const isOfThisProcess = leases.get(entry.owner)?.isOver === false;
      const waitLeftMs = isOfThisProcess ? POLL_MS : waitUntil - timer.now;
      if (waitLeftMs <= 0) {
        throw toCallError(new LedgerError("in_progress", { at: entry.at }), { endpoint });
      }
      context = { endpoint, previousOutcome: "unknown" };
      await timer.pause(Math.min(POLL_MS, waitLeftMs));
    }
  } catch (error) {
    throw toCallError(error, context);
  } finally {
    lease.end();
    leases.delete(ledger.owner);
    if (leases.size === 0 && owners.get(id) === leases) owners.delete(id);
  }
}
