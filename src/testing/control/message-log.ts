import { analyzeGsm7 } from "../../rules/gsm7.ts";
import { appendBounded } from "../fake/events.ts";
import type { PhoneMessage } from "../fake/shapes.ts";
import type { FakeService } from "../fake-service.ts";
import type { MessageView } from "./schemas.ts";

const MAX_MESSAGES = 10_000;

/** Content types by file extension, for the files that the service accepts. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
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
  return Object.hasOwn(CONTENT_TYPES, extension) ? CONTENT_TYPES[extension] : undefined;
};

const lengthOf = (text: string): Pick<MessageView, "septets" | "segments"> => {
  const { valid, septets, segments } = analyzeGsm7(text);
  return valid ? { septets, segments } : {};
};

const toView = (message: PhoneMessage, id: number): MessageView => {
  const { text } = message;
  if (message.direction === "received") {
    const { from: phone, ...rest } = message;
    return { id, phone, channel: "sms", ...rest, ...lengthOf(message.text) };
  }
  const { to: phone, ...rest } = message;
  const contentType = message.file === undefined ? undefined : contentTypeOf(message.file);
  return {
    id,
    phone,
    ...rest,
    ...(contentType !== undefined && { contentType }),
    ...(message.channel === "sms" && text !== undefined && lengthOf(text)),
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
