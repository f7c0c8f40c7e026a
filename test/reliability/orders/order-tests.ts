import { expect, test } from "vitest";
import { searchAll } from "../../support/orders/search.ts";
import { type Series, toStory } from "../../support/orders/series.ts";
import type { Store } from "../../support/orders/stores.ts";

/** Tests that every promise holds in every order of a series. */
export const testOrders = (
  series: readonly Series[],
  stores: Readonly<Record<Series["ledger"], Store>>,
): void => {
  test.each(series)(
    "every order of $calls.0 and $calls.1 with up to $maxEvents events keeps every promise, in $ledger",
    async ({ ledger, calls, maxEvents }) => {
      const { failure, orders } = await searchAll({ calls, store: stores[ledger], maxEvents });
      expect(failure && toStory(failure, calls)).toBeUndefined();
      expect(orders).toBeGreaterThan(100 ** maxEvents);
    },
    600_000,
  );
};
