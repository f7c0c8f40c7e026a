import type { Connection } from "../http/call.ts";
import { DEFAULT_SETTINGS, toSettings } from "../http/settings.ts";
import { createTransport } from "../http/transport.ts";
import { assertBoolean, assertFunction, invalidOption, optionOr } from "../options/assertions.ts";
import { DriftWatch } from "../responses/drift.ts";
import {
  createThrottle,
  type Throttle,
  type ThrottleOptions,
} from "../throttle/create-throttle.ts";
import { toBaseUrl } from "./base-url.ts";
import { requiredText } from "./credentials.ts";
import type { ClientOptions } from "./options.ts";

/** How a client speaks with its API. */
interface ApiDetails {
  readonly baseUrlVariable: string;
  /** The beginning of every path of the API. */
  readonly ownPath: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly throttle: ThrottleOptions | Throttle | false;
}

const toThrottle = (throttle: ThrottleOptions | Throttle | false): Throttle | undefined => {
  if (throttle === false) return undefined;
  if (typeof throttle !== "object" || throttle === null) {
    throw invalidOption("throttle", "false, { limit, interval } or a throttle");
  }
  if (!("acquire" in throttle)) return createThrottle(throttle);
  assertFunction("throttle.acquire", throttle.acquire);
  return throttle;
};

/**
 * What the calls of a client share, from its options.
 *
 * @throws TypeError that names the option that is missing or malformed.
 */
export const connect = (options: ClientOptions, api: ApiDetails): Connection => {
  const { baseUrl, fetch, allowInsecureHttp, onEvent, ...callOptions } = options;
  const text = requiredText("baseUrl", baseUrl, api.baseUrlVariable);
  const insecure = optionOr("allowInsecureHttp", allowInsecureHttp, false, assertBoolean);
  const { credentials } = api;
  const headers = { ...DEFAULT_SETTINGS.headers, ...credentials };
  const base = { ...DEFAULT_SETTINGS, headers, credentials };
  return {
    transport: createTransport(
      toBaseUrl(text, insecure, api.ownPath),
      optionOr("fetch", fetch, undefined, assertFunction),
    ),
    settings: toSettings(base, { ...callOptions, signal: undefined }),
    secrets: api.secrets,
    throttle: toThrottle(api.throttle),
    drift: new DriftWatch(),
    onEvent: optionOr("onEvent", onEvent, undefined, assertFunction),
  };
};
