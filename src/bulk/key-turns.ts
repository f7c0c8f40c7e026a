import type { CallTimer } from "../http/call-timer.ts";
import { isIsolateShared, LEASE_MS, Lease } from "../isolate.ts";
import type { Ledger } from "./ledger.ts";

/** Turn of a call. The turns of one key are a linked list; a turn leaves it when its call has ended. */
class Turn {
  readonly lease = new Lease(isIsolateShared());
  isOver = false;
  previous: Turn | undefined;
  next: Turn | undefined;
  resolve = (): void => {};
  readonly done = new Promise<void>((resolve) => {
    this.resolve = resolve;
  });

  constructor(previous: Turn | undefined) {
    this.previous = previous;
    if (previous) previous.next = this;
  }
}

/** The last turn of each key. */
type Turns = Map<string, Turn>;

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
  if (turn.isOver) return;
  turn.isOver = true;
  turn.lease.end();
  const { previous, next } = turn;
  if (previous) previous.next = next;
  if (next) next.previous = previous;
  else if (previous) turns.set(id, previous);
  else turns.delete(id);
  turn.previous = undefined;
  turn.resolve();
};

/** Ends the turns of calls whose requests have ended. */
const dropEnded = (turns: Turns): void => {
  for (const [id, last] of turns) {
    for (let turn: Turn | undefined = last; turn; ) {
      const { previous }: Turn = turn;
      if (turn.lease.isOver) endTurn(turns, id, turn);
      turn = previous;
    }
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
  const turn = new Turn(turns.get(id));
  turns.set(id, turn);
  const end = () => endTurn(turns, id, turn);
  try {
    while (turn.previous) {
      const { done } = turn.previous;
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
