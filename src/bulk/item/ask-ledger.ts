import { type CallContext, LedgerError } from "../../errors.ts";

/**
 * Calls one method of a ledger.
 *
 * @throws {@link LedgerError} `unavailable`, with whatever the ledger threw as its `cause`.
 */
export const askLedger = async <T>(step: () => Promise<T>, context?: CallContext): Promise<T> => {
  try {
    return await step();
  } catch (cause) {
    throw new LedgerError("unavailable", { cause }, context);
  }
};
