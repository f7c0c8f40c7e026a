// In Cloudflare Workers, requests share memory, but the timers and promises of a request end with it. A client in global scope
// may therefore wait for something that never happens. For this reason, calls share only plain data, and each call manages its
// own entry.

/** Maximum time in milliseconds between two renewals of a lease. */
export const LEASE_MS = 200;
/** Delay of a renewal in milliseconds after which the request of the call is assumed to have ended. */
const LATE_MS = 300;

/** Returns whether requests share this isolate, so that the timers and promises of a request end with it. */
export const isIsolateShared = (): boolean =>
  (globalThis.navigator as Navigator | undefined)?.userAgent === "Cloudflare-Workers";

/**
 * Lease of a call, which shows that the call is still running. In a shared isolate, it also ends with the request of the call.
 */
export class Lease {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #seenAt = Infinity;

  constructor(isShared: boolean) {
    if (isShared) this.#renew();
  }

  get isOver(): boolean {
    return performance.now() > this.#seenAt + LEASE_MS + LATE_MS;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#seenAt = -Infinity;
  }

  #renew(): void {
    this.#seenAt = performance.now();
    this.#timer = setTimeout(() => this.#renew(), LEASE_MS);
  }
}
