import { MAX_TIMER_MS } from "../options.ts";
import type { RunSettings } from "./run-options.ts";

/** Callbacks for what ends a run from outside. */
interface StopCallbacks {
  onStop(): void;
  onAbort(): void;
  onDeadline(): void;
}

/** Listens for everything that ends a run from outside. Returns a function that removes every listener and timer. */
export const listenForStop = (
  { stop, signal, deadline }: Pick<RunSettings<never>, "stop" | "signal" | "deadline">,
  { onStop, onAbort, onDeadline }: StopCallbacks,
): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const awaitDeadline = (now: number) => {
    const leftMs = Math.min(deadline - now, MAX_TIMER_MS);
    // The timer has fired, whatever the clock shows: fake timers may leave it behind.
    const onTimer = () => awaitDeadline(Math.max(Date.now(), now + leftMs));
    if (leftMs > 0) timer = setTimeout(onTimer, leftMs);
    else onDeadline();
  };
  stop?.addEventListener("abort", onStop);
  signal?.addEventListener("abort", onAbort);
  if (deadline < Number.POSITIVE_INFINITY) awaitDeadline(Date.now());
  if (stop?.aborted || signal?.aborted) onStop();
  return () => {
    clearTimeout(timer);
    stop?.removeEventListener("abort", onStop);
    signal?.removeEventListener("abort", onAbort);
  };
};
