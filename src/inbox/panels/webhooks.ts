import type { Webhook } from "../../testing/control/schemas.ts";
import { h } from "../dom/element.ts";
import type { View } from "../model/model.ts";
import { block, createExchangePanel, renderExchange, statusClass } from "./exchange.ts";
import { emptyState } from "./panel.ts";

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
      "The payload of webhooks is not documented, so the fake sends none until you say what it " +
        "looks like: with the option webhooks, or --webhooks FILE of the command.",
    ),
    itemsOf: ({ webhooks }) => webhooks,
    render: renderWebhook,
  });
