import { type CallContext, ConnectionError, TimeoutError } from "../errors.ts";

interface NetworkFailure {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/** Matches system calls that fail before a byte is sent. */
const BEFORE_SENDING = /^(connect|getaddrinfo)$/;
/** Matches codes that prove the same without a system call: those of undici, Bun and certificate checks. */
const NEVER_CONNECTED =
  /^(UND_ERR_CONNECT_TIMEOUT|ECONNREFUSED|ConnectionRefused|FailedToOpenSocket|ERR_TLS_CERT.*|CERT_.*|.*SELF_SIGNED_CERT.*|UNABLE_TO_.*)$/;
/** Matches codes of a TLS handshake that fails before either side may send data. */
const HANDSHAKE_FAILED =
  /^ERR_(SSL_(WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|(TLSV1_ALERT|SSLV3_ALERT|SSL\/TLS_ALERT)_(PROTOCOL_VERSION|HANDSHAKE_FAILURE)|TLSV1_UNRECOGNIZED_NAME|NO_PROTOCOLS_AVAILABLE|NO_CIPHERS_AVAILABLE|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL)|TLS_HANDSHAKE_TIMEOUT)$/;
/**
 * Matches Deno's message, undici's for a port that `fetch` blocks, and Node's for a connection that ended during the
 * handshake.
 */
const NOT_CONNECTED =
  /client error \(Connect\)|^bad port$|before secure TLS connection was established/;

/** Advice by the code or message of a failure. */
const ADVICE: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/,
    "the host does not speak TLS on this port: check the scheme and the port of baseUrl",
  ],
  [
    HANDSHAKE_FAILED,
    "the TLS handshake failed: check the host of baseUrl and the TLS versions of both sides",
  ],
  [
    /before secure TLS/,
    "the host closed the connection during the TLS handshake: check the port of baseUrl",
  ],
  [/^bad port$/, "fetch blocks this port: choose another one for baseUrl"],
  [
    /CERT|^UNABLE_TO_/,
    "the certificate of the host is not trusted: check baseUrl and the certificates of the host",
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "the host name cannot be resolved: check baseUrl and the DNS"],
];

const isFailure = (thrown: unknown): thrown is NetworkFailure =>
  typeof thrown === "object" && thrown !== null;

/** Returns whether a thrown value is a framework's control flow: Next.js throws it from `fetch` and must receive it. */
export const isControlFlow = (thrown: unknown): boolean =>
  isFailure(thrown) && typeof (thrown as { digest?: unknown }).digest === "string";

/** Yields a thrown value and its causes, up to five, because a chain may be endless. */
function* causesOf(thrown: unknown): Generator<NetworkFailure> {
  let failure = thrown;
  for (let depth = 0; depth < 5; depth += 1) {
    if (!isFailure(failure)) return;
    yield failure;
    failure = failure.cause;
  }
}

/** Returns whether one failure proves that no connection was made. A failure without details proves nothing. */
const provesNothingSent = (failure: NetworkFailure): boolean => {
  const { code, syscall, message, errors } = failure;
  return Array.isArray(errors) && errors.length > 0
    ? errors.every((error) => isFailure(error) && error !== failure && provesNothingSent(error))
    : BEFORE_SENDING.test(String(syscall)) ||
        NEVER_CONNECTED.test(String(code)) ||
        HANDSHAKE_FAILED.test(String(code)) ||
        NOT_CONNECTED.test(String(message));
};

/** Matches the codes of undici's own limits on the headers and the body of a response. */
const RUNTIME_LIMIT = /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/;

/**
 * Wraps whatever `fetch` threw.
 *
 * @param durationMs Time since the start of the attempt, in milliseconds.
 */
export const toTransportError = (
  thrown: unknown,
  durationMs: number,
  context: CallContext,
): ConnectionError | TimeoutError => {
  const causes = [...causesOf(thrown)];
  // Node keeps bytes that are not HTTP, and an echo of the request would show its credentials.
  for (const cause of causes) {
    if (cause.name === "HTTPParserError") Reflect.deleteProperty(cause, "data");
  }
  const code = causes.map((cause) => cause.code).find((known) => typeof known === "string");
  if (RUNTIME_LIMIT.test(String(code))) {
    const options = { cause: thrown };
    return new TimeoutError("attempt", Math.round(durationMs), "unknown", context, options);
  }
  const isUnsent = causes.some(provesNothingSent);
  const said = causes.flatMap(({ code, message }) => [String(code), String(message)]);
  const advice = ADVICE.find(([pattern]) => said.some((words) => pattern.test(words)))?.[1];
  const what = [
    isUnsent ? "no connection was made" : "the connection failed",
    code === undefined ? "" : ` (${code})`,
    isUnsent && advice !== undefined ? `: ${advice}` : "",
  ].join("");
  const outcome = isUnsent ? "not_sent" : "unknown";
  return new ConnectionError(what, outcome, context, { cause: thrown });
};
