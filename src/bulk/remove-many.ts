import type { ClientAccess } from "../clients/client-access.ts";
import type { V2Client } from "../clients/v2-client.ts";
import { ValidationError } from "../errors.ts";
import { buildRequest } from "../http/build-request.ts";
import { assertObject } from "../options.ts";
import { removeSubscriber } from "../wire/v2.ts";
import { assertClient } from "./assert-client.ts";
import { digestOf, randomId } from "./item/digest.ts";
import { isName, NAME_RULE } from "./item/name.ts";
import type { Task } from "./item/task.ts";
import { BulkRun } from "./run/bulk-run.ts";
import { assertItems, Input, type Items, sizeOf } from "./run/input.ts";
import { RunLoop } from "./run/run-loop.ts";
import { assertName, assertPositive, type RunOptions, toRunSettings } from "./run/run-options.ts";

/** Options of `removeMany`. */
export interface RemoveManyOptions extends RunOptions<string> {
  /** Id of the list to remove the phones from, a positive integer. */
  readonly listId: number;
}

/** Returns the task that removes a phone from a list. Its key is the phone as given, unless the caller chooses another. */
const toRemoval = async (
  { send }: ClientAccess,
  listId: number,
  phone: string,
  key: string | undefined,
): Promise<Task> => {
  const { id: endpoint } = removeSubscriber;
  const params = { ID: listId, SUBSCRIBER_ID: phone };
  const request = buildRequest(removeSubscriber, { params }, true, () => ({ endpoint }));
  if (key === undefined && !isName(phone)) {
    const issue = { code: "custom", message: `must be ${NAME_RULE}`, path: ["phoneNumber"] };
    throw new ValidationError([issue], {}, { endpoint });
  }
  const ref = randomId();
  return {
    key: key ?? phone,
    digest: await digestOf([endpoint, listId, phone], ref),
    ref,
    endpoint,
    mayRepeat: true,
    // The phone is not on the list, whether or not an attempt whose response was lost removed it.
    isSettledBy: ({ code }) => code === "not_found",
    call: async (options, guard) => {
      await send(removeSubscriber, { params }, options, { request, guard });
      return {};
    },
  };
};

/**
 * Removes phones from a list, and continues where an earlier run of the batch ended. A removal in doubt is repeated,
 * because it is idempotent; a phone that is not on the list ends as `rejected` and is settled.
 *
 * @param phones The `phone_number` of each subscriber, as the service stores it: it is sent as given.
 * @returns A run that starts when it is awaited or iterated.
 * @throws TypeError that names an invalid option, when the run starts.
 * @example
 * const { accepted, rejected } = await removeMany(v2, phones, { listId, batch: "opt-outs 2026-11", ledger });
 */
export function removeMany(
  client: V2Client,
  phones: Items<string>,
  options: RemoveManyOptions,
): BulkRun<string> {
  return new BulkRun((results) => {
    const access = assertClient("client", client, "v2");
    assertItems("phones", phones);
    const { listId, ...runOptions } = assertObject("options", options);
    const settings = toRunSettings(runOptions, sizeOf(phones));
    assertPositive("listId", listId);
    const prepare = async (phone: string) => {
      const key = settings.keyOf && assertName("keyOf", settings.keyOf(phone));
      try {
        return await toRemoval(access, listId, phone, key);
      } catch (error) {
        if (ValidationError.is(error)) return { key, error };
        throw error;
      }
    };
    return new RunLoop(settings, new Input(phones), prepare, results);
  });
}
