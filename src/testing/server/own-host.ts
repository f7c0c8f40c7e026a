/** Host and port of a server, and its other names. */
export interface Listening {
  /** Host that the server listens on. */
  readonly host: string;
  readonly port: number;
  /** Further host names of the server, such as the name of its container. */
  readonly allowedHosts: readonly string[];
}

/** Addresses that stand for every address of the machine. */
const WILDCARDS = ["0.0.0.0", "::"];

/** Returns whether a host is this machine alone. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

const isAddress = (host: string): boolean => /^[\d.]+$/.test(host) || host.includes(":");

/**
 * Returns whether a `Host` header names the server. A page that reaches the server by DNS rebinding sends its own host
 * name, so every name is refused except those of the server.
 */
export const isOwnHost = (
  header: string | undefined,
  { host, port, allowedHosts }: Listening,
): boolean => {
  const url = URL.canParse(`http://${header}`) ? new URL(`http://${header}`) : undefined;
  if (!header || url?.host !== header.toLowerCase().replace(/:80$/, "")) return false;
  const named = url.hostname.replace(/^\[|\]$/g, "");
  // A container or a proxy may map the port of such a name.
  if (allowedHosts.some((allowed) => allowed.toLowerCase() === named)) return true;
  if (WILDCARDS.includes(host)) return isAddress(named) || named === "localhost";
  if (Number(url.port || 80) !== port) return false;
  return named === host.toLowerCase() || (isLoopback(host) && isLoopback(named));
};
