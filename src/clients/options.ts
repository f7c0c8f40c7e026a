import type { ClientEvent } from "../http/events.ts";
import type { RequestOptions } from "../http/options.ts";
import type { FetchLike } from "../http/transport.ts";
import type { ThrottleOptions } from "../throttle/create-throttle.ts";
import type { Throttle } from "../throttle/throttle.ts";

/** Options that both clients have. Those of a call hold for every call. */
export interface ClientOptions extends Omit<RequestOptions, "signal"> {
  /** Where the service is: an https URL; a path prefix is kept. Required, here or by environment variable. */
  readonly baseUrl?: string | undefined;
  /** A key of the account. Required, here or by environment variable. */
  readonly apiKey?: string | undefined;
  /** Any fetch-compatible function. Default: `globalThis.fetch` as it is at each call. */
  readonly fetch?: FetchLike | undefined;
  /** Whether `baseUrl` may be plain http on a host that is not loopback: the key then goes unencrypted. Default: `false`. */
  readonly allowInsecureHttp?: boolean | undefined;
  /** Told what happens: requests, responses, retries, waits, drifted responses, failures. What it throws is ignored. */
  readonly onEvent?: ((event: ClientEvent) => unknown) | undefined;
}

/** Options of a `V2Client`. */
export interface V2ClientOptions extends ClientOptions {
  /** The e-mail address that the account signs in with; no colon. Required, here or as `MESSAGING_V2_EMAIL`. */
  readonly email?: string | undefined;
  /** When attempts may start: a limit, a throttle to share, or `false`. Default: `{ limit: 1200, interval: 3_600_000 }`. */
  readonly throttle?: ThrottleOptions | Throttle | false | undefined;
}

/** Options of a `TransactionalClient`. */
export interface TransactionalClientOptions extends ClientOptions {
  /** When attempts may start: a limit, a throttle to share, or `false`. Default: `false`. */
  readonly throttle?: ThrottleOptions | Throttle | false | undefined;
}
