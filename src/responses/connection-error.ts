import { ConnectionError, MessagingServiceError, TimeoutError } from "../errors.ts";
import {
  causesOf,
  errorCodeOf,
  MAX_DEPTH,
  mistakeOf,
  readField,
  readString,
  StoppedRepeat,
} from "./connection-evidence.ts";
import type { Redactor } from "./redact.ts";

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

/** Matches the codes of undici's own limits on the headers and the body of a response. */
const RUNTIME_LIMIT = /UND_ERR_(HEADERS|BODY)_TIMEOUT/;
/** Matches a code of the system, the runtime or OpenSSL. */
const NETWORK_CODE = /^[a-z][\w/]{1,60}$/i;
/** Fields of a network failure that never hold a URL or a header. */
const SAFE_FIELDS = ["code", "syscall", "hostname", "address"];
/** Maximum number of stack lines that a cause keeps. */
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
    return new TimeoutError("attempt", Math.round(durationMs), "unknown", undefined, options);
  }
  const outcome = isUnsent ? "not_sent" : "unknown";
  const mistake = mistakeOf(thrown, redactor);
  if (mistake) return asMistake(new ConnectionError(mistake, outcome, undefined, options));
  const repeat = causes.find((cause) => cause instanceof StoppedRepeat);
  if (repeat) return new ConnectionError(repeat.message, outcome, undefined, options);
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
  return new ConnectionError(what, outcome, undefined, options);
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
  if (thrown === undefined || thrown === null || depth === MAX_DEPTH) return undefined;
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
