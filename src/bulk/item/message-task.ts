import type { ClientAccess } from "../../clients/client-access.ts";
import { ValidationError } from "../../errors.ts";
import { buildRequest, type WireRequest } from "../../http/build-request.ts";
import { parsePhone } from "../../rules/phone.ts";
import type { RcsFileMessage, RcsTextMessage } from "../../schemas/rcs-message.ts";
import { sendRcsFile, sendRcsText } from "../../wire/transactional.ts";
import { digestOf } from "./digest.ts";
import { isName } from "./name.ts";
import type { Task } from "./task.ts";

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

/** A message as it goes out, with its identity in a ledger. */
export interface PreparedMessage {
  readonly key: string;
  readonly digest: string;
  readonly ref: string;
  readonly isFile: boolean;
  readonly body: RcsTextMessage & RcsFileMessage;
  readonly request: WireRequest;
}

/** Returns the phone number in E.164, or as it is if the caller has turned the rules off. */
const toKey = (phoneNumber: unknown): string => {
  const parsed = parsePhone(phoneNumber);
  if ("e164" in parsed) return parsed.e164;
  if (isName(phoneNumber)) return phoneNumber;
  throw new ValidationError([{ ...parsed, path: ["phoneNumber"] }]);
};

/**
 * Checks a message and copies it: a caller that changes the object later changes neither request nor digest.
 *
 * @param key The caller's own key. Default: the phone number in E.164.
 * @throws {@link ValidationError} with every field that breaks a rule.
 */
export const prepareMessage = async (
  message: RcsMessage,
  ref: string,
  key: string | undefined,
  validate: boolean,
): Promise<PreparedMessage> => {
  const isFile = Object(Object(message).rcsPayload).file !== undefined;
  const { contentType, ...file } = Object(message) as RcsFileItem;
  const endpoint = isFile ? sendRcsFile : sendRcsText;
  const input = isFile ? { body: file, contentType } : { body: message };
  const request = buildRequest(endpoint, input, validate, () => ({ endpoint: endpoint.id }));
  const body = request.body === undefined ? undefined : JSON.parse(request.body);
  return {
    key: key ?? toKey(Object(body).phoneNumber),
    digest: await digestOf([endpoint.id, body], ref),
    ref,
    isFile,
    body,
    request,
  };
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
    isSettledBy: () => false,
    call: (options, guard) => {
      const prepared = { request, guard };
      return isFile
        ? send(sendRcsFile, { body }, options, prepared)
        : send(sendRcsText, { body }, options, prepared);
    },
  };
};
