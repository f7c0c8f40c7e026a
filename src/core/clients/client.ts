import type { ApiPromise } from "../call/api-promise.ts";
import { type CustomRequest, sendCustom } from "../call/custom-request.ts";
import type { AssertRecipients } from "../call/recipients.ts";
import { type ClientState, createSend } from "../call/send.ts";
import { attachSend, sendOf } from "../call/send-of.ts";
import { DEFAULT_SETTINGS, type RequestOptions, toSettings } from "../call/settings.ts";
import { assertBoolean, assertFunction, invalidOption, or } from "../options.ts";
import {
  createThrottle,
  type Throttle,
  type ThrottleOptions,
  type WindowThrottle,
} from "../throttle/throttle.ts";
import { assertFetch, createTransport } from "../transport/transport.ts";
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

/**
 * Start of the newest client's call ids. Clients share it, because the clock of Workers stands still and that of browsers is
 * coarse.
 */
let newestStart = 0;

/**
 * Creates call ids from the client's time of creation and a counter, because Next.js may refuse random numbers while
 * prerendering.
 */
const createCallIds = (prefix: string): (() => string) => {
  // The fake `performance` of Sinon has no `timeOrigin`.
  const origin = (performance.timeOrigin as number | undefined) ?? Date.now();
  const microseconds = Math.trunc((origin + performance.now()) * 1000);
  newestStart = Math.max(newestStart + 1, microseconds);
  const start = prefix + newestStart.toString(36);
  let calls = 0;
  return () => {
    calls += 1;
    return `${start}-${calls.toString(36)}`;
  };
};

/** @param options Options of the client that `api` does not cover. */
const toClientState = (
  options: Omit<ClientOptions, "baseUrl" | "apiKey">,
  api: ApiDetails,
): ClientState => {
  const { fetch, allowInsecureHttp, ...callOptions } = options;
  const insecure = or(assertBoolean, false)("allowInsecureHttp", allowInsecureHttp);
  const { credentials } = api;
  const headers = { ...DEFAULT_SETTINGS.headers, ...credentials };
  const base = { ...DEFAULT_SETTINGS, headers, credentials };
  const baseUrl = toBaseUrl(api.baseUrl, insecure);
  return {
    baseUrl,
    hasSucceeded: false,
    transport: createTransport(baseUrl, or(assertFetch)("fetch", fetch)),
    settings: toSettings(base, { ...callOptions, signal: undefined }),
    secrets: api.secrets,
    throttle: toThrottle(api.throttle),
    assertRecipients: api.assertRecipients,
    warned: new Set(),
    nextCallId: createCallIds(api.callIdPrefix),
  };
};

/** Base class of both clients. */
export abstract class Client {
  /**
   * Throttle of the attempts; `undefined` if it is turned off. Unless you passed your own throttle, it has `snapshot()`.
   *
   * @example
   * const remaining = v2.throttle?.snapshot?.().remaining;
   */
  declare readonly throttle: (Throttle & Partial<WindowThrottle>) | undefined;

  /** @internal */
  constructor(options: Omit<ClientOptions, "baseUrl" | "apiKey">, api: ApiDetails) {
    const state = toClientState(options, api);
    // The throttle and the `send` are not private fields, so proxies can read both. They are not enumerable, so `console.log`
    // shows neither. The throttle has a getter, because `inspect` with `showHidden` would show the store of a shared throttle.
    Object.defineProperty(this, "throttle", { get: () => state.throttle, configurable: true });
    attachSend(this, createSend(state));
  }

  /**
   * Calls any path under the base URL with the client's credentials, throttle, retries and errors.
   *
   * @param request Method, path, parameters and body of the request.
   * @returns Parsed body, or `undefined` if the body is empty; with `schema`, the output of the schema.
   * @throws A {@link MessagingServiceError}: a {@link ValidationError}, before anything is sent, if a part of the request is
   * invalid; a {@link ResponseValidationError} if a 2xx body is not JSON, reports an error, or does not match `schema`.
   * @throws TypeError (as a rejection) that names an invalid or unknown option.
   * @example
   * const tags = await v2.request({ method: "GET", path: "/api/v2/lists/{ID}/tags", params: { ID: 17 } });
   */
  request<T = unknown>(request: CustomRequest<T>, options?: RequestOptions): ApiPromise<T> {
    return sendCustom(sendOf(this), request, options);
  }
}
