/** Headers of a request by their names in lower case. */
type Headers = Readonly<Record<string, string | undefined>>;

/** Where the server listens. */
export interface Listening {
  /** The host that it was told to listen on. */
  readonly host: string;
  readonly port: number;
}

/** Addresses that stand for every address of the machine. */
const WILDCARDS = ["0.0.0.0", "::"];

/** Whether a host is this machine alone. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

const isAddress = (host: string): boolean => /^[\d.]+$/.test(host) || host.includes(":");

/**
 * Whether a `Host` header names the server. A page that was rebound by DNS names its own host, so every name is
 * refused but the one that is listened on.
 */
export const isOwnHost = (header: string, { host, port }: Listening): boolean => {
  const url = URL.canParse(`http://${header}`) ? new URL(`http://${header}`) : undefined;
  if (!url || url.host !== header.toLowerCase()) return false;
  const named = url.hostname.replace(/^\[|\]$/g, "");
  // Behind a wildcard any address of the machine will do, and a container may map the port.
  if (WILDCARDS.includes(host)) return isAddress(named) || named === "localhost";
  if (Number(url.port || 80) !== port) return false;
  return named === host.toLowerCase() || (isLoopback(host) && isLoopback(named));
};

/** Whether a browser asks for a page to show in a tab, such as by a link on another site. */
const isNavigation = (headers: Headers): boolean =>
  headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";

/**
 * Returns why a request is refused; `undefined` when it may pass.
 *
 * @param isPage - Whether it asks for the page, which holds nobody's data, rather than for a control call.
 */
export const refusalOf = (
  headers: Headers,
  listening: Listening,
  isPage: boolean,
): string | undefined => {
  const { host = "", origin } = headers;
  if (!isOwnHost(host, listening)) return "The Host header does not name this server";
  if (isPage && isNavigation(headers)) return undefined;
  const site = headers["sec-fetch-site"];
  const isOtherSite = site !== undefined && site !== "same-origin" && site !== "none";
  const isOtherOrigin = origin !== undefined && origin.toLowerCase() !== `http://${host}`.toLowerCase();
  return isOtherSite || isOtherOrigin
    ? "The request comes from a page of another origin"
    : undefined;
};
