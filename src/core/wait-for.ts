import { MAX_TIMER_MS } from "./options.ts";

/** Longest wait in milliseconds for work that tidies up after a call or a run has ended. */
export const GRACE_MS = 250;

/** What ended a wait: its signal, or its time limit. */
type EndedBy = "stopped" | "late";

/** Delay in milliseconds after which a timer shows that the event loop was blocked. */
const BLOCKED_MS = 5;

/**
 * Settles like the work, unless the time limit or the signal ends it first; then settles as `onEnd` returns or throws.
 *
 * While the event loop is blocked, no socket is read or written. The work gets that time back, up to its limit again.
 */
export const runWithin = <T, E>(
  work: PromiseLike<T>,
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
    if (limitMs < Number.POSITIVE_INFINITY) limit(limitMs, limitMs);
    signal?.addEventListener("abort", onAbort);
    work.then(
      (value) => {
        release();
        resolve(value);
      },
      (error) => {
        release();
        reject(error);
      },
    );
    if (signal?.aborted) onAbort();
  });

export type WaitResult<T> = { readonly value: T } | EndedBy;

/** Waits for work that may never settle. The time limit or the signal ends the wait. Rejects if the work does. */
export const waitFor = <T>(
  work: PromiseLike<T>,
  limitMs = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): Promise<WaitResult<T>> =>
  runWithin(
    Promise.resolve(work).then((value) => ({ value })),
    limitMs,
    signal,
    (by) => by,
  );

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
