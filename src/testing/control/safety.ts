/** Headers of a request by lower-case name. */
type Headers = Readonly<Record<string, string | undefined>>;

/** Returns whether a browser requests a page to show in a tab. */
const isNavigation = (headers: Headers): boolean =>
  headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";

/**
 * Returns whether a browser sends a request on behalf of a page of another origin. The inbox page itself holds no data,
 * and may be opened from anywhere, for example by a link.
 */
export const isFromOtherOrigin = (headers: Headers, isPage: boolean): boolean => {
  if (isPage && isNavigation(headers)) return false;
  const { host = "", origin } = headers;
  const site = headers["sec-fetch-site"];
  const isOtherSite = site !== undefined && site !== "same-origin" && site !== "none";
  return (
    isOtherSite || (origin !== undefined && origin.toLowerCase() !== `http://${host}`.toLowerCase())
  );
};
