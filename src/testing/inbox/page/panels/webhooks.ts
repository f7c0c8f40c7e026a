import type { WebhookView } from "../../../control/views.ts";
import { h } from "../dom/element.ts";
import { syncList } from "../dom/sync-list.ts";
import { toTime } from "../model/format.ts";
import type { View } from "../model/model.ts";
import { block, statusClass } from "./exchange.ts";
import { emptyState, panel } from "./panel.ts";

const renderWebhook = (webhook: WebhookView): HTMLElement => {
  const { event, url, status, body, response, error, at, transactionId } = webhook;
  const isWaiting = status === undefined && error === undefined;
  return h(
    "li",
    { class: "request webhook" },
    h(
      "details",
      {},
      h(
        "summary",
        {},
        h("span", { class: "method" }, event),
        h("span", { class: "path" }, url),
        h(
          "span",
          { class: `status ${isWaiting ? "" : statusClass(status ?? 0)}` },
          isWaiting ? "under way" : String(status ?? "no response"),
        ),
        h("time", { datetime: at }, toTime(at)),
      ),
      h(
        "div",
        { class: "request-body" },
        block("Transaction ID", transactionId),
        block("Sent", body),
        response !== undefined && block("Response", response),
        error !== undefined && block("Problem", error),
      ),
    ),
  );
};

/** Creates the panel of webhooks: the requests of the fake and the responses of the application. */
export const createWebhooks = (): View => {
  const list = h("ol", { class: "requests", "aria-label": "Webhooks" });
  const empty = emptyState(
    "webhooks",
    "No webhooks yet",
    "The payload of webhooks is not documented, so the fake sends none until you say what it " +
      "looks like: with the option webhooks, or --webhooks FILE of the command.",
  );
  return {
    element: panel(
      "Webhooks",
      "Webhooks that the fake sent to the application, newest first.",
      list,
      empty,
    ),
    update: ({ webhooks }) => {
      syncList(list, webhooks.toReversed(), ({ id }) => String(id), renderWebhook);
      empty.hidden = webhooks.length > 0;
      list.hidden = webhooks.length === 0;
    },
  };
};
