// In Cloudflare Workers, requests share memory, but the timers and promises of a request end with it: what a client in global
// scope waits for may never come. What calls share is therefore plain data, and each call sees to its own part of it.

/** Longest time in milliseconds between two signs of life of a call. */
export const LEASE_MS = 200;
/** Delay of a sign in milliseconds after which the request of the call has ended. */
const LATE_MS = 300;

/** Returns whether requests share this isolate, and take their timers and promises with them when they end. */
export const isIsolateShared = (): boolean =>
  (globalThis.navigator as Navigator | undefined)?.userAgent === "Cloudflare-Workers";

/** Signs of life of a call. They end with the call, and in a shared isolate also with the request of the call. */
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
