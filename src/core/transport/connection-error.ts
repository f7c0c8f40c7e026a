import { ConnectionError, MessagingServiceError, type Outcome, TimeoutError } from "../errors.ts";
import { orUndefined } from "../options.ts";
import type { Redactor } from "../responses/redact.ts";

/** Maximum number of causes that are followed, because a chain may be cyclic. */
export const MAX_CAUSES = 5;

/** Returns a field of a thrown value; `undefined` if the field does not exist or cannot be read. */
export const readField = (thrown: unknown, name: string): unknown =>
  orUndefined(() => Object(thrown)[name]);

export const readString = (thrown: unknown, name: string): string => {
  const value = readField(thrown, name);
  return typeof value === "string" ? value : "";
};

export const causesOf = (thrown: unknown): readonly unknown[] => {
  const causes: unknown[] = [];
  for (let cause = thrown; cause && causes.length < MAX_CAUSES; cause = readField(cause, "cause")) {
    causes.push(cause);
  }
  return causes;
};

/** Matches an error code that is a name, and so cannot contain data. */
const CODE = /^[a-z]\w{0,39}$/i;

/** Returns the first error code among a thrown value and its causes. Unlike a message, a code never contains a URL. */
export const errorCodeOf = (thrown: unknown, pattern = CODE): string | undefined =>
  causesOf(thrown)
    .map((cause) => readString(cause, "code"))
    .find((code) => pattern.test(code));

/**
 * Returns whether a thrown value is a framework's control flow. Next.js throws such values from `fetch`, and must receive them
 * back.
 */
export const isControlFlow = (thrown: unknown): boolean =>
  typeof readField(thrown, "digest") === "string";

/** Error for a programming mistake around `fetch`, as opposed to a network failure. Its message never quotes data. */
export class FetchMistake extends Error {}

/**
 * Error for other code that tries to repeat a request that may have been carried out. Only the client knows which requests may be
 * repeated.
 */
export class StoppedRepeat extends Error {
  constructor(who: string, status?: number) {
    const after = status === undefined ? "" : ` after status ${status}`;
    super(`${who} sent the request again${after}: the repeat was stopped`);
  }
}

/** Returns whether a status proves that the request was not carried out, as every client error except 408 (timeout) does. */
export const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 408;

/**
 * Matches a bug, or a request that `fetch` never sends: to a blocked port or an unknown scheme, with a malformed part, or with the
 * signal of a different realm. Any other `TypeError` may be a network failure.
 */
const MISTAKE =
  /^ReferenceError|: (bad port|unknown scheme)$|^TypeError.+(AbortSignal|port \d+ are blocked|ByteString|HTTP method|Url scheme|(parse|Invalid) URL|[Ii]n(valid)? header |is not (a (f|con)|an o|it|val)|(of|is) (undef|null))/s;
/** Matches the part of a message that may quote a header or a URL. */
const QUOTED = /".*"|(?<=URL( from|:) ).+/s;
/** Matches the part of a mistake that certainly contains no data. */
const SAFE = /^\w*(: (bad port|unknown scheme)$)?/;

/**
 * Returns the mistake around `fetch` that a thrown value reveals. The thrown message may contain data, so it is left out if there
 * is no redactor, unless it is known.
 */
export const mistakeOf = (thrown: unknown, redactor?: Redactor): string | undefined => {
  for (const cause of causesOf(thrown)) {
    if (cause instanceof FetchMistake) return cause.message;
    const said = `${readString(cause, "name")}: ${readString(cause, "message")}`;
    if (MISTAKE.test(said))
      return `\`fetch\` threw ${redactor?.quote(said.replace(QUOTED, "…")) ?? SAFE.exec(said)?.[0]}`;
  }
  return undefined;
};

const RUNTIME_LIMIT = /UND_ERR_(HEADERS|BODY)_TIMEOUT/;
const NETWORK_CODE = /^[a-z][\w/]{1,60}$/i;
/** Fields of a network failure that never contain a URL or a header. */
const SAFE_FIELDS = ["code", "syscall", "hostname", "address"];
const MAX_LINES = 12;

export const portOf = ({ port, protocol }: URL): number =>
  Number(port) || (protocol === "https:" ? 443 : 80);

/** Returns the host and the port of a URL. */
export const addressOf = (url: string): string => {
  const target = new URL(url);
  return `${target.hostname}:${portOf(target)}`;
};

interface FailedAttempt {
  readonly url: string;
  readonly outcome: Outcome;
  /** What to check; `""` if this is not known. */
  readonly advice: string;
  readonly durationMs: number;
  readonly redactor: Redactor;
}

/**
 * Converts what a carrier threw to the error of its attempt. A framework's control flow is returned unchanged. Anything else
 * becomes a new error, because a value that looks like an error of this package may come from a different call.
 */
export const toTransportError = (
  thrown: unknown,
  { url, outcome, advice, durationMs, redactor }: FailedAttempt,
): unknown => {
  if (isControlFlow(thrown)) return thrown;
  const causes = causesOf(thrown);
  const options = { cause: toCause(thrown, redactor) };
  const code = errorCodeOf(thrown, NETWORK_CODE);
  if (code !== undefined && RUNTIME_LIMIT.test(code)) {
    return new TimeoutError("attempt", Math.round(durationMs), "unknown", options);
  }
  const mistake = mistakeOf(thrown, redactor);
  if (mistake) return asMistake(new ConnectionError(advice || mistake, outcome, options));
  const repeat = causes.find((cause) => cause instanceof StoppedRepeat);
  if (repeat) return new ConnectionError(repeat.message, outcome, options);
  const what = [
    outcome === "not_sent"
      ? `no connection was made to ${addressOf(url)}`
      : "the connection failed",
    code === undefined ? "" : ` (${redactor.quote(code)})`,
    advice && `: ${advice}`,
  ].join("");
  return new ConnectionError(what, outcome, options);
};

/** Marks the error of a mistake around `fetch` as not transient, because no later attempt can succeed. */
export const asMistake = (error: ConnectionError): ConnectionError =>
  // A private field would throw in a proxy, such as Vue's.
  Object.defineProperty(error, "isTransient", { value: false });

/**
 * Copies what `fetch` threw, redacted and without unknown fields. Runtimes and HTTP clients add the URL, bytes that echo a
 * header, or the whole request.
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
