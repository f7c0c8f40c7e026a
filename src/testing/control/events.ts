import { analyzeGsm7 } from "../../rules/gsm7.ts";
import type { PhoneMessage } from "../fake/messages.ts";
import type { FakeService } from "../fake-service.ts";
import type { MessageView } from "./schemas.ts";

/** Content types by file extension, for the files that the service accepts. */
const FILE_CONTENT_TYPES: Readonly<Record<string, string>> = {
  "3gp": "audio/3gpp",
  aac: "audio/aac",
  gif: "image/gif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  m4v: "video/m4v",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  mpeg: "video/mpeg",
  mpg: "video/mpeg",
  ogg: "audio/ogg",
  pdf: "application/pdf",
  png: "image/png",
  webm: "video/webm",
};

const contentTypeOf = (url: string): string | undefined => {
  const extension = /\.(\w+)$/.exec(url.split(/[?#]/, 1)[0] ?? "")?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(FILE_CONTENT_TYPES, extension) ? FILE_CONTENT_TYPES[extension] : undefined;
};

const toLength = (text: string): Pick<MessageView, "septets" | "segments"> => {
  const { valid, septets, segments } = analyzeGsm7(text);
  return valid ? { septets, segments } : {};
};

/** Converts a message to the message that the control API shows. */
export const toMessageView = (message: PhoneMessage): MessageView => {
  const { text } = message;
  if (message.direction === "received") {
    const { from: phone, ...rest } = message;
    return { phone, channel: "sms", ...rest, ...toLength(message.text) };
  }
  const { to: phone, ...rest } = message;
  const contentType = message.file === undefined ? undefined : contentTypeOf(message.file);
  return {
    phone,
    ...rest,
    ...(contentType !== undefined && { contentType }),
    ...(message.channel === "sms" && text !== undefined && toLength(text)),
  };
};

/** Shortest time between two `state` events, in milliseconds. */
const STATE_EVENT_INTERVAL_MS = 50;

/** Sends server-sent events to every reader of a service. */
export class EventStream {
  readonly #readers = new Set<(text: string) => void>();
  readonly #service: FakeService;
  readonly #unsubscribe: () => void;
  /** Arrays that a reset or a removal of messages replaces. */
  #known: readonly unknown[];
  #stateTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(service: FakeService) {
    this.#service = service;
    this.#known = [service.requests, service.messages];
    this.#unsubscribe = service.subscribe((event) => {
      this.#noticeReset();
      if (event.type === "message") this.#send("message", toMessageView(event.message));
      else if (event.type === "request") this.#send("request", event.request);
      else if (event.type === "webhook") this.#send("webhook", event.webhook);
      else this.#sendState();
    });
  }

  /** Adds a reader; the returned function removes it. */
  follow(send: (text: string) => void): () => void {
    this.#readers.add(send);
    send("retry: 1000\n\n");
    return () => void this.#readers.delete(send);
  }

  /** Ends the subscription to the service. */
  close(): void {
    this.#unsubscribe();
    clearTimeout(this.#stateTimer);
  }

  /** Sends `reset` if records have gone: a reader then reads everything again. */
  #noticeReset(): void {
    const { requests, messages } = this.#service;
    if (this.#known[0] === requests && this.#known[1] === messages) return;
    this.#known = [requests, messages];
    this.#send("reset", {});
  }

  #send(type: string, data: unknown): void {
    const text = `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const reader of this.#readers) reader(text);
  }

  /** Sends `state`, once for all changes within {@link STATE_EVENT_INTERVAL_MS}. */
  #sendState(): void {
    this.#stateTimer ??= setTimeout(() => {
      this.#stateTimer = undefined;
      this.#send("state", { now: this.#service.now.toISOString() });
    }, STATE_EVENT_INTERVAL_MS);
  }
}
