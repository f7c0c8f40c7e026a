import { Events } from "./fake/fake-events.ts";
import { restoreState } from "./fake/saved-state.ts";
import type { PostWebhook } from "./fake/webhooks.ts";
import {
  addAccount,
  changeFirstAccount,
  createWorld,
  type FakeWorld,
  type NewAccount,
} from "./fake/world.ts";
import type { FakeServiceOptions } from "./fake-service.ts";
import { createRateLimits } from "./service/limits.ts";
import { createLatency } from "./service/request-filter.ts";
import { createResponder } from "./service/responder.ts";

type Responder = ReturnType<typeof createResponder>;

/** What a reset replaces. */
interface Beginning {
  readonly world: FakeWorld;
  readonly responder: Responder;
}

/** World of a fake service with its responder, both of which a reset replaces, and what outlives a reset. */
export class RunningFake {
  readonly events = new Events();
  readonly posters = new Set<PostWebhook>();
  readonly #begin: (account: NewAccount | undefined, state?: unknown) => Beginning;
  #current: Beginning;

  constructor(options: FakeServiceOptions) {
    const { events, posters } = this;
    const { now = () => new Date(), historyLimit = 10_000, webhooks } = options;
    // A reset needs them again: the caller may change the options meanwhile.
    const { rateLimit = false, latency = 0 } = options;
    const toRateLimits = createRateLimits(rateLimit);
    const toLatency = createLatency(latency);
    this.#begin = (account, state) => {
      const world = createWorld({ now, historyLimit, webhooks, posters, events });
      const limits = toRateLimits(world.clock);
      const responder = createResponder(world, events, historyLimit, limits, toLatency());
      if (state === undefined) {
        addAccount(world, account);
      } else {
        restoreState(world, state);
        changeFirstAccount(world, account);
      }
      return { world, responder };
    };
    this.#current = this.#begin(options.account, options.state);
  }

  get world(): FakeWorld {
    return this.#current.world;
  }

  get responder(): Responder {
    return this.#current.responder;
  }

  /** The world after everything was sent that is due by its clock. */
  get worldNow(): FakeWorld {
    this.sendDue();
    return this.world;
  }

  sendDue(): void {
    if (this.world.clock.runDueAlarms()) this.events.emit({ type: "state" });
  }

  /** Makes a change to the world as it is now, and announces it. */
  change<T>(make: (world: FakeWorld) => T): T {
    const result = make(this.worldNow);
    this.events.emit({ type: "state" });
    return result;
  }

  restart(): void {
    const [account] = this.world.store.accounts;
    // Those that are under way belong to no webhook of the new world.
    this.world.webhooks.history.remove(() => true);
    this.#current = this.#begin(account);
  }
}
