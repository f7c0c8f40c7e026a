import type { TransactionalClient } from "../clients/transactional-client.ts";
import { LedgerError } from "../errors.ts";
import type { RequestOptions } from "../http/options.ts";
import { assertObject } from "../options.ts";
import { assertClient } from "./assert-client.ts";
import { ClaimGuard } from "./item/claim-guard.ts";
import { deliver, lookUp } from "./item/deliver.ts";
import { randomId } from "./item/digest.ts";
import {
  type MessageContext,
  prepareMessage,
  type RcsMessage,
  toMessageTask,
} from "./item/message-task.ts";
import type { Ledger } from "./ledger.ts";
import { assertCallOptions, assertName, toDesk } from "./run/run-options.ts";

/** Options of `sendOnce`. The options of a call, such as `timeout` or `signal`, go to the call. */
export interface SendOnceOptions extends RequestOptions {
  /** Ledger that records the send. */
  readonly ledger: Ledger;
  /** Identity of the send, not empty. An event that may arrive twice, such as a webhook, must have the same key each time. */
  readonly key: string;
  /** Name of the batch in which keys are unique, not empty. Default: `"once"`. */
  readonly batch?: string | undefined;
}

/** Result of `sendOnce`: the message was sent. */
export interface SentOnce {
  /** The service's id of the message; absent if only a person or a webhook confirmed the send. */
  readonly transactionId?: string;
  /** Whether this call sent it; `false` if an earlier one did. */
  readonly sentNow: boolean;
  /** Whether the ledger recorded the send; `false` if it failed after the send, so that the key is in doubt there. */
  readonly recorded: boolean;
}

const toSentOnce = (transactionId: string | undefined, sentNow: boolean, recorded: boolean) => ({
  ...(transactionId === undefined ? {} : { transactionId }),
  sentNow,
  recorded,
});

/**
 * Sends a message unless its key was sent before: safe to call again in a request handler, a webhook or a queue worker.
 *
 * @param message An RCS text or file, or a function that makes it with the `ref` of this send, for its `webhookUrl`.
 * @throws The errors of `sendRcsText`, and {@link LedgerError} if the ledger prevents the send.
 * @example
 * const { transactionId, sentNow } = await sendOnce(rcs, message, { ledger, key: "order-17-ready" });
 */
export async function sendOnce(
  client: TransactionalClient,
  message: RcsMessage | ((context: MessageContext) => RcsMessage | PromiseLike<RcsMessage>),
  options: SendOnceOptions,
): Promise<SentOnce> {
  const access = assertClient("client", client, "transactional");
  const { ledger, key, batch = "once", ...callOptions } = assertObject("options", options);
  const desk = { ...toDesk({ batch, ledger }), owner: randomId() };
  assertName("key", key);
  assertCallOptions(callOptions);

  const ref = randomId();
  const content = typeof message === "function" ? await message({ ref }) : message;
  const validate = callOptions.validateRequests ?? true;
  const task = toMessageTask(access, await prepareMessage(content, ref, key, validate));
  const guard = new ClaimGuard(task, desk, async () => undefined);
  const delivery = (await lookUp(task, desk)) ?? (await deliver(task, guard, callOptions));

  if (delivery.state !== "skipped") {
    if (delivery.error) throw delivery.error;
    return toSentOnce(delivery.transactionId, true, delivery.recorded);
  }
  switch (delivery.reason) {
    case "in_doubt":
    case "rejected_before":
    case "changed":
      throw new LedgerError(delivery.reason, {}, { endpoint: task.endpoint });
    default:
      return toSentOnce(delivery.entry?.transactionId, false, true);
  }
}
