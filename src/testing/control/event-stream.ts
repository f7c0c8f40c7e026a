import { allowedContentTypes } from "../../core/rules/content-type.ts";
import { analyzeGsm7 } from "../../core/rules/gsm7.ts";
import type { PhoneMessage } from "../fake/messages.ts";
import type { FakeService } from "../fake-service.ts";
import type { MessageView } from "./schemas.ts";

/** Names of content types, where they differ from the file extension. */
const SUBTYPES = new Map([
  ["3gp", "3gpp"],
  ["jpg", "jpeg"],
  ["mpg", "mpeg"],
]);

/** Returns the accepted content type for the extension of a URL. An extension of both audio and video counts as video. */
const contentTypeOf = (url: string): string | undefined => {
  const extension = /\.(\w+)$/.exec(url.split(/[?#]/, 1)[0] ?? "")?.[1]?.toLowerCase() ?? "";
  const subtype = SUBTYPES.get(extension) ?? extension;
  return allowedContentTypes.findLast((type) => type.endsWith(`/${subtype}`));
};

const toLength = (text: string): Pick<MessageView, "septets" | "segments"> => {
  const { valid, septets, segments } = analyzeGsm7(text);
  return valid ? { septets, segments } : {};
};

export const toMessageView = (message: PhoneMessage): MessageView => {
  const { text } = message;
  if (message.direction === "received") {
    const { from: phone, ...rest } = message;
    return { phone, channel: "sms", ...rest, ...toLength(message.text) };
  }
  const { to: phone, ...rest } = message;
  const contentType = contentTypeOf(message.file ?? "");
  return {
    phone,
    ...rest,
    ...(contentType !== undefined && { contentType }),
    ...(message.channel === "sms" && text !== undefined && toLength(text)),
  };
};

/** Sends events as server-sent events, and `reset` after records were removed. Returns a function that stops. */
export const followEvents = (service: FakeService, write: (text: string) => void): (() => void) => {
  const send = (type: string, data: unknown) =>
    write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  // A reset or a removal of messages replaces these arrays.
  let { requests, messages } = service;
  write("retry: 1000\n\n");
  return service.subscribe((event) => {
    if (service.requests !== requests || service.messages !== messages) {
      ({ requests, messages } = service);
      send("reset", {});
    }
    if (event.type === "message") send("message", toMessageView(event.message));
    else if (event.type === "request") send("request", event.request);
    else if (event.type === "webhook") send("webhook", event.webhook);
    else send("state", { now: service.now.toISOString() });
  });
};
