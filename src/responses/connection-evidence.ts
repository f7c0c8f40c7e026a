import { MessagingServiceError } from "../errors.ts";
import type { Redactor } from "./redact.ts";

/** Depth to which causes are followed: a chain may be cyclic. */
export const MAX_DEPTH = 5;

/** Returns a field of a thrown value; `undefined` if there is no such field, or it cannot be read. */
export const readField = (thrown: unknown, name: string): unknown => {
  try {
    return Object(thrown)[name];
  } catch {
    return undefined;
  }
};

/** Returns a string field of a thrown value; `""` if it is not a string. */
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

/** Matches an error code that is a name: it cannot hold data. */
const CODE = /^[a-z]\w{0,39}$/i;

/** Returns the first error code among a thrown value and its causes. Unlike a message, it never holds a URL. */
export const errorCodeOf = (thrown: unknown, pattern = CODE): string | undefined =>
  causesOf(thrown)
    .map((cause) => readString(cause, "code"))
    .find((code) => pattern.test(code));

/** Returns whether a thrown value is a framework's control flow, which Next.js throws from `fetch` and must get back. */
export const isControlFlow = (thrown: unknown): boolean =>
  typeof readField(thrown, "digest") === "string";

/** Error for a mistake around `fetch`, which is no network failure. Its message never quotes data. */
export class FetchMistake extends Error {}

/**
 * Error for a repeat of a request that may have been carried out. Only the client knows what may be repeated, so it stops a repeat
 * by anything else.
 */
export class StoppedRepeat extends Error {
  /**
   * @param who Part of the application that sent the request again.
   * @param status Status of the response to the request, if there was one.
   */
  constructor(who: string, status?: number) {
    const after = status === undefined ? "" : ` after status ${status}`;
    super(`${who} sent the request again${after}: the repeat was stopped`);
  }
}

/** Returns whether a status certainly means that the request was not carried out: a client error, except a timeout. */
export const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 408;

/**
 * Matches a bug, or a `fetch` that refuses the signal of another environment. A `TypeError` alone may be a network failure.
 */
const MISTAKE =
  /^ReferenceError|^TypeError.+(AbortSignal|is not (a f|an o|it)|(of|is) (undef|null))/;

/**
 * Returns the mistake around `fetch` that a thrown value reveals; `undefined` for a network failure.
 *
 * @param redactor Quotes the message of the value, which may hold data. Default: no quotation.
 */
export const mistakeOf = (thrown: unknown, redactor?: Redactor): string | undefined => {
  for (const cause of causesOf(thrown)) {
    if (cause instanceof FetchMistake) return cause.message;
    const name = readString(cause, "name");
    const said = `${name}: ${readString(cause, "message")}`;
    if (MISTAKE.test(said)) return `\`fetch\` threw a ${redactor?.quote(said) ?? name}`;
  }
  return undefined;
};

/**
 * Matches signs of a failure before a byte is sent, in a text with one sign per line: a system call; a code of undici, of Bun
 * or of a certificate; a message of Deno; or a message of Bun or Node about a TLS handshake.
 */
const BEFORE_CONNECTION =
  /^(connect|getaddrinfo|UND_ERR_CONNECT_TIMEOUT|ECONNREFUSED|ConnectionRefused|FailedToOpenSocket|ERR_TLS_CERT.*|CERT_.*|.*SELF_SIGNED_CERT.*|UNABLE_TO_.*)$|client error \(Connect\)|TLS handshake failed|before secure TLS/m;

const isBeforeConnection = (failure: unknown): boolean =>
  BEFORE_CONNECTION.test(
    ["syscall", "code", "message"].map((name) => readString(failure, name)).join("\n"),
  );

/** Matches a message of Deno, and captures its URL. */
const DENO_URL = /^error sending request for url \((\S+)\): /;

/** Returns whether a failure names the service: its URL, its host, or its address and port. */
const namesService = (failure: unknown, service: URL): boolean => {
  const url = readString(failure, "path") || DENO_URL.exec(readString(failure, "message"))?.[1];
  if (url) return URL.canParse(url) && new URL(url).origin === service.origin;
  const host = readString(failure, "hostname") || readString(failure, "host");
  const port = readField(failure, "port");
  const servicePort = service.port || (service.protocol === "https:" ? "443" : "80");
  const isServicePort = port === servicePort || port === Number(servicePort);
  const serviceHost = service.hostname.replace(/[[\]]/g, "");
  if (host) return host.toLowerCase() === serviceHost && (port === undefined || isServicePort);
  // Several hosts can share an address and a port, so an address counts only if the base URL itself names it.
  const address = readString(failure, "address");
  const isServiceAddress =
    address === serviceHost || (serviceHost === "localhost" && /^127\.|^::1$/.test(address));
  return isServicePort && isServiceAddress;
};

/**
 * Returns whether a value that `fetch` threw proves that nothing was sent: it names the service and a step before a connection.
 *
 * A wrapper around `fetch` may call a different host after the service has responded. If that call fails, only the name of the
 * host shows whose failure it is. An error of this package comes from a different call, whatever it names.
 *
 * @param service Base URL of the client.
 */
export const isProvenUnsent = (thrown: unknown, service: URL): boolean => {
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
