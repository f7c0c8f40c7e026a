import { joinChunks } from "../responses/received.ts";
import type { EarlyReader } from "./runtime-fetch.ts";

/** Matches the versions of undici whose callbacks are known. A later Node may call them differently. */
const KNOWN_UNDICI = /^[678]\./;

/**
 * Reads the body of a response before it reaches Node's `fetch`. The streams of `fetch` take more processor time than all that
 * a client does.
 *
 * `fetch` itself decodes a body with a coding, and a client reads only the start of an error's body.
 */
export const readEarly: EarlyReader = (runtime, names, before) => {
  const { process } = globalThis as { readonly process?: { readonly versions: object } };
  const { undici }: { readonly undici?: string } = process?.versions ?? {};
  if (!KNOWN_UNDICI.test(`${undici}`)) return;
  const [start, headers, data, end, error] = names;
  // undici 8 passes its controller first.
  const first = start === "onConnect" ? 0 : 1;
  before(headers, (...args) => {
    const [status, fields] = args.slice(first) as [number, object];
    const fieldNames = Array.isArray(fields) ? fields : Object.keys(fields);
    if (status < 200 || status > 299 || /content-encoding/i.test(fieldNames.join())) return;
    const chunks: Uint8Array[] = [];
    let size = 0;
    runtime.body = new Promise((resolve, reject) => {
      before(data, (...args) => {
        const chunk = args[first] as Uint8Array;
        size += chunk.length;
        return chunks.push(chunk);
      });
      before(end, () => resolve(joinChunks(chunks, size)));
      before(error, (...args) => reject(new TypeError("terminated", { cause: args.at(-1) })));
    });
    // A call that has ended does not wait for its body.
    runtime.body.catch(() => {});
  });
};

/**
 * Makes the body of a response unreadable, because it was read early. Node would cancel an open stream when it collects the
 * response, which takes longer than to lock it.
 */
export const closeBody = (response: Response): void => {
  response.body?.getReader();
  Object.defineProperty(response, "bodyUsed", { value: true });
};
