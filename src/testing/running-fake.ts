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

/** The parts that a reset replaces. */
interface Beginning {
  readonly world: FakeWorld;
  readonly responder: Responder;
}

/** World and responder of a fake service, which a reset replaces, and the parts that a reset keeps. */
export class RunningFake {
  readonly events = new Events();
  readonly posters = new Set<PostWebhook>();
  readonly #begin: (account: NewAccount | undefined, state?: unknown) => Beginning;
  #current: Beginning;

  constructor(options: FakeServiceOptions) {
    const { events, posters } = this;
    const { now = () => new Date(), historyLimit = 10_000, webhooks } = options;
    // Read now, because a reset needs them again and the caller may have changed the options by then.
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

  /** The world, after everything that is due was sent. */
  get worldNow(): FakeWorld {
    this.sendDue();
    return this.world;
  }

  sendDue(): void {
    if (this.world.clock.runDueAlarms()) this.events.emit({ type: "state" });
  }

  /** Makes a change to the current world, and emits a `state` event. */
  change<T>(make: (world: FakeWorld) => T): T {
    const result = make(this.worldNow);
    this.events.emit({ type: "state" });
    return result;
  }

  restart(): void {
    const [account] = this.world.store.accounts;
    // Outcomes of webhooks that are still being posted do not belong to the new world.
    this.world.webhooks.history.remove(() => true);
    this.#current = this.#begin(account);
  }
}
