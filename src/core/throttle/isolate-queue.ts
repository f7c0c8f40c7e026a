import { LEASE_MS, Lease } from "../isolate.ts";
import { ignoreErrors, MAX_TIMER_MS } from "../options.ts";
import { waitFor } from "../wait-for.ts";
import type { AcquireOptions, Permit, Slot } from "./slot.ts";
import { SlotQueue } from "./slot-queue.ts";
import { NoReplyError, toMaxWaitError, toThrottleError } from "./throttle-error.ts";

/**
 * Queue in an isolate that several requests share. A call may not settle a promise of a different request, or rely on its timer.
 * Each call therefore checks for its slot itself at intervals, and a call whose request has ended loses its place.
 */
export class IsolateQueue extends SlotQueue {
  readonly #places = new Set<Lease>();
  /** The provider's latest failure to reply, which fails every call that has waited for that reply. */
  #silence: { readonly error: NoReplyError; readonly at: number } | undefined;

  count(): number {
    for (const place of this.#places) {
      if (place.isOver) this.#places.delete(place);
    }
    return this.#places.size;
  }

  protected async join(options: AcquireOptions): Promise<Slot> {
    const place = new Lease(true);
    try {
      return this.toSlot(await this.#wait(place, options));
    } finally {
      place.end();
      this.#places.delete(place);
    }
  }

  protected passOn(permit: Permit): void {
    this.giveBack(permit);
  }

  async #wait(
    place: Lease,
    { signal, maxHold = Infinity, onQueued }: AcquireOptions,
  ): Promise<Permit> {
    const joinedAt = this.clock.now();
    const lastAt = joinedAt + this.maxWait;
    for (let isNew = true; ; isNew = false) {
      if (signal?.aborted) throw signal.reason;
      // If this call checked too late, it lost its place as if its request had ended, so it joins again.
      this.#places.add(place);
      this.count();
      const silence = this.#silence;
      if (silence && silence.at > joinedAt) throw toThrottleError(silence.error);
      const held = this.heldError(maxHold);
      if (held) throw held;
      const ahead = [...this.#places].indexOf(place);
      let waitMs = this.waitAfter(ahead);
      if (ahead === 0) {
        const reply = await this.#take(lastAt, signal);
        if (typeof reply === "object") return reply;
        if (this.clock.now() + reply > lastAt) throw toMaxWaitError(reply);
        waitMs ??= reply;
      }
      if (isNew && onQueued) ignoreErrors(() => onQueued(waitMs));
      const pauseMs = Math.min(LEASE_MS, Math.max(1, waitMs ?? LEASE_MS));
      await waitFor(new Promise(() => {}), pauseMs, signal);
    }
  }

  /** Takes a slot for the first call, or returns the milliseconds to wait. */
  async #take(lastAt: number, signal: AbortSignal | undefined): Promise<Permit | number> {
    const now = this.clock.now();
    if (this.heldUntil > now) return this.heldUntil - now;
    const reply = this.provider.take();
    if (!(reply instanceof Promise)) return reply;
    const isLimited = this.provider.hasUnknownWait && this.maxWait <= MAX_TIMER_MS;
    const limitMs = isLimited ? lastAt - now : Infinity;
    const result = await waitFor(reply, limitMs, signal).catch((thrown: unknown): never => {
      if (thrown instanceof NoReplyError) this.#silence = { error: thrown, at: this.clock.now() };
      throw toThrottleError(thrown);
    });
    if (typeof result === "string") {
      // The permit may arrive after the call has left.
      reply.then(
        (permit) => permit && this.giveBack(permit),
        () => {},
      );
      throw result === "late" ? toMaxWaitError() : signal?.reason;
    }
    const { value: permit } = result;
    if (permit && this.heldUntil <= this.clock.now()) return permit;
    if (permit) this.giveBack(permit);
    return this.#take(lastAt, signal);
  }
}
