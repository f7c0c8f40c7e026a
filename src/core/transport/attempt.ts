import { causesOf, FetchMistake } from "./connection-error.ts";

/**
 * Function that makes one attempt, and calls the runtime's own `fetch` only through the attempt that it receives. If a wrapper
 * calls it instead of a client, it receives no attempt, and the wrapper reads the response.
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

/** Converts a body to a `Blob` in Deno, whose `fetch` sends any other again if the connection is lost: a text twice. */
export const toUnrepeatableBody = (body: string): BodyInit =>
  "Deno" in globalThis ? new Blob([body]) : body;

export const NO_FETCH = "this environment has no `fetch`: pass the option `fetch`";

/** Time in milliseconds after which Node and Bun end a request by default. */
const RUNTIME_LIMIT_MS = 300_000;

export class Phase {
  /** Work to cancel when the result is no longer needed. This costs less than a signal. */
  work?: {
    cancel?(): void;
    /** Whether it is certain that the work has sent nothing. */
    readonly isUnsent?: boolean;
  };
  #controller: AbortController | undefined;
  #hasEnded = false;

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Signal that fires when the result is no longer needed. It is made when it is read: most attempts in Node need none. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#hasEnded) this.#controller.abort();
    return this.#controller.signal;
  }

  end(): void {
    this.#hasEnded = true;
    this.#controller?.abort();
    this.work?.cancel?.();
  }
}

export class FetchAttempt {
  /** Whole body of the response, or the error that ended it, if it is not read from the response. */
  body: Uint8Array | Error | undefined;
  readonly phase: Phase;
  readonly isUnlimited: boolean;
  /** Whether the request may have been written to a connection, as far as the runtime shows it. */
  isConnected = false;
  protected isCalled = false;
  protected failure: unknown;

  /** @param timeoutMs Timeout of the attempt in milliseconds. If the runtime's own limit is not longer, it is lifted. */
  constructor(timeoutMs: number, phase: Phase) {
    this.phase = phase;
    this.isUnlimited = timeoutMs >= RUNTIME_LIMIT_MS;
  }

  failed(error: unknown): undefined {
    this.failure = error;
  }

  fetch(input: string | Request, init: RequestInit): Promise<Response> {
    if (!globalThis.fetch) {
      this.failed(new FetchMistake(NO_FETCH));
      throw this.failure;
    }
    this.isCalled = true;
    const options = { ...this.runtimeOptions(), ...init };
    if (typeof init.body === "string") options.body = toUnrepeatableBody(init.body);
    return globalThis.fetch(input, options);
  }

  /** Returns whether a thrown value is the error of this request, and not of another request or of a wrapper. */
  isOwnError(thrown: unknown): boolean {
    return this.failure !== undefined && causesOf(thrown).includes(this.failure);
  }

  /** Returns the options for this runtime; others would ignore or reject them. */
  protected runtimeOptions(): object {
    return {};
  }
}
