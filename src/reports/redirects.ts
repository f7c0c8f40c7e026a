import { ignoreErrors } from "../options.ts";

/** Maximum number of redirects that are followed. */
export const MAX_REDIRECTS = 5;

/** Body of a response: a web stream, or a stream of Node as that of node-fetch. */
interface Body {
  cancel?(): unknown;
  destroy?(): unknown;
}

/** Closes a body that is not read, and with it its connection. */
export const discardBody = (response: Response): void => {
  const body = response.body as Body | null | undefined;
  // A body that was read before cannot be canceled, and need not be.
  ignoreErrors(() => (body?.cancel ? body.cancel() : body?.destroy?.()));
};

/**
 * Makes a request, and checks and follows its redirects.
 *
 * @param request Makes one request. Without `redirect`, the runtime follows redirects by itself.
 * @param toTarget Returns the target of a redirect; throws if it must not be followed.
 * @param tooMany Creates the error for too many redirects.
 */
export const followRedirects = async <Target>(
  start: Target,
  request: (target: Target, init: { readonly redirect?: "manual" }) => Promise<Response>,
  toTarget: (location: string, from: Target) => Target,
  tooMany: () => Error,
): Promise<Response> => {
  let target = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await request(target, { redirect: "manual" });
    // A browser hides the target. It follows the redirect by itself, and from an https page to https only.
    if (response.type === "opaqueredirect") return request(target, {});
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    discardBody(response);
    target = toTarget(location, target);
  }
  throw tooMany();
};
