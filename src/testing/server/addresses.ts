import { isIPv6 } from "node:net";

/** Addresses that stand for every address of the machine, and the ones by which that machine calls itself. */
const WILDCARDS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Returns whether a host stands for every address of the machine. */
export const isWildcard = (host: string): boolean => Object.hasOwn(WILDCARDS, host);

/** Returns whether a host is this machine alone. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

/** Returns the host of a URL; an IPv6 address has no brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/**
 * Parses a host name or an address, such as `localhost`, `127.0.0.1` or `::1`. Returns it as URLs spell it, or `undefined`
 * if it is anything else, such as a URL or a name with a port.
 */
export const parseHost = (value: unknown): string | undefined => {
  if (typeof value !== "string") return undefined;
  const name = isIPv6(value) ? `[${value}]` : value;
  const isName =
    /^(?:\[[\da-f:.]+\]|[^\s:/\\?#@%]+)$/i.test(name) && URL.canParse(`http://${name}`);
  return isName ? hostOf(new URL(`http://${name}`)) : undefined;
};

/**
 * Parses an origin, such as `http://localhost:3000`. Returns it as browsers spell it, or `undefined` if it is anything
 * else, such as a URL with a path.
 */
export const parseOrigin = (value: unknown): string | undefined => {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const { protocol, host, origin } = new URL(value);
  // The origin of an application's own scheme, such as capacitor://localhost, is opaque to the URL standard.
  const named = origin === "null" ? `${protocol}//${host}` : origin;
  const isOrigin = host !== "" && /^[^/\s]+:\/\/[^/?#@\s]+\/?$/.test(value);
  return isOrigin ? named : undefined;
};

/** Returns the URL under which a host is reached on a port, without a slash at its end. */
export const toBaseUrl = (host: string, port: number): string => {
  const named = WILDCARDS[host] ?? host;
  return `http://${named.includes(":") ? `[${named}]` : named}:${port}`;
};
