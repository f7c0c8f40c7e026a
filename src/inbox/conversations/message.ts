import type { MessageView, Webhook } from "../../testing/control/schemas.ts";
import { h } from "../dom/element.ts";
import { icon } from "../dom/icon.ts";
import { plural, toTime } from "../model/format.ts";
import { parseRcsMarkup, type RcsPart } from "./rcs-markup.ts";

/** Message with the facts that are shown beside it. */
export interface ShownMessage {
  readonly message: MessageView;
  readonly listName: string | undefined;
  readonly webhooks: readonly Webhook[];
}

const toNode = (part: RcsPart): Node =>
  typeof part === "string"
    ? document.createTextNode(part)
    : h(part.tag, {}, ...part.parts.map(toNode));

const fileLink = (url: string, contentType = "type unknown"): HTMLElement => {
  const name = url.split(/[?#]/, 1)[0]?.split("/").at(-1) || url;
  const content = [
    icon("file"),
    h("span", { class: "file-name" }, h("span", {}, name), h("small", {}, contentType)),
  ];
  // An application may send any string; only web addresses become links.
  return /^https?:/i.test(url)
    ? h("a", { class: "file", href: url, target: "_blank", rel: "noopener noreferrer" }, ...content)
    : h("span", { class: "file" }, ...content);
};

const content = ({ text = "", file, contentType, channel }: MessageView): HTMLElement => {
  if (file !== undefined) return fileLink(file, contentType);
  const parts = channel === "rcs" ? parseRcsMarkup(text).map(toNode) : [text];
  return h("p", { class: "text" }, ...parts);
};

const row = (name: string, value: string | 0 | Node | false | undefined) =>
  value ? [h("dt", {}, name), h("dd", {}, value)] : [];

const webhookLine = ({ event, status, error = "under way" }: Webhook): HTMLElement =>
  h("span", { class: "line" }, `${event}: ${status === undefined ? error : `HTTP ${status}`}`);

const lengthOf = ({ segments, septets }: MessageView): string | undefined =>
  segments === undefined || septets === undefined
    ? undefined
    : `${plural(segments, "segment")} · ${plural(septets, "septet")}`;

const facts = ({ message, listName, webhooks }: ShownMessage): HTMLElement => {
  const { at, cause, list_id, transactionId, text, channel, fallbackOf } = message;
  const instead = fallbackOf?.text ?? fallbackOf?.file;
  return h(
    "dl",
    { class: "facts" },
    ...row("Transaction ID", transactionId && h("code", {}, transactionId)),
    ...row("Cause", cause && h("code", {}, cause)),
    ...row("List", list_id && `${listName ?? "unknown"} (${list_id})`),
    ...row("Time", h("time", { datetime: at }, at)),
    ...row("Length", lengthOf(message)),
    ...row("As sent", channel === "rcs" && text && h("code", { class: "raw" }, text)),
    ...row("RCS that failed", instead && h("code", { class: "raw" }, instead)),
    ...row("Webhooks", webhooks.length > 0 && h("span", {}, ...webhooks.map(webhookLine))),
  );
};

/** Renders a message as a bubble, with its details underneath. */
export const renderMessage = (shown: ShownMessage): HTMLElement => {
  const { message, listName } = shown;
  const { direction, channel, at, fallbackOf, cause } = message;
  const isFromService = direction === "sent";
  const length = isFromService ? lengthOf(message) : undefined;
  const meta = [
    h("span", { class: `badge ${channel}` }, channel.toUpperCase()),
    fallbackOf && h("span", { class: "badge fallback" }, "sent because RCS failed"),
    length !== undefined && h("span", {}, length),
    listName !== undefined && h("span", {}, listName),
    cause !== undefined && !fallbackOf && h("code", {}, cause),
    h("time", { datetime: at }, toTime(at)),
  ];
  return h(
    "li",
    { class: `message ${isFromService ? "to-phone" : "from-phone"} ${channel}` },
    h("span", { class: "visually-hidden" }, isFromService ? "To the phone:" : "From the phone:"),
    h("div", { class: "bubble" }, content(message)),
    isFromService
      ? h("details", {}, h("summary", { class: "meta" }, ...meta), facts(shown))
      : h("p", { class: "meta" }, ...meta),
  );
};
