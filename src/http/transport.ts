import type { WireRequest } from "./build-request.ts";

/** A fetch-compatible function, given a URL and its options. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** An answer, and its body, which was read. */
export interface Answer {
  readonly response: Response;
  /** The body; of an error, its first 64 KiB. */
  readonly text: string;
}

/** Makes one attempt. */
export type Transport = (
  request: WireRequest,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Answer>;

/** The most of a body that an error keeps, in bytes or characters. */
export const MAX_KEPT_BODY = 65_536;

/** The body as far as it is kept; one that breaks off still belongs to a status that was told. */
const readStart = async (response: Response): Promise<string> => {
  // React Native gives no stream.
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

/** Those of some options that this runtime knows: some refuse what they do not. */
export const knownInit = (init: RequestInit): RequestInit =>
  Object.fromEntries(Object.entries(init).filter(([name]) => name in Request.prototype));

/**
 * Deno's own `fetch` sends a request again, unasked, when its connection is lost: a text could go out twice. It never
 * does so with a body of this kind.
 */
export const sentOnce = (body: string): BodyInit =>
  "Deno" in globalThis ? new Blob([body]) : body;

/**
 * The one place that touches the network: it makes a single attempt.
 *
 * The body is read before an answer is given, so that whoever bounds the attempt bounds the body.
 */
export const createTransport = (baseUrl: string, fetchOption: FetchLike | undefined): Transport => {
  const fixed: RequestInit = { redirect: "manual", ...knownInit({ cache: "no-store" }) };

  return async ({ method, target, body }, headers, signal) => {
    const fetch: FetchLike = fetchOption ?? globalThis.fetch;
    const init: RequestInit = { ...fixed, method, headers, signal };
    if (body !== undefined) init.body = fetchOption ? body : sentOnce(body);
    const response = await fetch(baseUrl + target, init);
    const text = response.ok ? await response.text() : await readStart(response);
    return { response, text };
  };
};
