import type { ClientEvent } from "../http/events/events.ts";
import type { RequestOptions } from "../http/options.ts";
import type { FetchLike } from "../http/transport.ts";
import { assertOptions, type OptionNames } from "../options.ts";
import type { ThrottleOptions, WindowThrottle } from "../throttle/create-throttle.ts";
import type { Throttle } from "../throttle/throttle.ts";

/** Throttle of a client. One that the client made has all methods of a {@link WindowThrottle}. */
export type ClientThrottle = Throttle & Partial<WindowThrottle>;

/** Options that both clients have. The options of a call, given here, apply to every call. */
export interface ClientOptions extends Omit<RequestOptions, "signal"> {
  /** Base URL of the service: https, with an optional path prefix. Required, here or by environment variable. */
  readonly baseUrl?: string | undefined;
  /** API key of the account. Required, here or by environment variable. */
  readonly apiKey?: string | undefined;
  /** Fetch-compatible function. Default: `globalThis.fetch`, looked up at each attempt. */
  readonly fetch?: FetchLike | undefined;
  /**
   * Whether `baseUrl` may be plain http on a host that is not loopback, so that the key is sent unencrypted. Default:
   * `false`.
   */
  readonly allowInsecureHttp?: boolean | undefined;
  /**
   * Listener for the events of all calls: requests, responses, retries, waits, drifted responses, results. Errors that
   * it throws are ignored.
   */
  readonly onEvent?: ((event: ClientEvent) => unknown) | undefined;
}

/** Options of a `V2Client`. */
export interface V2ClientOptions extends ClientOptions {
  /** E-mail address that the account signs in with, without a colon. Required, here or as `MESSAGING_V2_EMAIL`. */
  readonly email?: string | undefined;
  /**
   * Throttle of the attempts: a limit, a throttle to share between clients, or `false` for none. Default: `{ limit:
   * 1200, interval: 3_600_000 }`.
   */
  readonly throttle?: ThrottleOptions | Throttle | false | undefined;
}

/** Options of a `TransactionalClient`. */
export interface TransactionalClientOptions extends ClientOptions {
  /** Throttle of the attempts: a limit, a throttle to share between clients, or `false` for none. Default: `false`. */
  readonly throttle?: ThrottleOptions | Throttle | false | undefined;
}

const CLIENT_OPTIONS: OptionNames<ClientOptions> = {
  baseUrl: true,
  apiKey: true,
  timeout: true,
  totalTimeout: true,
  retry: true,
  headers: true,
  fetch: true,
  validateRequests: true,
  responseValidation: true,
  allowInsecureHttp: true,
  onEvent: true,
};

/**
 * Returns the options of a client.
 *
 * @param own Names of the options that only this client has.
 * @throws TypeError that names an unknown option.
 */
export const assertClientOptions = <Options extends ClientOptions>(
  options: Options,
  own: OptionNames<Omit<Options, keyof ClientOptions>>,
): Options =>
  assertOptions("options", options, { ...CLIENT_OPTIONS, ...own } as OptionNames<Options>);
