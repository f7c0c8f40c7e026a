import type { FakeService } from "./fake-service.ts";
import type { LatencyOptions } from "./faults/latency.ts";
import type { RateLimits } from "./handlers/rate-limit.ts";
import type { NewAccount } from "./resources/new-resources.ts";
import type { IdMode } from "./state/ids.ts";
import type { FakeState } from "./state/saved-state.ts";
import type { WebhookBody } from "./webhooks/webhooks.ts";

/** Options of {@link createFakeService}. */
export interface FakeServiceOptions {
  /** Source of the time that the clock starts from. Default: the real time. */
  readonly now?: (() => Date) | undefined;
  /** Limits beyond which the service responds 429; `true` is 1200 calls of version 2 an hour. Default: `false`. */
  readonly rateLimit?: boolean | RateLimits | undefined;
  /** Real time in milliseconds that responses take, 0 to 1 000 000 000. Default: 0. */
  readonly latency?: number | LatencyOptions | undefined;
  /** Fields of the first account. Default: generated ones. */
  readonly account?: NewAccount | undefined;
  /**
   * Way in which ids are generated: `sequential` counts from 1, `random` creates ids that differ from those of other
   * services. Default: `sequential`.
   */
  readonly ids?: IdMode | undefined;
  /** Function that fills the service, called at creation and again by `reset()`. Default: none. */
  readonly setUp?: ((service: FakeService) => void) | undefined;
  /** State that `save()` returned, restored in place of `setUp`. Default: none. */
  readonly state?: FakeState | undefined;
  /**
   * Function that builds the body of the webhooks of a send, which the specification does not show. Default: no
   * webhooks.
   */
  readonly webhooks?: WebhookBody | undefined;
  /** Number of requests, messages, sends and webhooks that are kept, each, 1 or more. Default: 10 000. */
  readonly historyLimit?: number | undefined;
}
