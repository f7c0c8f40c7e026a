import { attachSend, type Send } from "../http/methods.ts";
import type { AssertRecipients } from "../http/recipients.ts";
import { type ClientState, createSend } from "../http/send.ts";
import { DEFAULT_SETTINGS, toSettings } from "../http/settings.ts";
import { assertFetch, createTransport } from "../http/transport.ts";
import { assertBoolean, assertFunction, invalidOption, optionOr } from "../options.ts";
import { createThrottle, type Throttle, type ThrottleOptions } from "../throttle/throttle.ts";
import { type ClientOptions, toBaseUrl } from "./options.ts";

interface ApiDetails {
  readonly callIdPrefix: string;
  readonly baseUrl: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly throttle: ThrottleOptions | Throttle | false;
  readonly assertRecipients?: AssertRecipients | undefined;
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

/** Creates call ids of the client's time of creation and a counter: Next.js allows no random number in a prerendered page. */
const createCallIds = (prefix: string): (() => string) => {
  // The fake `performance` of Sinon has no origin.
  const origin = (performance.timeOrigin as number | undefined) ?? Date.now();
  const microseconds = Math.trunc((origin + performance.now()) * 1000);
  const start = prefix + microseconds.toString(36);
  let calls = 0;
  return () => {
    calls += 1;
    return `${start}-${calls.toString(36)}`;
  };
};

/** @param options Options of the client that `api` does not cover. */
export const toClientState = (
  options: Omit<ClientOptions, "baseUrl" | "apiKey">,
  api: ApiDetails,
): ClientState => {
  const { fetch, allowInsecureHttp, ...callOptions } = options;
  const insecure = optionOr("allowInsecureHttp", allowInsecureHttp, false, assertBoolean);
  const { credentials } = api;
  const headers = { ...DEFAULT_SETTINGS.headers, ...credentials };
  const base = { ...DEFAULT_SETTINGS, headers, credentials };
  const baseUrl = toBaseUrl(api.baseUrl, insecure);
  return {
    baseUrl,
    hasSucceeded: false,
    transport: createTransport(baseUrl, optionOr("fetch", fetch, undefined, assertFetch)),
    settings: toSettings(base, { ...callOptions, signal: undefined }),
    secrets: api.secrets,
    throttle: toThrottle(api.throttle),
    assertRecipients: api.assertRecipients,
    warned: new Set(),
    nextCallId: createCallIds(api.callIdPrefix),
  };
};

/**
 * Gives a client of a class its `send` and its `throttle`. Neither is a private field or enumerable: proxies can read it, and
 * `console.log` does not show it.
 */
export const attachState = (client: object, state: ClientState): Send => {
  const send = createSend(state);
  // A getter, because `inspect` with `showHidden` would show the store of a shared throttle.
  Object.defineProperty(client, "throttle", {
    get: () => state.throttle,
    configurable: true,
  });
  attachSend(client, send);
  return send;
};
