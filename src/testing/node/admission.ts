import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { FakeRequest } from "../fake/exchange.ts";

/** Addresses that stand for every address of the machine, each with the loopback address that reaches it. */
const WILDCARDS = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

export const isThisMachine = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

/** Returns the host of a URL; an IPv6 address has no brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/** Parses a host name or address without a port, such as `::1`. Returns it as URLs spell it; `undefined` for anything else. */
export const parseHost = (value: unknown): string | undefined => {
  if (typeof value !== "string") return undefined;
  const name = isIPv6(value) ? `[${value}]` : value;
  const isName =
    /^(?:\[[\da-f:.]+\]|[^\s:/\\?#@%]+)$/i.test(name) && URL.canParse(`http://${name}`);
  return isName ? hostOf(new URL(`http://${name}`)) : undefined;
};

/** Parses an origin, such as `http://localhost:3000`. Returns it as browsers spell it; `undefined` for anything else. */
export const parseOrigin = (value: unknown): string | undefined => {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const { protocol, host, origin } = new URL(value);
  // The origin of an application's own scheme, such as capacitor://localhost, is opaque to the URL standard.
  const named = origin === "null" ? `${protocol}//${host}` : origin;
  const isOrigin = host !== "" && /^[^/\s]+:\/\/[^/?#@\s]+\/?$/.test(value);
  return isOrigin ? named : undefined;
};

/** Returns the URL of a host and port, without a trailing slash. */
export const toServerUrl = (host: string, port: number): string => {
  const named = WILDCARDS.get(host) ?? host;
  return `http://${named.includes(":") ? `[${named}]` : named}:${port}`;
};

/** Names by which requests may address the server, and the pages that may call it. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Further host names of the server, such as the name of its container. */
  readonly allowedHosts: readonly string[];
  /** Origins of the pages that may call the server, in addition to its own. */
  readonly allowedOrigins: readonly string[];
}

/** Headers for the response to an admitted request, or the reason to refuse the request. */
export type Admission =
  | { readonly headers: Readonly<Record<string, string>> }
  | {
      readonly refusal: string;
      /** Origin of the page that was refused, if the browser names it. */
      readonly origin?: string | undefined;
    };

const OTHER_HOST =
  "The Host header does not name this server. Add the name with allowedHosts, or with --allow-host of the command";
const OTHER_ORIGIN =
  "The request comes from a page of another origin. Add the origin with allowedOrigins, or with --allow-origin of the command";

/** Paths that a link on any page may open, because a GET changes nothing and that page cannot read the response. */
const OPENED_BY_LINK = /^\/(?:__fake\/?|reports\/\d+\.csv)(?:\?|$)/;

const isAddress = (host: string): boolean => /^[\d.]+$/.test(host) || host.includes(":");

/** Returns whether a `Host` header names the server. Every other name is refused, because DNS rebinding sends the page's own. */
export const isOwnHost = (
  header: string | undefined,
  { host, port, allowedHosts }: Omit<Listening, "allowedOrigins">,
): boolean => {
  const url = URL.canParse(`http://${header}`) ? new URL(`http://${header}`) : undefined;
  if (!header || url?.host !== header.toLowerCase().replace(/:80$/, "")) return false;
  const named = hostOf(url);
  // A container or a proxy may map such a name to a different port.
  if (allowedHosts.includes(named)) return true;
  if (WILDCARDS.has(host)) return isAddress(named) || named === "localhost";
  if (Number(url.port || 80) !== port) return false;
  return named === host || (isThisMachine(host) && isThisMachine(named));
};

/** Returns whether a browser sends a request on behalf of a page of another origin. */
const isFromOtherOrigin = ({ host, origin, ...headers }: IncomingMessage["headers"]): boolean => {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  // Older browsers, and all browsers on a plain HTTP server that is not loopback, send no `Sec-Fetch-Site`.
  return origin !== undefined && origin.toLowerCase() !== `http://${host}`.toLowerCase();
};

const isOpenedByLink = (message: IncomingMessage): boolean =>
  methodOf(message) === "GET" &&
  message.headers["sec-fetch-mode"] === "navigate" &&
  message.headers["sec-fetch-dest"] === "document" &&
  OPENED_BY_LINK.test(message.url ?? "");

/** Decides whether a request is handled. Otherwise, any page could read what the application sent, and send messages. */
export const admit = (message: IncomingMessage, listening: Listening): Admission => {
  const { host, origin } = message.headers;
  if (!isOwnHost(host, listening)) return { refusal: OTHER_HOST };
  if (origin !== undefined && listening.allowedOrigins.includes(origin)) {
    const headers = {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "*",
      "access-control-allow-headers": "authorization, x-api-key, content-type",
      "access-control-expose-headers": "*",
      vary: "origin",
    };
    return { headers };
  }
  if (!isFromOtherOrigin(message.headers) || isOpenedByLink(message)) return { headers: {} };
  return { refusal: OTHER_ORIGIN, origin };
};

/** Returns the method of a request, GET for HEAD. Node does not send the body of a response to HEAD. */
export const methodOf = ({ method = "GET" }: IncomingMessage): string =>
  method === "HEAD" ? "GET" : method;

const MAX_BODY_BYTES = 1_048_576;

export const TOO_LARGE = `The body has more than ${MAX_BODY_BYTES} bytes`;

/** Reads a request; `undefined` when its body is too large. */
export const readRequest = async (message: IncomingMessage): Promise<FakeRequest | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // A body that is too large is read to its end, because a caller that is still writing may not read the response.
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (bytes > MAX_BODY_BYTES) return undefined;
  // Not resolved against a base, because a path that starts with two slashes would name another host.
  const { pathname: path, searchParams } = new URL(`http://localhost${message.url}`);
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: methodOf(message),
    path,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString("utf8"),
  };
};
