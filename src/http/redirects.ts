/** Maximum number of redirects that are followed. */
export const MAX_REDIRECTS = 5;

/** Closes a body that is not read, and with it its connection. */
export const discardBody = ({ body }: Response): void => {
  // The body of another package's response may lack `cancel`. An error of a body that is not read concerns nobody.
  body?.cancel?.().catch(() => {});
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
