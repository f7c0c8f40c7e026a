import { invalidOption } from "../options/assertions.ts";
import { type FetchLike, sentOnce } from "./transport.ts";

/** The part of a ky instance that `fetchFrom` uses. */
export interface KyLike {
  (input: URL, options: object): PromiseLike<Response>;
  /** Makes another instance; told apart by it from a plain `fetch`. */
  readonly extend: (options: object) => unknown;
}

/** The options of one ky call that its `init` hooks may change. */
interface KyOptions {
  fetch?: (request: Request, init?: RequestInit) => Promise<Response>;
  signal?: AbortSignal;
}

/** What the client does itself, for every attempt and for the whole call. */
const TURNED_OFF = {
  retry: 0,
  timeout: false,
  totalTimeout: false,
  throwHttpErrors: false,
  json: undefined,
};

/** Whether an error, or one of its causes, keeps a request, whose headers hold the key. */
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
 * Makes the `fetch` option of a client from a ky instance, so that the instance's hooks, headers and `fetch` carry the attempts.
 *
 * The client keeps its own retries, timeouts and errors: those of ky are turned off for these calls. Hooks run once for
 * each attempt. `prefix` and `baseUrl` of the instance do not apply, because the client's own `baseUrl` does. An error that
 * `fetch` threw arrives as `fetch` threw it, and no error keeps ky's request, whose headers hold the API key.
 *
 * @param ky an instance of ky 2.
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
    // Runs behind the instance's own `init` hooks, so that none of them turns anything on again.
    const turnOff = (options: KyOptions): void => {
      const { fetch = globalThis.fetch, signal } = options;
      Object.assign(options, TURNED_OFF);
      options.fetch = async (request, others) => {
        try {
          // The signals that ky puts between may be collected as garbage, and then nothing ends the body.
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
