// The panels of requests and webhooks, with their responses.
import type { RecordedRequest, Webhook } from "../../testing/control/schemas.ts";
import { type Child, h } from "../dom/element.ts";
import { emptyState, panel } from "../dom/parts.ts";
import { syncList } from "../dom/sync-list.ts";
import { toTime } from "../model/format.ts";
import type { Model, View } from "../model/model.ts";

/** Returns the class that colors a status; 0 stands for no response. */
const statusClass = (status: number): string =>
  status === 0 || status >= 500 ? "bad" : status >= 400 ? "warn" : "good";

const toJson = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value, undefined, 2);

/** Creates a titled block of code that can be scrolled with the keyboard. */
const block = (title: string, value: unknown): HTMLElement =>
  h(
    "div",
    { class: "block" },
    h("p", { class: "block-title" }, title),
    h("pre", { tabindex: 0, role: "group", "aria-label": title }, toJson(value)),
  );

/** A request, and when it was made. */
interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly at: string;
}

/** Renders a request on one line with its outcome; the line opens to show the details. */
const renderExchange = (
  { method, path, at }: Exchange,
  outcome: readonly Child[],
  details: readonly Child[],
): HTMLElement =>
  h(
    "details",
    {},
    h(
      "summary",
      {},
      h("span", { class: "method" }, method),
      h("span", { class: "path" }, path),
      ...outcome,
      h("time", { datetime: at }, toTime(at)),
    ),
    h("div", { class: "request-body" }, ...details),
  );

/** A panel of exchanges, and its message while there are none. */
interface ExchangePanel<Item> {
  readonly title: string;
  readonly purpose: string;
  readonly empty: HTMLElement;
  /** Returns the exchanges of a model, oldest first. */
  readonly itemsOf: (model: Model) => readonly Item[];
  readonly render: (item: Item) => HTMLElement;
}

/** Creates a panel of exchanges, newest first. */
const createExchangePanel = <Item extends { readonly id: number }>({
  title,
  purpose,
  empty,
  itemsOf,
  render,
}: ExchangePanel<Item>): View => {
  const list = h("ol", { class: "requests", "aria-label": title });
  return {
    element: panel(title, purpose, list, empty),
    update: (model) => {
      const items = itemsOf(model);
      syncList(list, items.toReversed(), ({ id }) => String(id), render);
      empty.hidden = items.length > 0;
      list.hidden = items.length === 0;
    },
  };
};

const renderErrors = ({ errors }: RecordedRequest): HTMLElement =>
  h(
    "ul",
    { class: "field-errors", "aria-label": "Validation errors" },
    ...errors.map(({ path, message }) =>
      h("li", {}, h("code", {}, path.join(".") || "body"), " ", message),
    ),
  );

const renderRequest = (request: RecordedRequest): HTMLElement => {
  const { method, path, endpoint, status, durationMs, query, headers, body, at } = request;
  const { errors, failure } = request;
  const template = endpoint?.split(" ")[1] ?? path;
  const hasQuery = Object.keys(query).length > 0;
  const outcome = h(
    "span",
    { class: "outcome" },
    failure !== undefined && h("span", { class: "badge fallback" }, `armed: ${failure}`),
    h(
      "span",
      { class: `status ${statusClass(status)}` },
      status === 0 ? "no response" : String(status),
    ),
  );
  return h(
    "li",
    { class: "request" },
    renderExchange(
      { method, path: template, at },
      [outcome, h("span", { class: "duration" }, `${Math.round(durationMs)} ms`)],
      [
        path !== template && block("Path", path),
        hasQuery && block("Query", query),
        body !== undefined && block("Body", body),
        block("Headers", headers),
      ],
    ),
    errors.length > 0 && renderErrors(request),
  );
};

/** Creates the panel of requests, newest first; a request opens to show its body and headers. */
export const createRequests = (): View =>
  createExchangePanel({
    title: "Requests",
    purpose: "Requests of the application, newest first.",
    empty: emptyState(
      "requests",
      "No requests yet",
      "Requests of the application to either API appear here, without their credentials.",
    ),
    itemsOf: ({ requests }) => requests,
    render: renderRequest,
  });

const renderWebhook = (webhook: Webhook): HTMLElement => {
  const { event, url, status, body, response, error, at, transactionId } = webhook;
  const isWaiting = status === undefined && error === undefined;
  const outcome = h(
    "span",
    { class: `status ${isWaiting ? "" : statusClass(status ?? 0)}` },
    isWaiting ? "under way" : String(status ?? "no response"),
  );
  return h(
    "li",
    { class: "request webhook" },
    renderExchange(
      { method: event, path: url, at },
      [outcome],
      [
        block("Transaction ID", transactionId),
        block("Sent", body),
        response !== undefined && block("Response", response),
        error !== undefined && block("Problem", error),
      ],
    ),
  );
};

/** Creates the panel of webhooks: the requests of the fake and the responses of the application. */
export const createWebhooks = (): View =>
  createExchangePanel({
    title: "Webhooks",
    purpose: "Webhooks that the fake sent to the application, newest first.",
    empty: emptyState(
      "webhooks",
      "No webhooks yet",
      "The payload of webhooks is not documented, so the fake sends no webhooks until you define " +
        "it: with the option webhooks, or with --webhooks <file> of the command.",
    ),
    itemsOf: ({ webhooks }) => webhooks,
    render: renderWebhook,
  });
