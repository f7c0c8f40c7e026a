import type { TransactionalClient } from "../core/clients/transactional-client.ts";
import { assertOptions } from "../core/options.ts";
import { BulkRun } from "./bulk-run.ts";
import { toRunTask } from "./delivery.ts";
import type { ReadItem } from "./input.ts";
import {
  createPrepare,
  type MessageFunctions,
  type RcsMessage,
  type ToMessage,
  toSendTask,
} from "./message.ts";
import { Run } from "./run.ts";
import {
  assertClient,
  assertItems,
  type RunOptions,
  runOptionNames,
  toCallOptions,
  toRunSettings,
} from "./run-options.ts";

/** Options of `sendMany`. `toMessage` is required unless each item is a message. */
export type SendManyOptions<Item> = RunOptions<Item> & {
  /** Function that makes the message of an item. Default: the item is the message. */
  readonly toMessage?: ToMessage<Item> | undefined;
  /** Function that returns the content type of an item's file; it is checked, never sent. Default: from the URL's extension. */
  readonly contentTypeOf?: ((item: Item) => string | undefined) | undefined;
} & ([Item] extends [RcsMessage]
    ? unknown
    : {
        /** Function that makes the message of an item; required, because items may not be messages. */
        readonly toMessage: ToMessage<Item>;
      });

export const sendManyOptionNames = () =>
  runOptionNames({ toMessage: true, contentTypeOf: true } as const);

/**
 * Sends a message for each item. Within a batch, each key is sent at most once, even if the run is killed and restarted, or
 * runs in several processes. A key that another run claimed less than `timeout` (at most five minutes) plus twice
 * `ledgerTimeout` ago is in progress. The run checks it again later, and ends at most that much later.
 *
 * @param items Iterable or async iterable. If you iterate over the run, it reads a limited number of items ahead of your loop.
 * @returns Run that starts by itself; its options are read at the call. Await it, or iterate over it in the same tick.
 * @throws TypeError that names a missing, malformed or unknown option. Like every error, it rejects the run.
 * @throws whatever the input or a callback throws.
 * @throws A `RecipientError` if the client's `allowRecipient` fails.
 * @example
 * const { accepted, inDoubt, stopped } = await sendMany(rcs, messages, { batch: "reminders 2026-11-21", ledger });
 */
export function sendMany<Item>(
  client: TransactionalClient,
  items: readonly Item[] | Iterable<Item> | AsyncIterable<Item>,
  options: SendManyOptions<Item>,
): BulkRun<Item> {
  return new BulkRun(() => {
    const { limitsOf, nextCallId } = assertClient(client, "sendRcsText");
    assertItems("items", items);
    const given: RunOptions<Item> & MessageFunctions<Item> = options;
    assertOptions("options", given, sendManyOptionNames());
    const callOptions = toCallOptions(given);
    const settings = toRunSettings(given, items, callOptions, limitsOf(callOptions));
    const prepareMessage = createPrepare(given, settings);
    const prepare = async (read: ReadItem<Item>) => {
      const prepared = await prepareMessage(read);
      return "error" in prepared ? prepared : toRunTask(toSendTask(client, prepared, nextCallId));
    };
    return new Run(settings, items, { prepare });
  });
}
