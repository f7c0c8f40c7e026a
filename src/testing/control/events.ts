import { analyzeGsm7 } from "../../rules/gsm7.ts";
import { appendBounded } from "../fake/events.ts";
import type { PhoneMessage } from "../fake/messages.ts";
import type { FakeService } from "../fake-service.ts";
import type { MessageView } from "./schemas.ts";

const MAX_MESSAGES = 10_000;

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

const toView = (message: PhoneMessage, id: number): MessageView => {
  const { text } = message;
  if (message.direction === "received") {
    const { from: phone, ...rest } = message;
    return { id, phone, channel: "sms", ...rest, ...toLength(message.text) };
  }
  const { to: phone, ...rest } = message;
  const contentType = message.file === undefined ? undefined : contentTypeOf(message.file);
  return {
    id,
    phone,
    ...rest,
    ...(contentType !== undefined && { contentType }),
    ...(message.channel === "sms" && text !== undefined && toLength(text)),
  };
};

/** Log of every message between the service and phones, numbered in order. */
export class MessageLog {
  readonly #service: FakeService;
  readonly #views: MessageView[] = [];
  readonly #known = new WeakMap<PhoneMessage, MessageView>();
  #lastId = 0;

  constructor(service: FakeService) {
    this.#service = service;
    this.read();
  }

  get messages(): readonly MessageView[] {
    return this.#views;
  }

  /** Replaces the log with the messages of the service. */
  read(): void {
    this.#views.length = 0;
    const messages = this.#service.phones
      .filter(({ latestMessageAt }) => latestMessageAt !== null)
      .flatMap(({ phoneNumber }) => this.#service.conversationWith(phoneNumber));
    for (const message of messages.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
      this.add(message);
    }
  }

  /** Adds a message, unless it is already in the log. */
  add(message: PhoneMessage): MessageView {
    const known = this.#known.get(message);
    if (known) return known;
    this.#lastId += 1;
    const view = toView(message, this.#lastId);
    this.#known.set(message, view);
    appendBounded(this.#views, view, MAX_MESSAGES);
    return view;
  }
}

/** Shortest time between two `state` events, in milliseconds. */
const STATE_EVENT_INTERVAL_MS = 50;

/** Sends server-sent events to every reader of a service. */
export class EventStream {
  readonly #readers = new Set<(text: string) => void>();
  readonly #service: FakeService;
  readonly #log: MessageLog;
  readonly #unsubscribe: () => void;
  #requests: unknown;
  #stateTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(service: FakeService, log: MessageLog) {
    this.#service = service;
    this.#log = log;
    this.#requests = service.requests;
    this.#unsubscribe = service.subscribe((event) => {
      this.#noticeReset();
      if (event.type === "message") this.#send("message", log.add(event.message));
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

  /** Sends `reset` if the service was reset, which replaces its array of requests. */
  #noticeReset(): void {
    if (this.#requests === this.#service.requests) return;
    this.#requests = this.#service.requests;
    this.#log.read();
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
