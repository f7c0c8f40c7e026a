import { ignoreErrors } from "../core/options.ts";
import { isRedirect } from "../core/responses/response-error.ts";
import { isSecureUrl } from "../core/rules/https-url.ts";

const MAX_REDIRECTS = 5;

/** Body of a response: a web stream, or a Node stream as in node-fetch. */
interface Body {
  cancel?(): unknown;
  destroy?(): unknown;
}

/** Closes a body that will not be read, and with it the connection. */
export const discardBody = (response: Response): void => {
  const body = response.body as Body | null | undefined;
  // A body that was read before cannot be canceled and need not be.
  ignoreErrors(() => (body?.cancel ? body.cancel() : body?.destroy?.()));
};

/** Matches a content coding. Hosts also write other labels: `utf-8`, or `aws-chunked`, which describes the upload of a file. */
const CODING = /^(x-gzip|gzip|deflate|br|zstd)$/;

/**
 * Returns the content codings of a response, and whether it has labels that may keep `fetch` from decoding them. A browser may
 * hide both for another origin.
 */
export const codingsOf = ({ headers }: Response) => {
  const given = headers.get("content-encoding") ?? "";
  const labels = given.toLowerCase().match(/[^\s,]+/g) ?? [];
  const codings = labels.filter((label) => CODING.test(label));
  // The `fetch` of Deno does not decode a file with the old name of gzip, and that of workerd not with its name in capitals.
  const isGzip = /^(x-)?gzip$/i.test(given);
  return { codings, isLabeled: isGzip ? given !== "gzip" : codings.length < labels.length };
};

/** Returns the stated size of a file; `undefined` for a compressed file, whose stated size is the compressed size. */
export const sizeOf = (response: Response, stated?: string | null): number | undefined =>
  codingsOf(response).codings.length === 0 && /^\d+$/.test(stated ?? "")
    ? Number(stated)
    : undefined;

/**
 * Makes a request and follows its redirects, but never from https to http, not even on this machine.
 *
 * @param request Makes one request. Without `redirect`, the runtime follows redirects by itself.
 * @param toError Creates the error for a redirect that is not followed.
 */
export const followRedirects = async (
  start: URL,
  request: (target: URL, init: { readonly redirect?: "manual" }) => Promise<Response>,
  toError: (where: string) => Error,
): Promise<Response> => {
  let target = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await request(target, { redirect: "manual" });
    // A browser hides the target. It can follow the redirect by itself, and from an https page, it only follows to https.
    if (response.type === "opaqueredirect") return request(target, {});
    const location = response.headers.get("location");
    if (!isRedirect(response.status) || location === null) return response;
    discardBody(response);
    if (!URL.canParse(location, target)) throw toError("to an invalid URL");
    const next = new URL(location, target);
    const isSecure = target.protocol === "https:" ? next.protocol === "https:" : isSecureUrl(next);
    if (!isSecure) throw toError("away from https");
    target = next;
  }
  throw toError(`more than ${MAX_REDIRECTS} times`);
};
