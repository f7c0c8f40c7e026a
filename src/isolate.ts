// In Cloudflare Workers, requests share memory, but the timers and promises of a request end with it: what a client in global
// scope waits for may never come. What calls share is therefore plain data, and each call sees to its own part of it.

/** Interval in milliseconds at which a call gives its sign of life. */
export const LEASE_MS = 200;
/** Delay of that sign in milliseconds after which the request of the call has ended. */
const GRACE_MS = 300;

/** Returns whether requests share this isolate, and take their timers and promises with them when they end. */
export const isIsolateShared = (): boolean =>
  (globalThis.navigator as Navigator | undefined)?.userAgent === "Cloudflare-Workers";

/** Sign of life of a call. It ends with the call, and in a shared isolate also soon after the request of the call. */
export class Lease {
  readonly #onRenewal: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #expiresAt = Infinity;

  /** @param onRenewal Called at each renewal of the lease, in a shared isolate. */
  constructor(isShared: boolean, onRenewal?: () => void) {
    this.#onRenewal = onRenewal;
    if (isShared) this.#renew();
  }

  get isOver(): boolean {
    return performance.now() > this.#expiresAt;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#expiresAt = -Infinity;
  }

  #renew(): void {
    this.#expiresAt = performance.now() + LEASE_MS + GRACE_MS;
    this.#timer = setTimeout(() => {
      this.#renew();
      this.#onRenewal?.();
    }, LEASE_MS);
  }
}
