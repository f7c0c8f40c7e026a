import { MessagingServiceError } from "../errors.ts";

/** Depth to which causes are followed: a chain may be endless. */
export const MAX_DEPTH = 5;

/** Returns a field of whatever `fetch` threw; `undefined` if it has none, or it cannot be read. */
export const readField = (thrown: unknown, name: string): unknown => {
  try {
    return Object(thrown)[name];
  } catch {
    return undefined;
  }
};

/** Returns a field that is a string; `""` if it is not. */
export const readString = (thrown: unknown, name: string): string => {
  const value = readField(thrown, name);
  return typeof value === "string" ? value : "";
};

/** Returns a thrown value and its causes. */
export const causesOf = (thrown: unknown): readonly unknown[] => {
  const causes: unknown[] = [];
  for (let cause = thrown; cause && causes.length < MAX_DEPTH; cause = readField(cause, "cause")) {
    causes.push(cause);
  }
  return causes;
};

/** Returns whether a thrown value is a framework's control flow: Next.js throws it from `fetch` and must receive it. */
export const isControlFlow = (thrown: unknown): boolean =>
  typeof readField(thrown, "digest") === "string";

/** Matches system calls that fail before a byte is sent. */
const BEFORE_SENDING = /^(connect|getaddrinfo)$/;
/** Matches codes that say the same without a system call: those of undici, Bun and certificate checks. */
const NEVER_CONNECTED =
  /^(UND_ERR_CONNECT_TIMEOUT|ECONNREFUSED|ConnectionRefused|FailedToOpenSocket|ERR_TLS_CERT.*|CERT_.*|.*SELF_SIGNED_CERT.*|UNABLE_TO_.*)$/;
/** Matches messages that say the same without a code: Deno's, and those of Bun and Node for a TLS handshake. */
const NOT_CONNECTED =
  /client error \(Connect\)|TLS handshake failed|before secure TLS connection was established/;

const isBeforeConnection = (failure: unknown): boolean =>
  BEFORE_SENDING.test(readString(failure, "syscall")) ||
  NEVER_CONNECTED.test(readString(failure, "code")) ||
  NOT_CONNECTED.test(readString(failure, "message"));

/** Matches the URL in Deno's messages. */
const DENO_URL = /^error sending request for url \((\S+)\): /;
/** Matches the port in Deno's message for a port that `fetch` blocks. */
const DENO_PORT = /^Fetch failed: Requests to port (\d+) are blocked$/;
/** Matches the host and the port in undici's message for a connection that took too long. */
const UNDICI_HOST = /\(attempted address: (\S+):(\d+),/;

const isLoopbackAddress = (address: string): boolean => /^127\.|^::1$/.test(address);

/** Returns whether a failure before a connection names the host of a service. */
const namesService = (failure: unknown, service: URL): boolean => {
  const message = readString(failure, "message");
  const servicePort = service.port || (service.protocol === "https:" ? "443" : "80");
  // No request to this port ever leaves Deno, whatever its host.
  const blocked = DENO_PORT.exec(message);
  if (blocked) return blocked[1] === servicePort;
  if (!isBeforeConnection(failure)) return false;

  const url = readString(failure, "path") || DENO_URL.exec(message)?.[1];
  if (url) return URL.canParse(url) && new URL(url).origin === service.origin;
  const [, undiciHost = "", undiciPort] = UNDICI_HOST.exec(message) ?? [];
  const host = readString(failure, "hostname") || readString(failure, "host") || undiciHost;
  const port = readField(failure, "port") ?? undiciPort;
  const isOwnPort = port === servicePort || port === Number(servicePort);
  const own = service.hostname.replace(/^\[|\]$/g, "");
  if (host) return host.toLowerCase() === own && (port === undefined || isOwnPort);
  // Other hosts can have the same address and port, so the base URL itself has to name the address.
  const address = readString(failure, "address");
  return isOwnPort && (address === own || (own === "localhost" && isLoopbackAddress(address)));
};

/**
 * Returns whether whatever `fetch` threw names the host of the service and a step before a connection.
 *
 * The failure of a request to another host looks the same but for that name: a wrapper around `fetch` may make such a
 * request after the service has responded. An error of this package comes from another call, whatever it names.
 *
 * @param service Base URL of the client.
 */
export const namesUnsent = (thrown: unknown, service: URL): boolean => {
  const isOfService = (failure: unknown, depth = 0): boolean => {
    const errors = readField(failure, "errors");
    if (!Array.isArray(errors) || errors.length === 0) return namesService(failure, service);
    return depth < MAX_DEPTH && errors.every((error) => isOfService(error, depth + 1));
  };
  const causes = causesOf(thrown);
  return !causes.some(MessagingServiceError.is) && causes.some((cause) => isOfService(cause));
};
