import { buildRequest, type WireRequest } from "../core/call/build-request.ts";
import { type AttemptHooks, PREPARED, type PreparedCall } from "../core/call/prepared-call.ts";
import type { RequestOptions } from "../core/call/settings.ts";
import type { TransactionalClient } from "../core/clients/transactional-client.ts";
import { toCallError, ValidationError } from "../core/errors.ts";
import { assertFunction, isJsonObject, or } from "../core/options.ts";
import { e164Of } from "../core/rules/phone.ts";
import { builtInModule } from "../core/runtime.ts";
import type { RcsFileMessage, RcsTextMessage } from "../core/schemas/rcs-message.ts";
import { sendRcsFile, sendRcsText } from "../core/wire/transactional.ts";
import type { ReadItem } from "./input.ts";
import { callbackError, isName, keyOfItem, toKeyError } from "./names.ts";
import type { RunSettings } from "./run-options.ts";

/** A message that can be sent durably: an RCS text or an RCS file. */
export type RcsMessage = RcsTextMessage | RcsFileMessage;

/** Data for making a message. */
export interface MessageContext {
  /**
   * Random id of 132 bits in base64url. Put it into the `webhookUrl`, so your webhook handler can settle doubt with
   * `ledger.confirm(ref)`.
   */
  readonly ref: string;
}

/** Promise of a message. Without the field, a compiler may report a mistake in a text as a mistake in a file, or vice versa. */
export type PromisedMessage = Promise<RcsMessage> & {
  /** Never present. */
  readonly rcsPayload?: undefined;
};

/** Function that makes the message of an item; called once for each item, before the next one is read. */
export type ToMessage<Item> = (item: Item, context: MessageContext) => RcsMessage | PromisedMessage;

/** Options that make the message of an item. */
export interface MessageFunctions<Item> {
  readonly toMessage?: ToMessage<Item> | undefined;
  readonly contentTypeOf?: ((item: Item) => string | undefined) | undefined;
}

/** An item that has passed the rules, with its identity in a ledger. */
export interface Task {
  readonly key: string;
  readonly digest: string;
  readonly ref: string;
  readonly endpoint: string;
  /** Whether a key in doubt may be sent again, because the request is idempotent. */
  readonly isIdempotent: boolean;
}

/** A task with the method of the client that sends it. */
export interface SendTask extends Task {
  readonly nextCallId: () => string;
  readonly method: string;
  /** Calls that method, which must make its call through the hooks. A replacement may do, return and throw anything. */
  readonly call: (options: RequestOptions, hooks: AttemptHooks) => unknown;
}

export interface InvalidItem {
  readonly key: string | undefined;
  readonly error: ValidationError;
}

export interface PreparedMessage extends Task {
  readonly isFile: boolean;
  readonly contentType: string | undefined;
  readonly body: RcsTextMessage & RcsFileMessage;
  readonly request: WireRequest;
}

const ID_LENGTH = 22;
/** Number of random bytes drawn at once, because each draw is slow. They make 16 ids in base64. */
const DRAWN_BYTES = 264;

let drawn = "";

/** Returns a random id. It has 22 characters of base64url, so 132 bits, and needs no escaping in a URL. */
export const nextId = (): string => {
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

/** Part of `node:crypto` that hashes synchronously. Web Crypto wakes another thread, which takes longer than the hash. */
interface NodeCrypto {
  hash?(algorithm: "sha256", text: string): string;
}

/** Sorts the keys of an object during its serialization, so equal content has equal JSON. */
const sortKeys = (_key: string, value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/**
 * Returns the SHA-256 of JSON content in hexadecimal. It does not depend on the order of keys, or on the `ref`, which is new for
 * each item.
 */
export const digestOf = async (content: unknown, ref: string): Promise<string> => {
  const text = JSON.stringify(content, sortKeys).replaceAll(ref, "");
  const nodeCrypto = builtInModule<NodeCrypto>("node:crypto");
  if (nodeCrypto?.hash) return nodeCrypto.hash("sha256", text);
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** Returns the result of `build`, or the error with the rules that the item breaks. */
export const requestOrError = (
  endpoint: string,
  build: () => WireRequest,
): WireRequest | ValidationError => {
  try {
    return build();
  } catch (thrown) {
    const error = toCallError(thrown, { endpoint });
    if (ValidationError.is(error)) return error;
    throw error;
  }
};

/** Checks and serializes a message. Later changes of the object affect neither the request nor the digest. */
export const prepareMessage = async (
  message: RcsMessage,
  ref: string,
  key: string | undefined,
  validate: boolean,
  contentType?: string,
): Promise<PreparedMessage | InvalidItem> => {
  const given = Object(message);
  const isFile = Object(given.rcsPayload).file !== undefined;
  const endpoint = isFile ? sendRcsFile : sendRcsText;
  const request = requestOrError(endpoint.id, () =>
    buildRequest(endpoint, { body: message }, validate, { contentType }),
  );
  if (ValidationError.is(request)) {
    return { key: key ?? e164Of(given.phoneNumber), error: request };
  }
  const body = request.sent.body as PreparedMessage["body"];
  const { phoneNumber } = Object(body);
  const sentKey = key ?? e164Of(phoneNumber) ?? phoneNumber;
  if (!isName(sentKey)) return { key: undefined, error: toKeyError(endpoint.id) };
  const digest = await digestOf([endpoint.id, body], ref);
  const task: Task = { key: sentKey, digest, ref, endpoint: endpoint.id, isIdempotent: false };
  return { ...task, isFile, contentType, body, request };
};

/**
 * Checks the functions that make the messages of a run. Returns the function that makes the message of an item and checks it. It
 * rejects only if a callback fails or returns something unusable.
 */
export const createPrepare = <Item>(
  functions: MessageFunctions<Item>,
  { keyOf, validate }: RunSettings<Item>,
) => {
  const toMessage = or(assertFunction)("toMessage", functions.toMessage);
  const contentTypeOf = or(assertFunction)("contentTypeOf", functions.contentTypeOf);
  return async (read: ReadItem<Item>): Promise<PreparedMessage | InvalidItem> => {
    const key = keyOfItem(keyOf, read);
    const { item } = read;
    const ref = nextId();
    const message = await (toMessage ? toMessage(item, { ref }) : item);
    if (toMessage && !isJsonObject(message)) {
      throw callbackError("toMessage", message, "a message", read);
    }
    const contentType = contentTypeOf?.(item);
    return prepareMessage(message as RcsMessage, ref, key, validate, contentType);
  };
};

export const toSendTask = (
  client: TransactionalClient,
  message: PreparedMessage,
  nextCallId: () => string,
): SendTask => {
  const { request, isFile, contentType } = message;
  return {
    ...message,
    nextCallId,
    method: isFile ? "sendRcsFile" : "sendRcsText",
    call: (options, hooks) => {
      const body: PreparedMessage["body"] & { [PREPARED]?: PreparedCall } = { ...message.body };
      const own = isFile ? { ...options, contentType } : options;
      const prepared = { request, body, options: own, hooks };
      body[PREPARED] = prepared;
      const callOptions = { ...own, [PREPARED]: prepared };
      return isFile ? client.sendRcsFile(body, callOptions) : client.sendRcsText(body, callOptions);
    },
  };
};
