import { MAX_TIMER_MS } from "./options.ts";

/** Maximum wait in milliseconds for cleanup work after a call or a run has ended. */
export const GRACE_MS = 250;

/** Cause that ended a wait: its signal or its time limit. */
type EndedBy = "stopped" | "late";

/** Minimum delay of a timer in milliseconds that shows that the event loop was blocked. */
const BLOCKED_MS = 5;

/**
 * Settles like the work. If the time limit or the signal ends it first, settles with the value that `onEnd` returns or throws.
 *
 * While the event loop is blocked, no socket is read or written. The work gets that time back, but no more than its limit in
 * total.
 */
export const runWithin = <T, E>(
  work: Promise<T>,
  limitMs: number,
  signal: AbortSignal | undefined,
  onEnd: (by: EndedBy) => E,
): Promise<T | E> =>
  new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const release = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const end = (by: EndedBy) => {
      release();
      try {
        resolve(onEnd(by));
      } catch (error) {
        reject(error);
      }
    };
    const onAbort = () => end("stopped");
    const limit = (ms: number, spareMs: number) => {
      const dueAt = performance.now() + ms;
      timer = setTimeout(() => {
        const blockedMs = Math.min(performance.now() - dueAt, spareMs);
        if (blockedMs > BLOCKED_MS) limit(blockedMs, spareMs - blockedMs);
        else end("late");
      }, ms);
    };
    if (limitMs < Infinity) limit(limitMs, limitMs);
    signal?.addEventListener("abort", onAbort);
    work.then(release, release);
    work.then(resolve, reject);
    if (signal?.aborted) onAbort();
  });

export type WaitResult<T> = { readonly value: T } | EndedBy;

/** Waits for work that may never settle. The time limit or the signal ends the wait. Rejects if the work does. */
export const waitFor = <T>(
  work: PromiseLike<T>,
  limitMs = Infinity,
  signal?: AbortSignal,
): Promise<WaitResult<T>> =>
  runWithin(
    Promise.resolve(work).then((value) => ({ value })),
    limitMs,
    signal,
    (by) => by,
  );

/**
 * Calls a function after a time, which may be longer than a single timer can wait. Returns a function that cancels the call.
 *
 * @param isIdle Whether the process may end before the timer fires. Deno and browsers have no such timer, so none is set there.
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
  // Removes rounding errors of sums, which would cost a whole millisecond.
  start(Math.round(ms * 1000) / 1000);
  return () => clearTimeout(timer);
};
