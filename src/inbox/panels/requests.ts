import type { RecordedRequest } from "../../testing/control/schemas.ts";
import { h } from "../dom/element.ts";
import type { View } from "../model/model.ts";
import { block, createExchangePanel, renderExchange, statusClass } from "./exchange.ts";
import { emptyState } from "./panel.ts";

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

/** Creates the panel of requests, newest first, with the body on demand. */
export const createRequests = (): View =>
  createExchangePanel({
    title: "Requests",
    purpose: "Requests of the application, newest first.",
    empty: emptyState(
      "requests",
      "No requests yet",
      "Requests of the application to either API appear here. Credentials are replaced.",
    ),
    itemsOf: ({ requests }) => requests,
    render: renderRequest,
  });
