import type { Delivery } from "../item/deliver.ts";
import type { ItemResult } from "./run-result.ts";

/** Returns the result of an item for the caller; fields that are not known are absent. */
export const toItemResult = <Item>(
  item: Item,
  key: string | undefined,
  delivery: Delivery,
): ItemResult<Item> => {
  const known = { item, ...(key === undefined ? {} : { key }), state: delivery.state };
  if (delivery.state === "skipped") {
    const { reason, note, entry } = delivery;
    const transactionId = entry?.transactionId ?? undefined;
    return {
      ...known,
      reason,
      ...(note === undefined ? {} : { note }),
      ...(transactionId === undefined ? {} : { transactionId }),
    };
  }
  const { transactionId, error, recorded } = delivery;
  return {
    ...known,
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(error === undefined ? {} : { error }),
    ...(recorded ? {} : { recorded }),
  };
};
