import { type AnyMessagingServiceError, LedgerError, MessagingServiceError } from "../../errors.ts";
import type { RequestOptions } from "../../http/options.ts";
import { toClaimResult } from "../ledger.ts";
import { askLedger } from "./ask-ledger.ts";
import type { ClaimGuard, Desk, Obstacle } from "./claim-guard.ts";
import { type CallEnd, toCallEnd } from "./ledger-state.ts";
import type { Task } from "./task.ts";

/** Result of a task. */
export type Delivery =
  | (Obstacle & { readonly state: "skipped" })
  | (Omit<CallEnd, "ledgerState"> & {
      /** Error of the ledger, if it failed. */
      readonly ledgerError?: LedgerError | undefined;
      /** Whether the ledger recorded this result. */
      readonly recorded: boolean;
    });

/** Returns the result of a task that the ledger prevents already, so that it takes no slot of the throttle. */
export const lookUp = async (task: Task, desk: Desk): Promise<Delivery | undefined> => {
  const { endpoint, key } = task;
  try {
    const entry = await askLedger(() => desk.ledger.find(desk.batch, key), { endpoint });
    const reason = toClaimResult(entry ?? undefined, { ...task, owner: desk.owner });
    if (reason === "claimed" || (reason === "in_doubt" && task.mayRepeat)) return undefined;
    return { state: "skipped", reason, entry };
  } catch (error) {
    const ledgerError = error as LedgerError;
    return { state: "not_sent", error: ledgerError, ledgerError, recorded: true };
  }
};

/** Sends a task, unless the ledger prevents it, and records the result. Rejects only if a callback does, or for misuse. */
export const deliver = async (
  task: Task,
  guard: ClaimGuard,
  options: RequestOptions,
): Promise<Delivery> => {
  const call = async (): Promise<CallEnd> => {
    const { transactionId } = await task.call(options, guard);
    return { state: "accepted", ledgerState: "accepted", transactionId };
  };

  const end = await call().catch(async (thrown: unknown) => {
    await guard.idle();
    if (guard.obstacle && !guard.doubt) return guard.obstacle;
    const error = guard.obstacle ? guard.doubt : thrown;
    if (MessagingServiceError.is(error)) return toCallEnd(error, task);
    await guard.record({ state: "unknown" });
    throw thrown;
  });
  if ("reason" in end) return { state: "skipped", ...end };

  const { ledgerState, ...known } = end;
  const recorded = await guard.record({
    state: ledgerState,
    transactionId: known.transactionId,
    code: known.error?.code,
  });
  const failure: AnyMessagingServiceError | undefined = recorded ? known.error : guard.ledgerError;
  return { ...known, recorded, ledgerError: LedgerError.is(failure) ? failure : undefined };
};
