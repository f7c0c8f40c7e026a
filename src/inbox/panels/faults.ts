import type { ArmedFailure, FaultInput } from "../../testing/control/schemas.ts";
import { type Attributes, h, setText } from "../dom/element.ts";
import { icon } from "../dom/icon.ts";
import { emptyState, panel } from "../dom/parts.ts";
import { syncList } from "../dom/sync-list.ts";
import { api, ControlApiError } from "../model/api.ts";
import { plural, toNational } from "../model/format.ts";
import type { View } from "../model/model.ts";

type EndpointName = NonNullable<FaultInput["endpoint"]>;
type FaultName = NonNullable<FaultInput["fault"]>;

/** Descriptions that complete "The service …". */
const FAULTS: Readonly<Record<FaultName | "status", string>> = {
  status: "responds with an error status",
  network: "breaks the connection, does nothing",
  hang: "never responds, does nothing",
  dropped: "does it, then breaks the connection",
  stalled_body: "does it, then stalls the response",
  truncated: "does it, then cuts off the response",
  html: "responds with an HTML page, does nothing",
  slow: "does it, then responds late",
  wrong_page: "responds with the wrong page number",
  drift: "responds with a field of the wrong type",
};

const STATUSES = [400, 401, 403, 404, 408, 422, 429, 500, 502, 503, 504];

const labelled = (id: string, label: string, control: HTMLElement): HTMLElement => {
  control.id = id;
  control.setAttribute("aria-describedby", `${id}-problem`);
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, label),
    control,
    h("p", { class: "problem", id: `${id}-problem` }),
  );
};

const numberField = (attributes: Attributes) => h("input", { type: "number", ...attributes });

const renderFault = (fault: ArmedFailure): HTMLElement => {
  const scope = [
    fault.fault && FAULTS[fault.fault],
    fault.timesLeft === null ? "until disarmed" : plural(fault.timesLeft, "more request"),
    fault.phone && `only ${toNational(fault.phone)}`,
    fault.share && `${Math.round(fault.share * 100)} % of them`,
  ];
  return h(
    "li",
    { class: "armed" },
    h(
      "div",
      {},
      h("span", { class: "status bad" }, fault.fault ?? String(fault.status)),
      h("code", {}, fault.endpoint ?? "any endpoint"),
      h("span", { class: "hint" }, scope.filter(Boolean).join(" · ")),
    ),
    h(
      "button",
      {
        type: "button",
        class: "button small",
        "aria-label": `Disarm ${fault.fault ?? fault.status}`,
        onclick: () => void api.disarm(fault.id),
      },
      "Disarm",
    ),
  );
};

/** Creates the panel that makes the service fail: a form, and the armed faults. */
export const createFaults = (): View => {
  const endpoint = h("select");
  const fault = h(
    "select",
    { onchange: () => showFields() },
    ...Object.entries(FAULTS).map(([name, words]) =>
      h("option", { value: name }, name === "status" ? words : `${name}: ${words}`),
    ),
  );
  const status = h(
    "select",
    {},
    ...STATUSES.map((code) => h("option", { value: code, selected: code === 503 }, code)),
  );
  const delayMs = numberField({ value: 1000, min: 0, step: 100 });
  const times = numberField({ value: 1, min: 1 });
  const phone = h("input", { type: "tel", autocomplete: "off", placeholder: "any" });
  const share = numberField({ min: 1, max: 100, placeholder: "100" });
  const statusField = labelled("status", "Status", status);
  const delayField = labelled("delayMs", "Delay in milliseconds", delayMs);
  const problem = h("p", { class: "problem", role: "alert" });
  const showFields = (): void => {
    statusField.hidden = fault.value !== "status";
    delayField.hidden = fault.value !== "slow";
  };
  const arm = async (): Promise<void> => {
    const input: FaultInput = {
      ...(times.value === "" ? {} : { times: Number(times.value) }),
      ...(phone.value.trim() === "" ? {} : { phone: phone.value }),
      ...(share.value === "" ? {} : { share: Number(share.value) / 100 }),
      ...(endpoint.value === "" ? {} : { endpoint: endpoint.value as EndpointName }),
      ...(fault.value === "status"
        ? { status: Number(status.value) }
        : { fault: fault.value as FaultName }),
      ...(fault.value === "slow" ? { delayMs: Number(delayMs.value) } : {}),
    };
    const found = await api.arm(input).then(
      () => [],
      (error: unknown) => {
        if (!(error instanceof ControlApiError)) throw error;
        return error.problems.length > 0 ? error.problems : [{ path: [], message: error.message }];
      },
    );
    for (const slot of form.querySelectorAll(".field .problem")) setText(slot, "");
    for (const control of form.querySelectorAll("[aria-invalid]")) {
      control.removeAttribute("aria-invalid");
    }
    setText(problem, "");
    for (const { path, message } of found) {
      const control = form.querySelector(`#${String(path[0])}`);
      control?.setAttribute("aria-invalid", "true");
      const slot = form.querySelector(`#${String(path[0])}-problem`);
      setText(slot ?? problem, message);
    }
  };
  const form = h(
    "form",
    {
      class: "card fault-form",
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        void arm();
      },
    },
    labelled("endpoint", "Requests to", endpoint),
    labelled("fault", "What happens", fault),
    statusField,
    delayField,
    labelled("times", "How many requests", times),
    h(
      "div",
      { class: "pair" },
      labelled("phone", "Only this phone", phone),
      labelled("share", "Share in percent", share),
    ),
    problem,
    h("button", { class: "button primary" }, icon("faults"), "Arm"),
  );
  showFields();
  const armed = h("ul", { class: "armed-list", "aria-label": "Armed faults" });
  const empty = emptyState("faults", "Nothing is armed", "Requests are handled as documented.");
  const disarm = h(
    "button",
    { type: "button", class: "button", onclick: () => void api.disarm() },
    "Disarm all",
  );
  const element = panel(
    "Faults",
    "Make the next requests of the application fail.",
    h(
      "div",
      { class: "columns" },
      form,
      h("div", {}, h("div", { class: "row" }, h("h3", {}, "Armed"), disarm), armed, empty),
    ),
  );
  return {
    element,
    update: ({ state }) => {
      syncList(
        endpoint,
        ["", ...state.endpoints],
        (id) => id,
        (id) => h("option", { value: id }, id === "" ? "any endpoint" : id),
      );
      syncList(armed, state.faults, ({ id }) => String(id), renderFault);
      empty.hidden = state.faults.length > 0;
      disarm.disabled = state.faults.length === 0;
    },
  };
};
