import { invalidOption } from "../options.ts";
import { type FetchLike, sentOnce } from "./transport.ts";

/** Part of a ky instance that `fetchFrom` uses. */
export interface KyLike {
  (input: URL, options: object): PromiseLike<Response>;
  /** Method that makes another instance; a plain `fetch` does not have it. */
  readonly extend: (options: object) => unknown;
}

/** Options of one ky call that its `init` hooks may change. */
interface KyOptions {
  fetch?: (request: Request, init?: RequestInit) => Promise<Response>;
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

/** Returns whether an error or one of its causes holds a request, whose headers contain the key. */
const keepsRequest = (thrown: unknown): boolean => {
  let error = thrown;
  for (let depth = 0; depth < 5 && error instanceof Error; depth += 1) {
    if ("isKyError" in error) return true;
    const parts = Object.values(Object.getOwnPropertyDescriptors(error));
    if (parts.some(({ value }) => "headers" in Object(value))) return true;
    error = error.cause;
  }
  return false;
};

/**
 * Converts a ky instance to the `fetch` option of a client, so that its hooks, headers and `fetch` apply to every attempt.
 *
 * The client keeps its own retries, timeouts and errors; ky's are turned off for these calls. Hooks run once for
 * each attempt. `prefix` and `baseUrl` of the instance do not apply, because the client's own `baseUrl` does. An error that
 * `fetch` threw arrives unchanged, and no error keeps ky's request, whose headers hold the API key.
 *
 * @param ky Instance of ky 2.
 * @throws TypeError when `ky` is not an instance of ky.
 * @example
 * const v2 = new V2Client({ fetch: fetchFrom(ky.extend({ hooks: { beforeRequest: [sign] } })) });
 */
export function fetchFrom(ky: KyLike): FetchLike {
  if (typeof ky !== "function" || typeof ky.extend !== "function") {
    throw invalidOption("ky", "an instance of ky");
  }
  return async (url, init) => {
    let failure: { readonly thrown: unknown } | undefined;
    // Runs after the instance's own `init` hooks, so that none of them can turn anything on again.
    const turnOff = (options: KyOptions): void => {
      const { fetch = globalThis.fetch, signal } = options;
      Object.assign(options, TURNED_OFF);
      options.fetch = async (request, others) => {
        try {
          // The signals that ky puts in between may be garbage-collected, and then nothing would end the body.
          return await fetch(request, { ...others, ...(signal && { signal }) });
        } catch (thrown) {
          failure = { thrown };
          throw thrown;
        }
      };
    };
    const body = typeof init.body === "string" ? { body: sentOnce(init.body) } : {};
    try {
      return await ky(new URL(url), { ...init, ...body, hooks: { init: [turnOff] } });
    } catch (thrown) {
      if (failure) throw failure.thrown;
      if (!keepsRequest(thrown)) throw thrown;
      throw new Error(`ky ended the attempt with ${(thrown as Error).name}`);
    }
  };
}
