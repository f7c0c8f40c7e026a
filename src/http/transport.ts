import { MAX_KEPT_BODY, type Received } from "../responses/received.ts";
import type { WireRequest } from "./build-request.ts";

/** Fetch-compatible function, called with a URL and the options of the request. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** Function that makes one attempt. */
export type Transport = (request: WireRequest, options: TransportOptions) => Promise<Received>;

/** Options of one attempt. */
export interface TransportOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Timeout of the attempt in milliseconds. */
  readonly timeoutMs: number;
  /** Whether the body of a success is read as bytes. */
  readonly asBytes: boolean;
}

/** Reads a body up to the length that is kept; a body that breaks off is read up to that point. */
const readStart = async (response: Response): Promise<string> => {
  // React Native has no streams.
  if (!response.body) return (await response.text().catch(() => "")).slice(0, MAX_KEPT_BODY);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    while (bytes < MAX_KEPT_BODY) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value.subarray(0, MAX_KEPT_BODY - bytes), { stream: true });
      bytes += value.byteLength;
    }
    void reader.cancel().catch(() => {});
  } catch {}
  return text;
};

const readBody = async (response: Response, asBytes: boolean): Promise<string | Uint8Array> => {
  if (!response.ok) return readStart(response);
  return asBytes ? new Uint8Array(await response.arrayBuffer()) : response.text();
};

/** Returns the options that this runtime knows: some runtimes refuse the others. */
export const knownInit = (init: RequestInit): RequestInit =>
  Object.fromEntries(Object.entries(init).filter(([name]) => name in Request.prototype));

/**
 * Wraps a body so that Deno's `fetch` sends it once. Deno repeats a request by itself when its connection is
 * lost, so that a text could be sent twice; it never repeats one whose body is a Blob.
 */
export const sentOnce = (body: string): BodyInit =>
  "Deno" in globalThis ? new Blob([body]) : body;

/** Time in milliseconds after which Node and Bun end a request by default. */
const RUNTIME_LIMIT_MS = 300_000;

interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
}

/** Returns the options of `fetch` that lift the runtime's own limit if the attempt has more time. */
export const withoutRuntimeLimit = (timeoutMs: number): object => {
  if (timeoutMs < RUNTIME_LIMIT_MS) return {};
  if ("Bun" in globalThis) return { timeout: false };
  // This is Node's own dispatcher, or the one that the application set in its place.
  const globals = globalThis as { readonly [name: symbol]: Dispatcher | undefined };
  const dispatcher = globals[Symbol.for("undici.globalDispatcher.1")];
  if (!dispatcher) return {};
  const dispatch: Dispatcher["dispatch"] = (options, handler) =>
    dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  return { dispatcher: { dispatch } };
};

/**
 * Creates the function that makes single attempts: the one place that touches the network.
 *
 * It reads the body before it resolves, so that a limit on the attempt also limits the body.
 */
export const createTransport = (baseUrl: string, fetchOption: FetchLike | undefined): Transport => {
  const fixed: RequestInit = { redirect: "manual", ...knownInit({ cache: "no-store" }) };

  return async ({ method, target, body }, { headers, signal, timeoutMs, asBytes }) => {
    const fetch: FetchLike = fetchOption ?? globalThis.fetch;
    const init: RequestInit = { ...fixed, method, headers, signal };
    if (body !== undefined) init.body = fetchOption ? body : sentOnce(body);
    if (!fetchOption) Object.assign(init, withoutRuntimeLimit(timeoutMs));
    const response = await fetch(baseUrl + target, init);
    return { response, body: await readBody(response, asBytes) };
  };
};
