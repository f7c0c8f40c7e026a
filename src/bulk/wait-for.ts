/** Longest wait in milliseconds for work that tidies up after a call or a run has ended. */
export const GRACE_MS = 250;

/** Result of a wait: a value, or the reason why the wait ended without one. */
export type Waited<T> = { readonly value: T } | "stopped" | "late";

/** Registry of callbacks that end a wait, such as a `Set`. */
export interface Stops {
  add(onStop: () => void): unknown;
  delete(onStop: () => void): unknown;
}

/**
 * Waits for work that may never settle. The time limit or a stop ends the wait. Rejects if the work does.
 *
 * @param limitMs Longest wait in milliseconds. Default: no limit.
 * @param stops Registry to which the wait belongs until it has ended.
 */
export const waitFor = <T>(
  work: PromiseLike<T>,
  limitMs = Number.POSITIVE_INFINITY,
  stops?: Stops,
): Promise<Waited<T>> =>
  new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      stops?.delete(onStop);
      settle();
    };
    const onStop = () => end(() => resolve("stopped"));
    const onLate = () => end(() => resolve("late"));
    const timer = limitMs < Number.POSITIVE_INFINITY ? setTimeout(onLate, limitMs) : undefined;
    stops?.add(onStop);
    work.then(
      (value) => end(() => resolve({ value })),
      (error) => end(() => reject(error)),
    );
  });
