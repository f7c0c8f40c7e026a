import { assertOptions, type OptionNames } from "../options.ts";
import { addAccount, changeFirstAccount, type NewAccount } from "./fake/accounts.ts";
import { assertUsage } from "./fake/checks.ts";
import { CLOCK_END_MS, CLOCK_START_MS } from "./fake/clock.ts";
import { Events } from "./fake/events.ts";
import { restoreState } from "./fake/saved-state.ts";
import { type FakeAccount, idModes } from "./fake/store.ts";
import type { PostWebhook } from "./fake/webhooks.ts";
import { createWorld, type FakeWorld } from "./fake/world.ts";
import type { FakeServiceOptions } from "./fake-service.ts";
import { Responder } from "./handlers/responder.ts";

const CALL = "createFakeService";

const NAMES: OptionNames<FakeServiceOptions> = {
  now: true,
  rateLimit: true,
  latency: true,
  account: true,
  ids: true,
  setUp: true,
  state: true,
  webhooks: true,
  historyLimit: true,
};

/** @throws TypeError when an option is unknown or malformed. */
const assertServiceOptions = (options: FakeServiceOptions): void => {
  const { now, ids, setUp, webhooks, historyLimit } = assertOptions("options", options, NAMES);
  const time: unknown = typeof now === "function" ? now() : (now ?? new Date());
  const epochMs = time instanceof Date ? time.getTime() : Number.NaN;
  const isTime = epochMs >= CLOCK_START_MS && epochMs <= CLOCK_END_MS;
  assertUsage(CALL, isTime, "now must be a function that returns a Date of the years 1 to 9999");
  const isMode = ids === undefined || idModes.includes(ids);
  assertUsage(CALL, isMode, "ids must be sequential or random");
  for (const [name, option] of Object.entries({ setUp, webhooks })) {
    const isFunction = option === undefined || typeof option === "function";
    assertUsage(CALL, isFunction, `${name} must be a function`);
  }
  const isLimit =
    historyLimit === undefined || (Number.isSafeInteger(historyLimit) && historyLimit > 0);
  assertUsage(CALL, isLimit, "historyLimit must be a positive integer");
};

/** Fake service from its creation, or its last reset, onwards. */
export class Session {
  readonly events = new Events();
  readonly #options: FakeServiceOptions;
  readonly #posters: PostWebhook[] = [];
  #world: FakeWorld;
  #responder: Responder;

  constructor(options: FakeServiceOptions) {
    assertServiceOptions(options);
    this.#options = options;
    const { state, account } = options;
    ({ world: this.#world, responder: this.#responder } = this.#create(account, state));
  }

  get world(): FakeWorld {
    return this.#world;
  }

  get responder(): Responder {
    return this.#responder;
  }

  get firstAccount(): FakeAccount {
    return this.#world.store.accounts[0] as FakeAccount;
  }

  /** Starts afresh with the same account, and without a saved state. */
  begin(): void {
    ({ world: this.#world, responder: this.#responder } = this.#create(this.firstAccount));
  }

  /** Sends what is due by the clock. */
  sendDue(): void {
    if (this.#world.clock.ringDue()) this.events.emit({ type: "state" });
  }

  /** Adds a function that posts webhooks; only the first one is called. The returned function removes it. */
  addPoster(post: PostWebhook): () => void {
    assertUsage("postWebhooks", typeof post === "function", "post must be a function");
    const added: PostWebhook = (webhook) => post(webhook);
    this.#posters.push(added);
    return () => {
      const index = this.#posters.indexOf(added);
      if (index >= 0) this.#posters.splice(index, 1);
    };
  }

  #create(
    account: NewAccount | undefined,
    state?: unknown,
  ): { world: FakeWorld; responder: Responder } {
    const { now = () => new Date(), ids = "sequential", historyLimit = 10_000 } = this.#options;
    const { webhooks } = this.#options;
    const { events } = this;
    const world = createWorld({ now, ids, historyLimit, webhooks, posters: this.#posters, events });
    const responder = new Responder(world, events, historyLimit, this.#options);
    if (state === undefined) {
      addAccount(world, account);
      world.store.ids.shuffle();
    } else {
      restoreState(world, state);
      changeFirstAccount(world, account);
    }
    return { world, responder };
  }
}
