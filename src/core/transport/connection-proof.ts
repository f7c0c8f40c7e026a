// What a failure in Node, Bun or Deno proves, and advice on how to fix it. Browsers do not say why a request failed, so their
// bundles do not contain this module.

import { MessagingServiceError } from "../errors.ts";
import { causesOf, MAX_CAUSES, portOf, readField, readString } from "./connection-error.ts";

/**
 * Matches signs of a failure before a byte is sent, in a text with one sign per line: a system call; a code of undici, of Bun
 * or of a certificate; or a message of Deno or Node. Bun's `EPROTO` is none, because it may follow the request.
 */
const BEFORE_CONNECTION =
  /^(connect|getaddrinfo|UND_ERR_CONNECT_TIMEOUT|ECONNREFUSED|ConnectionRefused|FailedToOpenSocket|ERR_TLS_CERT.*|CERT_.*|.*SELF_SIGNED_CERT.*|UNABLE_TO_.*)$|client error \(Connect\)|before secure TLS/m;

const isBeforeConnection = (failure: unknown): boolean =>
  BEFORE_CONNECTION.test(
    ["syscall", "code", "message"].map((name) => readString(failure, name)).join("\n"),
  );

const DENO_URL = /^error sending request for url \((\S+)\): /;

/** Returns whether a failure names the service: its URL, its host, or its address and port. */
const namesService = (failure: unknown, service: URL): boolean => {
  const url = readString(failure, "path") || DENO_URL.exec(readString(failure, "message"))?.[1];
  if (url) return URL.canParse(url) && new URL(url).origin === service.origin;
  const host = readString(failure, "hostname") || readString(failure, "host");
  const port = readField(failure, "port");
  const servicePort = portOf(service);
  const isServicePort = port === servicePort || port === `${servicePort}`;
  const serviceHost = service.hostname.replace(/[[\]]/g, "");
  if (host) return host.toLowerCase() === serviceHost && (port === undefined || isServicePort);
  // Several hosts can share an address and a port, so an address counts only if the base URL itself names it.
  const address = readString(failure, "address");
  const isServiceAddress =
    address === serviceHost || (serviceHost === "localhost" && /^127\.|^::1$/.test(address));
  return isServicePort && isServiceAddress;
};

/**
 * Returns whether a value that `fetch` threw shows that a connection to the service failed. For this it must name the service and
 * a step before the connection. A wrapper may call a different host after the service has responded, and only the name shows
 * which host the failure belongs to.
 */
export const showsNoConnection = (thrown: unknown, service: URL): boolean => {
  const isOfService = (failure: unknown, depth = 0): boolean => {
    const errors = readField(failure, "errors");
    if (!Array.isArray(errors) || errors.length === 0) {
      return isBeforeConnection(failure) && namesService(failure, service);
    }
    return depth < MAX_CAUSES && errors.every((error) => isOfService(error, depth + 1));
  };
  const causes = causesOf(thrown);
  return !causes.some(MessagingServiceError.is) && causes.some((cause) => isOfService(cause));
};

interface Advice {
  /** Matches an error code or a message. */
  readonly pattern: RegExp;
  /** What to check. `$1` stands for the group of the pattern. */
  readonly text: string;
  /** Whether the failure itself shows that no connection was made, whatever else happened. */
  readonly isCertain?: true;
}

/** Advice on failures that happen before a connection is made. */
const ADVICE: readonly Advice[] = [
  {
    pattern: /^Proxy response \((\d+)\)/,
    text: "the proxy refused the tunnel with status $1: check its address and credentials",
    isCertain: true,
  },
  {
    pattern: /ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)/,
    text: "the host does not speak TLS on this port: check the scheme and the port of baseUrl",
  },
  {
    pattern: /before secure TLS/,
    text: "the host closed the connection during the TLS handshake: check the port of baseUrl",
  },
  {
    pattern: /^bad port$| port \d+ are blocked/,
    text: "fetch blocks this port: check the port of the URL",
    isCertain: true,
  },
  {
    pattern: /CERT|UNABLE_TO_|invalid peer certificate/,
    text: "the certificate of the host is not trusted: check baseUrl and the certificates of the host",
  },
  {
    pattern: /ERR_(SSL|TLS)_|received fatal alert/,
    text: "the TLS handshake failed: check the host of baseUrl and the TLS versions of both sides",
  },
  {
    pattern: /ENOTFOUND|EAI_AGAIN|dns error/,
    text: "the host name cannot be resolved: check baseUrl and the DNS",
  },
  {
    pattern: /CONNECT_TIMEOUT|ETIMEDOUT/,
    text: "the host does not accept a connection in time: check baseUrl and firewalls",
  },
];

export const adviceOn = (thrown: unknown, isUnsent: boolean): string => {
  const texts = causesOf(thrown).flatMap((cause) => [
    readString(cause, "code"),
    readString(cause, "message"),
  ]);
  for (const { pattern, text, isCertain } of ADVICE) {
    const match = texts.map((said) => pattern.exec(said)).find(Boolean);
    if (match) return isUnsent || isCertain ? text.replace("$1", match[1] ?? "") : "";
  }
  return "";
};
