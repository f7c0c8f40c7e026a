import type { RequestView } from "../../../control/views.ts";
import { h } from "../dom/element.ts";
import { syncList } from "../dom/sync-list.ts";
import { toTime } from "../model/format.ts";
import type { View } from "../model/model.ts";
import { block, statusClass } from "./exchange.ts";
import { emptyState, panel } from "./panel.ts";

const renderErrors = ({ errors }: RequestView): HTMLElement =>
  h(
    "ul",
    { class: "field-errors", "aria-label": "Validation errors" },
    ...errors.map(({ path, message }) =>
      h("li", {}, h("code", {}, path.join(".") || "body"), " ", message),
    ),
  );

const renderRequest = (request: RequestView): HTMLElement => {
  const { method, path, endpoint, status, durationMs, query, headers, body, at } = request;
  const { errors, failure } = request;
  const template = endpoint?.split(" ")[1] ?? path;
  const hasQuery = Object.keys(query).length > 0;
  return h(
    "li",
    { class: "request" },
    h(
      "details",
      {},
      h(
        "summary",
        {},
        h("span", { class: "method" }, method),
        h("span", { class: "path" }, template),
        h(
          "span",
          { class: "outcome" },
          failure !== undefined && h("span", { class: "badge fallback" }, `armed: ${failure}`),
          h(
            "span",
            { class: `status ${statusClass(status)}` },
            status === 0 ? "no response" : String(status),
          ),
        ),
        h("span", { class: "duration" }, `${Math.round(durationMs)} ms`),
        h("time", { datetime: at }, toTime(at)),
      ),
      h(
        "div",
        { class: "request-body" },
        path !== template && block("Path", path),
        hasQuery && block("Query", query),
        body !== undefined && block("Body", body),
        block("Headers", headers),
      ),
    ),
    errors.length > 0 && renderErrors(request),
  );
};

/** Creates the panel of requests, newest first, with the body on demand. */
export const createRequests = (): View => {
  const list = h("ol", { class: "requests", "aria-label": "Requests" });
  const empty = emptyState(
    "requests",
    "No requests yet",
    "Requests of the application to either API appear here. Credentials are replaced.",
  );
  return {
    element: panel("Requests", "Requests of the application, newest first.", list, empty),
    update: ({ requests }) => {
      syncList(list, requests.toReversed(), ({ id }) => String(id), renderRequest);
      empty.hidden = requests.length > 0;
      list.hidden = requests.length === 0;
    },
  };
};
