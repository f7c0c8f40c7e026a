import type { CallContext } from "../errors/base.ts";
import { ConnectionError } from "../errors/connection-error.ts";

interface NetworkFailure {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/** System calls that fail before a byte is sent. */
const BEFORE_SENDING = /^(connect|getaddrinfo)$/;
/** Codes that say so where the system call is not told: of undici, Bun and TLS handshakes. */
const NEVER_CONNECTED =
  /^(UND_ERR_CONNECT_TIMEOUT|ECONNREFUSED|ConnectionRefused|FailedToOpenSocket|ERR_TLS_CERT.*|CERT_.*|.*SELF_SIGNED_CERT.*|UNABLE_TO_.*)$/;
/** What Deno says. */
const NOT_CONNECTED = /client error \(Connect\)/;

const isFailure = (thrown: unknown): thrown is NetworkFailure =>
  typeof thrown === "object" && thrown !== null;

/** A framework's control flow: Next.js throws it out of `fetch`, and it must reach Next.js. */
export const isControlFlow = (thrown: unknown): boolean =>
  isFailure(thrown) && typeof (thrown as { digest?: unknown }).digest === "string";

/** A thrown thing and its causes; a chain that never ends is cut off. */
function* causesOf(thrown: unknown): Generator<NetworkFailure> {
  let failure = thrown;
  for (let depth = 0; depth < 5; depth += 1) {
    if (!isFailure(failure)) return;
    yield failure;
    failure = failure.cause;
  }
}

/** Whether one failure proves that no connection was made. Where a runtime does not tell, it does not. */
const provesNothingSent = (failure: NetworkFailure): boolean => {
  const { code, syscall, message, errors } = failure;
  return Array.isArray(errors) && errors.length > 0
    ? errors.every((error) => isFailure(error) && error !== failure && provesNothingSent(error))
    : BEFORE_SENDING.test(String(syscall)) ||
        NEVER_CONNECTED.test(String(code)) ||
        NOT_CONNECTED.test(String(message));
};

/** The error that a thrown thing of `fetch` is. */
export const toConnectionError = (thrown: unknown, context: CallContext): ConnectionError => {
  const causes = [...causesOf(thrown)];
  // Node keeps what is not HTTP: an echo of the request would show its credentials.
  for (const cause of causes) {
    if (cause.name === "HTTPParserError") Reflect.deleteProperty(cause, "data");
  }
  const isUnsent = causes.some(provesNothingSent);
  const what = isUnsent ? "no connection was made" : "the connection failed";
  const code = causes.map((cause) => cause.code).find((known) => typeof known === "string");
  return new ConnectionError(
    code === undefined ? what : `${what} (${code})`,
    isUnsent ? "not_sent" : "unknown",
    context,
    { cause: thrown },
  );
};
