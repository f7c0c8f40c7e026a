import type { CallTimer } from "../http/call-timer.ts";
import { isIsolateShared, LEASE_MS, Lease } from "../isolate.ts";
import type { Ledger } from "./ledgers/ledger.ts";

/** Turn of a call, which ends with the call. */
class Turn {
  readonly lease = new Lease(isIsolateShared());
  end = (): void => {};
  readonly done = new Promise<void>((resolve) => {
    this.end = resolve;
  });
}

/** The turns of each key, in their order. */
type Turns = Map<string, readonly Turn[]>;

/** Property of a ledger that holds the turns of its calls; the same symbol in the ESM and the CommonJS copy. */
const TURNS: unique symbol = /* @__PURE__ */ Symbol.for("messaging-service-client.calls");

/** Returns the turns of a ledger. They are stored on the ledger itself. A frozen ledger cannot store them: its calls do not queue. */
const turnsOf = (ledger: Ledger & { readonly [TURNS]?: Turns }): Turns => {
  if (!ledger[TURNS]) {
    // Vue's proxies wrap only what is extensible, and any proxy may wrap only a property that is configurable.
    const value: Turns = Object.preventExtensions(new Map());
    Reflect.defineProperty(ledger, TURNS, { value, configurable: true });
  }
  return ledger[TURNS] ?? new Map();
};

const endTurn = (turns: Turns, id: string, turn: Turn): void => {
  const rest = (turns.get(id) ?? []).filter((other) => other !== turn);
  if (rest.length > 0) turns.set(id, rest);
  else turns.delete(id);
  turn.lease.end();
  turn.end();
};

/** Ends the turns of calls whose requests have ended. */
const dropEnded = (turns: Turns): void => {
  for (const [id, queue] of turns) {
    for (const turn of queue) if (turn.lease.isOver) endTurn(turns, id, turn);
  }
};

/**
 * Waits for earlier calls of this process with the same ledger, batch and key. Resolves to a function that lets the next one run.
 *
 * @param timer Timer of the call, which may end the wait. The next call then still waits for the earlier ones.
 */
export const takeTurn = async (
  ledger: Ledger,
  batch: string,
  key: string,
  timer: CallTimer,
): Promise<() => void> => {
  const isShared = isIsolateShared();
  const turns = turnsOf(ledger);
  if (isShared) dropEnded(turns);
  const id = JSON.stringify([batch, key]);
  const turn = new Turn();
  turns.set(id, [...(turns.get(id) ?? []), turn]);
  const end = () => endTurn(turns, id, turn);
  const previousTurn = () => {
    const queue = turns.get(id) ?? [];
    return queue[queue.indexOf(turn) - 1];
  };
  try {
    for (let previous = previousTurn(); previous; previous = previousTurn()) {
      const { done } = previous;
      // A promise of another request may stay pending for ever.
      await (isShared ? timer.pause(LEASE_MS) : timer.run(() => done));
      if (isShared) dropEnded(turns);
    }
    return end;
  } catch (error) {
    end();
    throw error;
  }
};
