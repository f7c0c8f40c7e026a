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

/** Matches an error code that is a name, and not data. */
const CODE = /^[a-z]\w{0,39}$/i;

/** Returns the first error code of the system or the runtime behind a thrown value; messages may hold a URL. */
export const errorCodeOf = (thrown: unknown, pattern = CODE): string | undefined =>
  causesOf(thrown)
    .map((cause) => readString(cause, "code"))
    .find((code) => pattern.test(code));

/** Returns whether a thrown value is a framework's control flow: Next.js throws it from `fetch` and must receive it. */
export const isControlFlow = (thrown: unknown): boolean =>
  typeof readField(thrown, "digest") === "string";

/**
 * Matches what fails before a byte is sent, one in a line: a system call, or a code of undici, of Bun or of a certificate, or
 * else a message of Deno, or one of Bun or Node for a TLS handshake.
 */
const BEFORE_CONNECTION =
  /^(connect|getaddrinfo|UND_ERR_CONNECT_TIMEOUT|ECONNREFUSED|ConnectionRefused|FailedToOpenSocket|ERR_TLS_CERT.*|CERT_.*|.*SELF_SIGNED_CERT.*|UNABLE_TO_.*)$|client error \(Connect\)|TLS handshake failed|before secure TLS/m;

const isBeforeConnection = (failure: unknown): boolean =>
  BEFORE_CONNECTION.test(
    ["syscall", "code", "message"].map((name) => readString(failure, name)).join("\n"),
  );

/** Matches the URL in Deno's messages. */
const DENO_URL = /^error sending request for url \((\S+)\): /;

/** Returns whether a failure names the host of a service. */
const namesService = (failure: unknown, service: URL): boolean => {
  const url = readString(failure, "path") || DENO_URL.exec(readString(failure, "message"))?.[1];
  if (url) return URL.canParse(url) && new URL(url).origin === service.origin;
  const host = readString(failure, "hostname") || readString(failure, "host");
  const port = readField(failure, "port");
  const servicePort = service.port || (service.protocol === "https:" ? "443" : "80");
  const isOwnPort = port === servicePort || port === Number(servicePort);
  const own = service.hostname.replace(/^\[|\]$/g, "");
  if (host) return host.toLowerCase() === own && (port === undefined || isOwnPort);
  // Other hosts can have the same address and port, so the base URL itself has to name the address.
  const address = readString(failure, "address");
  const isOwnAddress = address === own || (own === "localhost" && /^127\.|^::1$/.test(address));
  return isOwnPort && isOwnAddress;
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
    if (!Array.isArray(errors) || errors.length === 0) {
      return isBeforeConnection(failure) && namesService(failure, service);
    }
    return depth < MAX_DEPTH && errors.every((error) => isOfService(error, depth + 1));
  };
  const causes = causesOf(thrown);
  return !causes.some(MessagingServiceError.is) && causes.some((cause) => isOfService(cause));
};
