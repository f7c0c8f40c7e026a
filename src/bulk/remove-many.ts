import { buildRequest } from "../core/call/build-request.ts";
import { PREPARED } from "../core/call/prepared-call.ts";
import type { V2Client } from "../core/clients/v2-client.ts";
import { ValidationError } from "../core/errors.ts";
import { assertOptions, assertPositiveInteger } from "../core/options.ts";
import { removeSubscriber } from "../core/wire/v2.ts";
import { BulkRun } from "./bulk-run.ts";
import { toRunTask } from "./delivery.ts";
import type { ReadItem } from "./input.ts";
import { digestOf, nextId, requestOrError } from "./message.ts";
import { isName, keyOfItem, toKeyError } from "./names.ts";
import { Run } from "./run.ts";
import {
  assertClient,
  assertItems,
  type RunOptions,
  runOptionNames,
  toCallOptions,
  toRunSettings,
} from "./run-options.ts";

/** Options of `removeMany`. */
export interface RemoveManyOptions extends RunOptions<string> {
  /** Id of the list to remove phone numbers from, a positive integer. */
  readonly listId: number;
}

/**
 * Removes phone numbers from a list and continues where an earlier run of the batch ended.
 *
 * A removal in doubt is retried, because this package assumes that removals are idempotent, unless another run may still be
 * working on it. After a 404, the next run tries again, because the service does not document what a 404 means.
 *
 * @param phones The `phone_number` of each subscriber, exactly as the service returned it. It is sent as given.
 * @returns Run that starts by itself; its options are read at the call. Await it, or iterate over it in the same tick.
 * @throws TypeError that names a missing, malformed or unknown option. Like every error, it rejects the run.
 * @throws whatever the input or a callback throws.
 * @example
 * const { accepted, rejected } = await removeMany(v2, phones, { listId, batch: "opt-outs 2026-11", ledger });
 */
export function removeMany(
  client: V2Client,
  phones: readonly string[] | Iterable<string> | AsyncIterable<string>,
  options: RemoveManyOptions,
): BulkRun<string> {
  return new BulkRun(() => {
    const { limitsOf, nextCallId } = assertClient(client, "subscribers");
    assertItems("phones", phones);
    assertOptions("options", options, runOptionNames({ listId: true as const }));
    const callOptions = toCallOptions(options);
    const settings = toRunSettings(options, phones, callOptions, limitsOf(callOptions));
    const listId = assertPositiveInteger("listId", options.listId);
    const { keyOf, validate } = settings;
    const { id: endpoint } = removeSubscriber;
    const prepare = async (read: ReadItem<string>) => {
      const { item: phone } = read;
      const chosenKey = keyOfItem(keyOf, read);
      const params = { ID: listId, SUBSCRIBER_ID: phone };
      const request = requestOrError(endpoint, () =>
        buildRequest(removeSubscriber, { params }, validate),
      );
      if (ValidationError.is(request)) return { key: chosenKey, error: request };
      // Unless the caller chooses a key, it is the number as given.
      const key = chosenKey ?? phone;
      if (!isName(key)) return { key: undefined, error: toKeyError(endpoint) };
      const ref = nextId();
      return toRunTask({
        key,
        digest: await digestOf([endpoint, listId, phone], ref),
        ref,
        endpoint,
        isIdempotent: true,
        nextCallId,
        method: "subscribers.remove",
        call: (options, hooks) => {
          const callOptions = { ...options, [PREPARED]: { request, options, hooks } };
          return client.subscribers.remove(listId, phone, callOptions);
        },
      });
    };
    return new Run(settings, phones, { prepare, isRemoval: true });
  });
}
