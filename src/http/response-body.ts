import { errorCodeOf, FetchMistake, readString } from "../responses/connection-evidence.ts";
import { keptPart, MAX_KEPT_BODY, type Received } from "../responses/received.ts";

/** Statuses whose responses have no body (RFC 9110). Runtimes differ in what they do if there is one. */
export const NO_CONTENT: readonly number[] = [204, 205];

/**
 * Checks that `fetch` resolved to a `Response`, of whatever realm or package.
 *
 * @throws A {@link FetchMistake} for anything else, such as the result of a mock.
 */
export const assertResponse = (response: Response): void => {
  if (typeof Response === "function" && response instanceof Response) return;
  const { ok, status, headers, text } = Object(response);
  const types = [typeof ok, typeof status, typeof headers?.get, typeof text];
  if (types.join() === "boolean,number,function,function") return;
  throw new FetchMistake(`\`fetch\` returned ${typeof response}, not a Response`);
};

/** Reads the start of a body, as much as an error keeps. */
const readStart = async (response: Response): Promise<Received["body"]> => {
  let body = "";
  try {
    // The body of node-fetch has no reader, React Native has no streams, and jsdom no `TextDecoder`.
    const reader = globalThis.TextDecoder && response.body?.getReader?.();
    if (!reader) return keptPart(await response.text());
    const decoder = new TextDecoder();
    let bytes = 0;
    while (bytes < MAX_KEPT_BODY) {
      const { done, value } = await reader.read();
      if (done) return body + decoder.decode();
      body += decoder.decode(value.subarray(0, MAX_KEPT_BODY - bytes), { stream: true });
      bytes += value.byteLength;
    }
    // The error has all that it keeps: it does not matter how the rest ends.
    reader.cancel().catch(() => {});
  } catch {
    // The status alone decides how the call ends. If the body breaks off, its error has what arrived.
  }
  return body || undefined;
};

/** Reads the body of a response: after a 2xx all of it, otherwise its start. */
export const readBody = async (response: Response): Promise<Received["body"]> => {
  // A function around `fetch` has read it.
  if (response.bodyUsed) return undefined;
  if (!response.ok) return readStart(response);
  const body = await response.text();
  // A mock may give anything.
  return typeof body === "string" ? body : undefined;
};

/** Returns whether a body arrived, but is longer than a string or an array of the runtime can be. */
export const isTooLong = (thrown: unknown): boolean =>
  errorCodeOf(thrown) === "ERR_STRING_TOO_LONG" || readString(thrown, "name") === "RangeError";
