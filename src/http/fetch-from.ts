import { invalidOption } from "../options.ts";
import { isControlFlow } from "../responses/connection-evidence.ts";
import { type DispatcherLike, dispatchWith } from "./dispatcher.ts";
import { asCarrier, RuntimeFetch, toUnrepeatableBody } from "./runtime-fetch.ts";
import type { FetchLike } from "./transport.ts";

/** Part of a ky instance that `fetchFrom` uses. */
export interface KyLike {
  (input: URL, options: object): PromiseLike<Response>;
  /** Method that makes another instance; a plain `fetch` does not have it. */
  readonly extend: (options: object) => unknown;
}

/** Options of one ky call that its `init` hooks may change. */
interface KyOptions {
  fetch?: (request: Request, init: RequestInit) => Promise<Response>;
  signal?: AbortSignal;
}

/** Options that leave retries, timeouts and errors to the client. */
const TURNED_OFF = {
  retry: 0,
  timeout: false,
  totalTimeout: false,
  throwHttpErrors: false,
  json: undefined,
};

/**
 * Converts a ky instance or a dispatcher of undici to the `fetch` option of a client, so that it makes every attempt.
 *
 * The client keeps its own retries, timeouts, redirects and errors; those of ky and of the dispatcher are turned off for
 * these calls.
 *
 * A dispatcher, such as an `Agent`, a `ProxyAgent` or a `MockAgent` of undici 6, 7 or 8, replaces `fetch`: it is much faster,
 * and tools that replace `fetch` do not see its requests.
 *
 * Hooks of ky run once for each attempt. `prefix` and `baseUrl` of the instance do not apply, because the client's own
 * `baseUrl` does. What `fetch` threw becomes the cause of the error. What a hook threw is replaced, because it may hold the
 * request with its API key, and its outcome is `unknown`.
 *
 * @param source Instance of ky 2, or a dispatcher.
 * @throws TypeError when `source` is neither, or is known to repeat requests, such as a `RetryAgent`.
 * @example
 * const v2 = new V2Client({ fetch: fetchFrom(ky.extend({ hooks: { beforeRequest: [sign] } })) });
 * @example
 * const rcs = new TransactionalClient({ fetch: fetchFrom(new Agent({ connections: 64 })) });
 */
export function fetchFrom(source: KyLike | DispatcherLike): FetchLike {
  if (typeof (source as DispatcherLike | undefined)?.dispatch === "function") {
    return dispatchWith(source as DispatcherLike);
  }
  const ky = source as KyLike;
  if (typeof ky !== "function" || typeof ky.extend !== "function") {
    throw invalidOption("ky", "an instance of ky or a dispatcher");
  }
  return asCarrier(async (url, init, runtime = new RuntimeFetch()) => {
    const { redirect = "manual", body } = init;
    let hasResponse = false;
    let failure: { readonly thrown: unknown } | undefined;
    // Runs after the instance's own `init` hooks, so that none of them can turn anything on again.
    const turnOff = (options: KyOptions): void => {
      const { fetch = (request, others) => runtime.fetch(request, others), signal } = options;
      Object.assign(options, TURNED_OFF, { redirect });
      options.fetch = async (request, others) => {
        try {
          // The signals that ky puts in between may be garbage-collected, and then nothing would end the body. A hook
          // may have replaced the request by one that follows redirects.
          const response = await fetch(request, { ...others, redirect, ...(signal && { signal }) });
          hasResponse = true;
          return response;
        } catch (thrown) {
          failure = { thrown };
          throw thrown;
        }
      };
    };
    const unrepeatable = typeof body === "string" && { body: toUnrepeatableBody(body) };
    try {
      return await ky(new URL(url), { ...init, ...unrepeatable, hooks: { init: [turnOff] } });
    } catch (thrown) {
      if (failure && !hasResponse) throw failure.thrown;
      if (isControlFlow(thrown)) throw thrown;
      const name = "isKyError" in Object(thrown) ? (thrown as Error).name : "an error";
      throw new Error(`a hook of ky ended the attempt with ${name}`);
    }
  });
}
