import type { TransactionalClient } from "../clients/transactional-client.ts";
import { ValidationError } from "../errors.ts";
import { assertFunction, assertObject, optionOr } from "../options.ts";
import { assertClient } from "./assert-client.ts";
import { randomId } from "./item/digest.ts";
import {
  type MessageContext,
  type PreparedMessage,
  prepareMessage,
  type RcsMessage,
  toMessageTask,
} from "./item/message-task.ts";
import { BulkRun } from "./run/bulk-run.ts";
import { assertItems, Input, type Items, sizeOf } from "./run/input.ts";
import { type InvalidItem, RunLoop } from "./run/run-loop.ts";
import { assertName, type RunOptions, toRunSettings } from "./run/run-options.ts";

/** Function that makes the message of an item; called at most once for each item, before the ledger is read. */
export type ToMessage<Item> = (
  item: Item,
  context: MessageContext,
) => RcsMessage | PromiseLike<RcsMessage>;

/** Options of `sendMany`. */
export interface SendManyOptions<Item> extends RunOptions<Item> {
  /** Function that makes the message of an item. Default: the item is the message. */
  readonly toMessage?: ToMessage<Item> | undefined;
}

/** Options of a batch whose items are not messages themselves. */
export type WithToMessage<Item, Options> = Options & {
  /** Function that makes the message of an item. */
  readonly toMessage: ToMessage<Item>;
};

/** Makes the message of an item and checks it. */
export const prepareItem = async <Item>(
  item: Item,
  {
    toMessage = (message) => message as RcsMessage,
    keyOf,
    validate,
  }: {
    readonly toMessage?: ToMessage<Item> | undefined;
    readonly keyOf: ((item: Item) => string) | undefined;
    readonly validate: boolean;
  },
): Promise<PreparedMessage | InvalidItem> => {
  const key = keyOf && assertName("keyOf", keyOf(item));
  const ref = randomId();
  const message = await toMessage(item, { ref });
  try {
    return await prepareMessage(message, ref, key, validate);
  } catch (error) {
    if (ValidationError.is(error)) return { key, error };
    throw error;
  }
};

/**
 * Sends a message for each item, once in each batch, however often the run is killed and started again.
 *
 * @param items Any iterable or async iterable; it is read no faster than results are consumed.
 * @returns A run that starts when it is awaited or iterated.
 * @throws TypeError that names an invalid option, when the run starts.
 * @example
 * const { accepted, unknown } = await sendMany(rcs, messages, { batch: "reminders 2026-11-21", ledger });
 */
export function sendMany<Item extends RcsMessage>(
  client: TransactionalClient,
  items: Items<Item>,
  options: SendManyOptions<Item>,
): BulkRun<Item>;
export function sendMany<Item>(
  client: TransactionalClient,
  items: Items<Item>,
  options: WithToMessage<Item, SendManyOptions<Item>>,
): BulkRun<Item>;
export function sendMany<Item>(
  client: TransactionalClient,
  items: Items<Item>,
  options: SendManyOptions<Item>,
): BulkRun<Item> {
  return new BulkRun((results) => {
    const access = assertClient("client", client, "transactional");
    assertItems("items", items);
    const { toMessage, ...runOptions } = assertObject("options", options);
    const settings = toRunSettings(runOptions, sizeOf(items));
    const preparation = {
      toMessage: optionOr("toMessage", toMessage, undefined, assertFunction),
      keyOf: settings.keyOf,
      validate: settings.callOptions.validateRequests ?? true,
    };
    const prepare = async (item: Item) => {
      const prepared = await prepareItem(item, preparation);
      return "error" in prepared ? prepared : toMessageTask(access, prepared);
    };
    return new RunLoop(settings, new Input(items), prepare, results);
  });
}
