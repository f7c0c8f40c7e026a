import { FetchMistake } from "./connection-error.ts";

/**
 * Function that makes one attempt. It calls the runtime's own `fetch` only through the attempt that a client passes. A wrapper
 * that calls the function passes no attempt, and reads the response itself.
 */
export type FetchAdapter = (
  url: string,
  init: RequestInit,
  attempt?: FetchAttempt,
) => Promise<Response>;

const ADAPTER: unique symbol = /* @__PURE__ */ Symbol("fetch adapter");

/** Marks a function as an adapter. The mark refers to the function itself, so a wrapper that copies it is not an adapter. */
export const asFetchAdapter = (adapter: FetchAdapter): FetchAdapter =>
  Object.defineProperty(adapter, ADAPTER, { value: adapter });

export const isFetchAdapter = (fetch: FetchAdapter): boolean =>
  (fetch as { readonly [ADAPTER]?: unknown })[ADAPTER] === fetch;

/**
 * Converts a body to a `Blob` in Deno. Deno's `fetch` sends any other body again if the connection is lost, which could send a
 * text twice. In Deno, a request that must not be repeated therefore always has a body, even an empty one.
 */
export const toUnrepeatableBody = (
  method: string,
  body: string | undefined,
): string | Blob | undefined => {
  if (!("Deno" in globalThis)) return body;
  const isRepeatable = body === undefined && method !== "POST" && method !== "PATCH";
  return isRepeatable ? undefined : new Blob([body ?? ""]);
};

/**
 * Keeps a removal off kept-alive connections in Bun, whose `fetch` sends it again if such a connection is lost. The 404 after a
 * repeated removal would look like a refusal.
 */
export const withoutRepeats = (init: RequestInit): RequestInit =>
  init.method === "DELETE" && "Bun" in globalThis ? { ...init, keepalive: false } : init;

export const NO_FETCH = "this environment has no `fetch`: pass the option `fetch`";

/** Time in milliseconds after which Node and Bun end a request by default. */
const RUNTIME_LIMIT_MS = 300_000;

export class Phase {
  /** Work to cancel when the result is no longer needed. This costs less than a signal. */
  work?: { cancel(): void };
  #controller: AbortController | undefined;
  #hasEnded = false;

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Signal that fires when the result is no longer needed. It is created on first read, because most attempts in Node need no
   * signal.
   */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#hasEnded) this.#controller.abort();
    return this.#controller.signal;
  }

  end(): void {
    this.#hasEnded = true;
    this.#controller?.abort();
    this.work?.cancel();
  }
}

/**
 * Progress of an attempt's request:
 *
 * - `unsent`: nothing was written, and the carrier reports when it is about to write.
 * - `unknown`: the carrier reports nothing, but its error may show that no connection was made.
 * - `written`: something may have been written, so no error can prove the opposite.
 */
export type Progress = "unsent" | "unknown" | "written";

/**
 * One attempt. It connects the call, which may end the attempt, with the carrier, which is the code that sends the request and
 * reports its progress.
 */
export class FetchAttempt extends Phase {
  readonly startedAt = performance.now();
  readonly isUnlimited: boolean;
  progress: Progress = "unsent";
  /** Error with which a carrier that reports the progress ended the request. */
  failure: unknown;
  /** Whole body of the response, or the error that broke it off; `undefined` if the body must be read from the response. */
  body: Uint8Array | Error | undefined;

  /** @param timeoutMs Timeout of the attempt in milliseconds. If the runtime's own limit is not longer, that limit is lifted. */
  constructor(timeoutMs: number) {
    super();
    this.isUnlimited = timeoutMs >= RUNTIME_LIMIT_MS;
  }

  /**
   * Records that the request goes to code that reports no progress. Outside Node, Bun and Deno, no error proves that nothing was
   * sent.
   */
  handOver(_init: RequestInit): void {
    this.progress = "written";
  }

  /** Returns a copy of the options of the request for application code, which may change them. */
  toOwnInit(init: RequestInit): RequestInit {
    return { ...init, headers: { ...(init.headers as object) }, signal: this.signal };
  }

  /** Ends the attempt before its request is passed to any other code. */
  refuse(mistake: FetchMistake): never {
    if (this.progress !== "written") this.progress = "unsent";
    this.failure = mistake;
    throw mistake;
  }

  fetch(input: string | Request, init: RequestInit): Promise<Response> {
    if (!globalThis.fetch) this.refuse(new FetchMistake(NO_FETCH));
    return this.callFetch(input, init);
  }

  protected callFetch(input: string | Request, init: RequestInit): Promise<Response> {
    this.handOver(init);
    return globalThis.fetch(input, init);
  }
}
