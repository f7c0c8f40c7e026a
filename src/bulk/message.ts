import type { ClientAccess } from "../clients/client-access.ts";
import { type AnyMessagingServiceError, ApiError, ValidationError } from "../errors.ts";
import { buildRequest, type WireRequest } from "../http/build-request.ts";
import type { RequestOptions } from "../http/options.ts";
import type { AttemptGuard } from "../http/send.ts";
import { isDocumentedRefusal } from "../responses/response-error.ts";
import { parsePhone } from "../rules/phone.ts";
import type { RcsFileMessage, RcsTextMessage } from "../schemas/rcs-message.ts";
import { sendRcsFile, sendRcsText } from "../wire/transactional.ts";
import { builtInModule } from "./built-in-module.ts";
import type { LedgerResult } from "./ledger.ts";

/** An RCS file with its SMS fallback, and the content type of the file if it is known. */
export interface RcsFileItem extends RcsFileMessage {
  /** Content type of the file; checked against the allowed list and never sent. Default: the type of the URL's extension. */
  readonly contentType?: string | undefined;
}

/** A message that can be sent durably: an RCS text or an RCS file. */
export type RcsMessage = RcsTextMessage | RcsFileItem;

/** Data for making a message. */
export interface MessageContext {
  /** Random id of 128 bits in base64url, for the `webhookUrl`: the webhook settles doubt by `ledger.confirm(ref)`. */
  readonly ref: string;
}

/** One request that has passed the rules, with its identity in a ledger. */
export interface Task {
  readonly key: string;
  readonly digest: string;
  readonly ref: string;
  /** Method and path template. */
  readonly endpoint: string;
  /** Whether a key in doubt may be sent again, because the request is idempotent. */
  readonly mayRepeat: boolean;
  /** Sends the request, and resolves to the service's response. */
  readonly call: (
    options: RequestOptions,
    guard: AttemptGuard,
  ) => PromiseLike<{ readonly transactionId?: string }>;
}

/** An item that breaks a rule. */
export interface InvalidItem {
  readonly key: string | undefined;
  readonly error: ValidationError;
}

/** A message as it goes out, with its identity in a ledger. */
export interface PreparedMessage {
  readonly key: string;
  readonly digest: string;
  readonly ref: string;
  readonly isFile: boolean;
  readonly body: RcsTextMessage & RcsFileMessage;
  readonly request: WireRequest;
}

/** Rule for the name of a batch and for a key, as an error states it. */
export const NAME_RULE = "a string that is not empty, without NUL and without lone surrogates";

/** Returns whether a value can name a batch or be a key. A database refuses NUL, and replaces lone surrogates: two keys would become one. */
export const isName = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && !value.includes("\0") && !/\p{Cs}/u.test(value);

const ID_LENGTH = 22;
/** Number of random bytes that are drawn at once, because a draw costs more than its bytes: 64 ids in base64. */
const DRAWN_BYTES = 1056;

/** Creates a source of random ids: 22 characters of base64url, which hold 128 bits and need no escaping in a URL. */
export const createIds = (): (() => string) => {
  let drawn = "";
  return () => {
    if (drawn === "") {
      const bytes = crypto.getRandomValues(new Uint8Array(DRAWN_BYTES));
      drawn = btoa(String.fromCharCode(...bytes))
        .replaceAll("+", "-")
        .replaceAll("/", "_");
    }
    const id = drawn.slice(0, ID_LENGTH);
    drawn = drawn.slice(ID_LENGTH);
    return id;
  };
};

/** The part of `node:crypto` that hashes at once: Web Crypto wakes a thread, which takes longer than the hash. */
interface NodeCrypto {
  hash(algorithm: "sha256", text: string): string;
}

/** Returns a copy with the keys of every object in order: equal content then has equal JSON. */
const toCanonical = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(toCanonical);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, toCanonical(inner)]));
};

/** Returns the SHA-256 of JSON content in hexadecimal. It depends neither on the order of keys nor on the `ref`, which is new for each item. */
export const digestOf = async (content: unknown, ref: string): Promise<string> => {
  const text = JSON.stringify(toCanonical(content)).replaceAll(ref, "");
  const { hash } = builtInModule<NodeCrypto>("node:crypto");
  if (hash) return hash("sha256", text);
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** Returns a phone number in E.164, if it is valid. */
const e164Of = (phoneNumber: unknown): string | undefined => {
  const parsed = parsePhone(phoneNumber);
  return "e164" in parsed ? parsed.e164 : undefined;
};

/**
 * Checks a message and serializes it: a caller that changes the object later changes neither request nor digest.
 *
 * @param key The caller's own key. Default: the phone number in E.164, or as given if the caller has turned the rules off.
 * @returns The message, or the error with every field that breaks a rule.
 */
export const prepareMessage = async (
  message: RcsMessage,
  ref: string,
  key: string | undefined,
  validate: boolean,
): Promise<PreparedMessage | InvalidItem> => {
  const { contentType, ...file } = Object(message) as RcsFileItem;
  const isFile = Object(file.rcsPayload).file !== undefined;
  const endpoint = isFile ? sendRcsFile : sendRcsText;
  const context = { endpoint: endpoint.id };
  const input = isFile ? { body: file, contentType } : { body: message };
  let request: WireRequest;
  try {
    request = buildRequest(endpoint, input, validate, () => context);
  } catch (error) {
    if (ValidationError.is(error)) return { key: key ?? e164Of(file.phoneNumber), error };
    throw error;
  }
  const body = request.body === undefined ? undefined : JSON.parse(request.body);
  const { phoneNumber } = Object(body);
  const sentKey = key ?? e164Of(phoneNumber) ?? phoneNumber;
  if (!isName(sentKey)) {
    const issue = { code: "custom", message: `must be ${NAME_RULE}`, path: ["phoneNumber"] };
    return { key: undefined, error: new ValidationError([issue], {}, context) };
  }
  const digest = await digestOf([endpoint.id, body], ref);
  return { key: sentKey, digest, ref, isFile, body, request };
};

/** Returns the task that sends a prepared message. */
export const toMessageTask = ({ send }: ClientAccess, message: PreparedMessage): Task => {
  const { key, digest, ref, isFile, body, request } = message;
  return {
    key,
    digest,
    ref,
    endpoint: (isFile ? sendRcsFile : sendRcsText).id,
    mayRepeat: false,
    call: (options, guard) => {
      const prepared = { request, guard };
      return isFile
        ? send(sendRcsFile, { body }, options, prepared)
        : send(sendRcsText, { body }, options, prepared);
    },
  };
};

/** What a call that has ended means, for the caller and for the ledger. */
export interface CallResult {
  readonly state: "accepted" | "rejected" | "not_sent" | "unknown";
  readonly ledgerState: LedgerResult["state"];
  readonly transactionId?: string | undefined;
}

/**
 * Returns whether the service refused the content in its documented way: a 400 or 422 with `errors` of the documented
 * shape. Any other refusal, such as the HTML page of a gateway, says nothing about the content.
 */
export const isContentRefused = (error: AnyMessagingServiceError): boolean =>
  ValidationError.is(error)
    ? error.source === "service"
    : ApiError.is(error) &&
      (error.status === 400 || error.status === 422) &&
      isDocumentedRefusal(error.body);

/** Reads the id from a body that shows the send was accepted, although another field of it was refused. */
const parseTransactionId = (error: AnyMessagingServiceError): string | undefined => {
  try {
    const { transactionId } = JSON.parse(String("body" in error ? error.body : ""));
    return typeof transactionId === "string" ? transactionId : undefined;
  } catch {
    return undefined;
  }
};

/** Reads the result of a call from the error that ended it. */
export const toCallResult = (error: AnyMessagingServiceError): CallResult => {
  const { outcome } = error;
  switch (outcome) {
    case "done":
      return {
        ...{ state: "accepted", ledgerState: "accepted" },
        transactionId: parseTransactionId(error),
      };
    case "unknown":
      return { state: outcome, ledgerState: outcome };
    case "not_sent":
      return { state: outcome, ledgerState: "open" };
    case "rejected":
      return { state: outcome, ledgerState: isContentRefused(error) ? "rejected" : "open" };
  }
};
