import { invalidOption } from "../options.ts";
import { asFetchAdapter } from "./attempt.ts";
import { FetchMistake, isControlFlow, isRefusal, StoppedRepeat } from "./connection-error.ts";
import type { DispatcherLike } from "./dispatcher.ts";
import { dispatchWith } from "./platform.ts";

/** Part of a ky instance that {@link fetchFrom} uses. */
export interface KyLike {
  (input: URL, options: object): PromiseLike<Response>;
  /** Creates an extended instance. A plain `fetch` does not have this method. */
  readonly extend: (options: object) => unknown;
}

interface KyOptions {
  fetch?: (request: Request, init: RequestInit) => Promise<Response>;
  signal?: AbortSignal;
  headers: object;
}

/** Turns off ky's own retries, timeouts and errors. A hook may still call `ky.retry()`, for example with a new token. */
const TURNED_OFF = {
  retry: { limit: 1, methods: [], delay: () => 0 },
  timeout: false,
  totalTimeout: false,
  throwHttpErrors: false,
  json: undefined,
};

/**
 * Converts a ky instance or an undici dispatcher to the `fetch` option of a client. It then makes every attempt, with the
 * client's own retries, timeouts, redirects and errors. Those of ky are turned off, and so are the retries and redirects of a
 * dispatcher. Its `headersTimeout` and `bodyTimeout` apply, unless `timeout` is `false` or at least 300 000 ms. Its interceptor
 * `responseError` would hide the status from the client.
 *
 * A dispatcher, such as an `Agent`, a `ProxyAgent` or a `MockAgent`, replaces `fetch`, so msw and the caches of frameworks do not
 * see its requests.
 *
 * The hooks of a ky instance run in each attempt. A `ky.retry()` in a hook after a refusal, such as a 401, repeats the
 * request, even a POST, and the repeat takes no slot of the throttle.
 *
 * The instance's `prefix` and `baseUrl` do not apply, because the client has its own `baseUrl`. An error of `fetch` becomes the
 * `cause` of the client's error. If a hook other than `beforeError` throws an error without a string `digest`, the outcome is
 * `unknown`, and `cause` only states that, because the hook's error may contain the request with its API key.
 *
 * @param source Instance of ky 2, or a dispatcher of undici 6, 7 or 8.
 * @returns Function for the option `fetch` of a client.
 * @throws TypeError if `source` is neither, is known to repeat requests, such as a `RetryAgent`, or is a dispatcher in a bundle
 * for browsers or workers.
 * @example
 * const v2 = new V2Client({ fetch: fetchFrom(ky.extend({ hooks: { beforeRequest: [sign] } })) });
 * @example
 * const rcs = new TransactionalClient({ fetch: fetchFrom(new Agent({ connections: 64 })) });
 */
export function fetchFrom(
  source: KyLike | DispatcherLike,
): (url: string, init: RequestInit) => Promise<Response> {
  if (typeof (source as DispatcherLike | undefined)?.dispatch === "function") {
    return dispatchWith(source as DispatcherLike);
  }
  const ky = source as KyLike;
  if (typeof ky !== "function" || typeof ky.extend !== "function") {
    throw invalidOption("source", "a ky instance or an undici dispatcher");
  }
  let ownFetch: KyOptions["fetch"];
  ky.extend(({ fetch }: KyOptions) => {
    ownFetch = fetch;
    return {};
  });
  return asFetchAdapter(async (url, init, attempt) => {
    const { redirect = "manual" } = init;
    // The hooks of ky may send anything.
    attempt?.handOver(init);
    let status: number | undefined;
    let isOpen = false;
    let failure: { readonly thrown: unknown } | undefined;
    let isTurnedOff = false;
    const send: KyOptions["fetch"] = async (...args) => {
      // ky 1 has no `init` hook, so it would make its own retries.
      if (!isTurnedOff) {
        throw new FetchMistake("this ky is too old: `fetchFrom` needs ky 2 or newer");
      }
      return ownFetch ? ownFetch(...args) : (attempt ?? globalThis).fetch(...args);
    };
    // Runs after the instance's own `init` hooks, so none of them can turn anything on again.
    const turnOff = (options: KyOptions): void => {
      isTurnedOff = true;
      // An `init` hook of the instance may have wrapped `send`.
      const { fetch = send, signal, headers } = options;
      // ky merges names in capitals as different headers, and `fetch` would join their values.
      for (const name of Object.keys(headers)) {
        const lower = name.toLowerCase();
        if (lower !== name && lower in headers) Reflect.deleteProperty(headers, name);
      }
      Object.assign(options, TURNED_OFF, { redirect });
      options.fetch = async (request, others) => {
        try {
          // The attempt itself detects a repeat only under Node's own `fetch`.
          if (isOpen && attempt) throw new StoppedRepeat("the code around `fetch`", status);
          isOpen = true;
          // The client's own signal bypasses ky, because ky's intermediate signals may be garbage-collected. An abort would then
          // not end the body. `redirect` is set again, because a hook may have replaced the request.
          const response = await fetch(request, { ...others, redirect, ...(signal && { signal }) });
          // A hook may repeat a request that failed before.
          failure = undefined;
          status = response.status;
          isOpen = !isRefusal(status);
          return response;
        } catch (thrown) {
          failure = { thrown };
          throw thrown;
        }
      };
    };
    try {
      const own = attempt?.toOwnInit(init) ?? init;
      return await ky(new URL(url), {
        ...own,
        fetch: send,
        retry: 0,
        hooks: { init: [turnOff] },
      });
    } catch (thrown) {
      if (failure) throw failure.thrown;
      if (thrown instanceof FetchMistake || isControlFlow(thrown)) throw thrown;
      const name = "isKyError" in Object(thrown) ? (thrown as Error).name : "an error";
      throw new Error(`a hook of ky ended the attempt with ${name}`);
    }
  });
}
