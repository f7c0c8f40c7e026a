import { ConnectionError, MessagingServiceError, TimeoutError } from "../errors.ts";
import { orUndefined } from "../options.ts";
import type { Redactor } from "../responses/redact.ts";

/** Maximum number of causes that are followed: a chain may be cyclic. */
const MAX_CAUSES = 5;

/** Returns a field of a thrown value; `undefined` if there is no such field, or it cannot be read. */
const readField = (thrown: unknown, name: string): unknown =>
  orUndefined(() => Object(thrown)[name]);

/** Returns a string field of a thrown value; `""` if it is not a string. */
export const readString = (thrown: unknown, name: string): string => {
  const value = readField(thrown, name);
  return typeof value === "string" ? value : "";
};

/** Returns a thrown value and its causes. */
export const causesOf = (thrown: unknown): readonly unknown[] => {
  const causes: unknown[] = [];
  for (let cause = thrown; cause && causes.length < MAX_CAUSES; cause = readField(cause, "cause")) {
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
    return depth < MAX_CAUSES && errors.every((error) => isOfService(error, depth + 1));
  };
  const causes = causesOf(thrown);
  return !causes.some(MessagingServiceError.is) && causes.some((cause) => isOfService(cause));
};

/** Advice for failures before a connection, by error code or message. `$1` stands for the group of the pattern. */
const ADVICE: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /^Proxy response \((\d+)\)/,
    "the proxy refused the tunnel with status $1: check its address and credentials",
  ],
  [
    /ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)/,
    "the host does not speak TLS on this port: check the scheme and the port of baseUrl",
  ],
  [
    /before secure TLS/,
    "the host closed the connection during the TLS handshake: check the port of baseUrl",
  ],
  [/^bad port$|are blocked/, "fetch blocks this port: check the port of baseUrl"],
  [
    /CERT|UNABLE_TO_|invalid peer certificate/,
    "the certificate of the host is not trusted: check baseUrl and the certificates of the host",
  ],
  [
    /ERR_(SSL|TLS)_|TLS handshake failed|received fatal alert/,
    "the TLS handshake failed: check the host of baseUrl and the TLS versions of both sides",
  ],
  [/ENOTFOUND|EAI_AGAIN|dns error/, "the host name cannot be resolved: check baseUrl and the DNS"],
  [
    /CONNECT_TIMEOUT|ETIMEDOUT/,
    "the host accepts no connection in time: check baseUrl and firewalls",
  ],
];
/** Matches advice that holds whatever else happened: its failures say themselves that nothing was connected. */
const CERTAIN = /^(the proxy|fetch blocks)/;

const RUNTIME_LIMIT = /UND_ERR_(HEADERS|BODY)_TIMEOUT/;
/** Matches a code of the system, the runtime or OpenSSL. */
const NETWORK_CODE = /^[a-z][\w/]{1,60}$/i;
/** Fields of a network failure that never hold a URL or a header. */
const SAFE_FIELDS = ["code", "syscall", "hostname", "address"];
const MAX_LINES = 12;

/**
 * Converts a value that `fetch` or the body of a response threw into the error of the attempt.
 *
 * @param failure.isUnsent Whether it is certain that nothing was sent.
 * @param durationMs Time since the start of the attempt in milliseconds.
 */
export const toTransportError = (
  { thrown, isUnsent }: { readonly thrown: unknown; readonly isUnsent: boolean },
  durationMs: number,
  redactor: Redactor,
): ConnectionError | TimeoutError => {
  const causes = causesOf(thrown);
  const options = { cause: toCause(thrown, redactor) };
  const code = errorCodeOf(thrown, NETWORK_CODE);
  if (code !== undefined && RUNTIME_LIMIT.test(code)) {
    return new TimeoutError("attempt", Math.round(durationMs), "unknown", options);
  }
  const outcome = isUnsent ? "not_sent" : "unknown";
  const mistake = mistakeOf(thrown, redactor);
  if (mistake) return asMistake(new ConnectionError(mistake, outcome, options));
  const repeat = causes.find((cause) => cause instanceof StoppedRepeat);
  if (repeat) return new ConnectionError(repeat.message, outcome, options);
  const texts = causes.flatMap((cause) => [
    readString(cause, "code"),
    readString(cause, "message"),
  ]);
  const [advice = ""] = ADVICE.flatMap(([pattern, text]) => {
    const match = texts.map((said) => pattern.exec(said)).find(Boolean);
    return match ? [text.replace("$1", match[1] ?? "")] : [];
  });
  const what = [
    isUnsent ? "no connection was made" : "the connection failed",
    code === undefined ? "" : ` (${redactor.quote(code)})`,
    advice && (isUnsent || CERTAIN.test(advice)) ? `: ${advice}` : "",
  ].join("");
  return new ConnectionError(what, outcome, options);
};

/** Marks the error of a mistake around `fetch`: no later attempt can succeed. */
export const asMistake = (error: ConnectionError): ConnectionError =>
  // A private field would throw in a proxy, such as Vue's.
  Object.defineProperty(error, "isTransient", { value: false });

/**
 * Copies a value that `fetch` threw, without anything that may hold a part of the request.
 *
 * Bun and Deno put the URL into their errors. Node adds bytes that it cannot parse, which may echo a header. HTTP clients
 * behind a wrapper often add the whole request.
 */
const toCause = (thrown: unknown, redactor: Redactor, depth = 0): unknown => {
  if (thrown === undefined || thrown === null || depth === MAX_CAUSES) return undefined;
  if (typeof thrown !== "object") return redactor.quote(String(thrown));
  const message = redactor.quote(readString(thrown, "message"));
  const copy = thrown instanceof TypeError ? new TypeError(message) : new Error(message);
  const name = redactor.quote(readString(thrown, "name") || copy.name);
  const lines = readString(thrown, "stack").split("\n").slice(0, MAX_LINES);
  const errors = readField(thrown, "errors");
  const copyPart = (part: unknown) => toCause(part, redactor, depth + 1);
  // The cause of an error of this package belongs to a different call.
  const cause = MessagingServiceError.is(thrown) ? undefined : copyPart(readField(thrown, "cause"));
  const hidden = {
    name,
    stack: lines.map((line) => redactor.quote(line)).join("\n    "),
    ...(cause !== undefined && { cause }),
    ...(Array.isArray(errors) && { errors: errors.map(copyPart) }),
  };
  for (const [key, value] of Object.entries(hidden)) {
    Object.defineProperty(copy, key, { value, configurable: true, writable: true });
  }
  for (const field of SAFE_FIELDS) {
    const value = redactor.quote(readString(thrown, field));
    if (value) Object.assign(copy, { [field]: value });
  }
  return copy;
};
