import { MAX_TIMER_MS } from "./options.ts";

/** Longest wait in milliseconds for work that tidies up after a call or a run has ended. */
export const GRACE_MS = 250;

export type WaitResult<T> = { readonly value: T } | "stopped" | "late";

/** Waits for work that may never settle. The time limit or the signal ends the wait. Rejects if the work does. */
export const waitFor = <T>(
  work: PromiseLike<T>,
  limitMs = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): Promise<WaitResult<T>> =>
  new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      settle();
    };
    const onAbort = () => end(() => resolve("stopped"));
    const onLate = () => end(() => resolve("late"));
    const timer = limitMs < Number.POSITIVE_INFINITY ? setTimeout(onLate, limitMs) : undefined;
    signal?.addEventListener("abort", onAbort);
    work.then(
      (value) => end(() => resolve({ value })),
      (error) => end(() => reject(error)),
    );
    if (signal?.aborted) onAbort();
  });

/**
 * Calls back after a time, even one that is longer than a single timer can wait. Returns a function that cancels this.
 *
 * @param isIdle Whether the process may end first. There is no such timer in Deno and in browsers.
 */
export const startTimer = (ms: number, onEnd: () => void, isIdle = false): (() => void) => {
  let timer: ReturnType<typeof setTimeout>;
  const start = (leftMs: number) => {
    const timerMs = Math.min(Math.ceil(Math.max(0, leftMs)), MAX_TIMER_MS);
    timer = setTimeout(() => (leftMs > timerMs ? start(leftMs - timerMs) : onEnd()), timerMs);
    if (!isIdle) return;
    const idle = timer as { readonly unref?: () => void };
    if (idle.unref) idle.unref();
    else clearTimeout(timer);
  };
  // Without the rounding errors of sums, which would cost a whole millisecond.
  start(Math.round(ms * 1000) / 1000);
  return () => clearTimeout(timer);
};
