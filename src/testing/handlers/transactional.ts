import type { ValidationIssue } from "../../errors.ts";
import { isAllowedContentType, maxFileBytes } from "../../rules/content-type.ts";
import type { RcsFileMessage, RcsTextMessage } from "../../schemas/rcs-message.ts";
import type * as transactional from "../../wire/transactional.ts";
import { sendRcsFile, sendRcsText } from "../../wire/transactional.ts";
import { type FakeResponse, jsonResponse } from "../fake/exchange.ts";
import type { FakeWorld } from "../fake/world.ts";
import { type FakeApi, handle } from "./handler.ts";

/** Returns the service's message for an issue; the specification shows codes and fields, not the wording. */
const toServiceMessage = ({
  code,
  validation,
  type,
  minimum,
  maximum,
  message,
}: ValidationIssue) => {
  switch (code) {
    case "invalid_type":
      return `Expected ${type}`;
    case "too_big":
      return type === "string"
        ? `String must contain at most ${maximum} character(s)`
        : `Number must be at most ${maximum}`;
    case "too_small":
      return type === "string"
        ? `String must contain at least ${minimum} character(s)`
        : `Number must be at least ${minimum}`;
    case "invalid_string":
      return validation === "url" ? "Invalid url" : "Invalid";
    case "unrecognized_keys":
      return "Unrecognized key(s) in object";
    default:
      return validation === "phone" ? "Invalid phone number" : message;
  }
};

/**
 * Converts an issue that a shared schema found to the issue that the service reports: it has only the documented keys, and
 * the fake's wording.
 */
const toServiceIssue = (issue: ValidationIssue): ValidationIssue => {
  const { code, path, validation, minimum, maximum, type, inclusive, exact } = issue;
  return {
    code,
    message: toServiceMessage(issue),
    path,
    ...(validation !== undefined && { validation }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(type !== undefined && { type }),
    ...(inclusive !== undefined && { inclusive }),
    ...(exact !== undefined && { exact }),
  };
};

/** Accepts a message and delivers it at once. */
const accept = (
  { clock, store, outbox, deliver }: FakeWorld,
  { phoneNumber, webhookUrl, smsFailover }: RcsTextMessage | RcsFileMessage,
  content: { readonly text: string } | { readonly file: string },
): FakeResponse => {
  const transactionId = store.ids.transactionId();
  const send = {
    transactionId,
    at: clock.timestamp,
    phoneNumber,
    webhookUrl,
    ...content,
    smsFailover,
  };
  store.sends.add(send);
  const cause = "text" in content ? "send_rcs_text" : "send_rcs_file";
  const message = { ...content, cause, transactionId };
  deliver(send, outbox.sendRcs(phoneNumber, message, smsFailover));
  return jsonResponse(202, { message: "Message accepted", transactionId });
};

const FILE_URL = ["rcsPayload", "file", "url"];

/** Yields the issues of a file whose host is known; the fake accepts every other file. */
function* hostedFileIssues({ store }: FakeWorld, body: unknown): Generator<ValidationIssue> {
  const hosted = store.files.get(Object(body).rcsPayload?.file?.url);
  if (!hosted) return;
  const { contentType, size = 0 } = hosted;
  if (!isAllowedContentType(contentType)) {
    const message = `File of content type ${contentType} is not supported`;
    yield { code: "custom", message, path: FILE_URL };
  }
  if (size > maxFileBytes) {
    const message = `File must be at most ${maxFileBytes} bytes`;
    const limit = { type: "number", maximum: maxFileBytes, inclusive: true, exact: false };
    yield { code: "too_big", message, path: FILE_URL, ...limit };
  }
}

const transactionalEndpoints: typeof transactional = { sendRcsFile, sendRcsText };

const transactionalHandlers = handle(transactionalEndpoints, {
  sendRcsFile: {
    respond: ({ world, body }) => accept(world, body, { file: body.rcsPayload.file.url }),
    refine: hostedFileIssues,
    // Only a client checks the extension of a file's URL.
    ignores: ({ code, path }) => code === "custom" && path.join() === FILE_URL.join(),
  },

  sendRcsText: ({ world, body }) => accept(world, body, { text: body.rcsPayload.text }),
});

/** The transactional API. The specification shows its validation errors; the others are the fake's own. */
export const transactionalApi: FakeApi = {
  name: "transactional",
  handlers: transactionalHandlers,
  ownsPath: () => true,
  admits: ({ headers }, { apiKey }) => headers["x-api-key"] === apiKey,
  error: (status, error, headers) => jsonResponse(status, { error }, headers),
  toIssue: toServiceIssue,
  // Specification: "Validation error".
  invalid: (errors) => ({ ...jsonResponse(400, { error: "Validation failed", errors }), errors }),
};
