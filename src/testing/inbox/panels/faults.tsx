import { cloneElement, type VNode } from "preact";
import { useState } from "preact/hooks";
import type { ArmedFailure, FaultInput, FieldProblem } from "../../control/schemas.ts";
import { faultTable } from "../../fake/fault-table.ts";
import { api, problemsOf } from "../model/control-calls.ts";
import { plural, toNational } from "../model/format.ts";
import type { ModelProps } from "../model/model.ts";
import { Button, EmptyState, Icon, Panel } from "../parts/parts.tsx";

const STATUSES = [400, 401, 403, 404, 408, 422, 429, 500, 502, 503, 504];

const FIELDS = ["endpoint", "fault", "status", "delayMs", "times", "phone", "share"] as const;

type FieldName = (typeof FIELDS)[number];

interface FieldProps {
  readonly name: FieldName;
  readonly label: string;
  readonly problems: readonly FieldProblem[];
  /** The control, without the attributes that connect it to its label and problem. */
  readonly children: VNode;
}

const Field = ({ name, label, problems, children }: FieldProps) => {
  const problem = problems.find(({ path }) => path[0] === name)?.message ?? "";
  const described = {
    id: name,
    name,
    "aria-describedby": `${name}-problem`,
    "aria-invalid": problem === "" ? undefined : true,
  };
  return (
    <div class="stack">
      <label for={name}>{label}</label>
      {cloneElement(children, described)}
      <p class="problem" id={`${name}-problem`}>
        {problem}
      </p>
    </div>
  );
};

/** Numeric fields, with the divisor that converts what was typed to the value. The share is typed in percent. */
const UNITS: Readonly<Record<string, number>> = { status: 1, delayMs: 1, times: 1, share: 100 };

/** Reads the form. Empty fields are omitted, so their defaults apply. */
const readForm = (form: HTMLFormElement): FaultInput => {
  const fields = [...new FormData(form)].flatMap(([name, value]) => {
    const text = String(value).trim();
    const unit = UNITS[name];
    return text === "" ? [] : [[name, unit === undefined ? text : Number(text) / unit]];
  });
  return Object.fromEntries(fields);
};

const FaultForm = ({ endpoints }: { readonly endpoints: readonly string[] }) => {
  const [fault, setFault] = useState("");
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const field = (name: FieldName, label: string) => ({ name, label, problems });
  const [general] = problems.filter(({ path }) => !FIELDS.some((name) => name === path[0]));
  return (
    <form
      class="card box stack"
      noValidate
      onSubmit={async (event) => {
        event.preventDefault();
        const fields = readForm(event.currentTarget);
        setProblems(await problemsOf(() => api.arm(fields)));
      }}
    >
      <Field {...field("endpoint", "Requests to")}>
        <select>
          <option value="">any endpoint</option>
          {endpoints.map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </Field>
      <Field {...field("fault", "What happens")}>
        <select onChange={({ currentTarget }) => setFault(currentTarget.value)}>
          <option value="">responds with an error status</option>
          {Object.entries(faultTable).map(([name, { does }]) => (
            <option key={name} value={name}>
              {`${name}: ${does}`}
            </option>
          ))}
        </select>
      </Field>
      {fault === "" && (
        <Field {...field("status", "Status")}>
          <select>
            {STATUSES.map((code) => (
              <option key={code} value={code} selected={code === 503}>
                {code}
              </option>
            ))}
          </select>
        </Field>
      )}
      {fault === "slow" && (
        <Field {...field("delayMs", "Delay in milliseconds")}>
          <input type="number" defaultValue="1000" min={0} step={100} />
        </Field>
      )}
      <Field {...field("times", "How many requests")}>
        <input type="number" defaultValue="1" min={1} />
      </Field>
      <div class="pair">
        <Field {...field("phone", "Only this phone number")}>
          <input type="tel" autoComplete="off" placeholder="any" />
        </Field>
        <Field {...field("share", "Share in percent")}>
          <input type="number" min={1} max={100} placeholder="100" />
        </Field>
      </div>
      <p class="problem" role="alert">
        {general?.message}
      </p>
      <button type="submit" class="button primary">
        <Icon name="faults" />
        Arm
      </button>
    </form>
  );
};

const Armed = ({ failure }: { readonly failure: ArmedFailure }) => {
  const { id, fault, status, endpoint, timesLeft, phone, share } = failure;
  const name = fault ?? String(status ?? "refuse");
  const scope = [
    fault && faultTable[fault].does,
    timesLeft === null ? "until disarmed" : plural(timesLeft, "more request"),
    phone && `only ${toNational(phone)}`,
    share && `${Math.round(share * 100)}% of requests`,
  ];
  return (
    <li class="armed box row apart">
      <div class="tags">
        <span class="badge bad">{name}</span>
        <code>{endpoint ?? "any endpoint"}</code>
        <span class="hint">{scope.filter(Boolean).join(" · ")}</span>
      </div>
      <Button aria-label={`Disarm ${name}`} onClick={() => api.disarm(id)}>
        Disarm
      </Button>
    </li>
  );
};

export const Faults = ({ model: { state } }: ModelProps) => (
  <Panel title="Faults" purpose="Make the next requests from your application fail.">
    <div class="columns">
      <FaultForm endpoints={state.endpoints} />
      <div class="stack">
        <div class="row apart">
          <h3>Armed</h3>
          <Button disabled={state.faults.length === 0} onClick={() => api.disarm()}>
            Disarm all
          </Button>
        </div>
        <ul class="armed-list stack" aria-label="Armed faults">
          {state.faults.map((failure) => (
            <Armed key={failure.id} failure={failure} />
          ))}
        </ul>
        {state.faults.length === 0 && (
          <EmptyState
            icon="faults"
            title="Nothing is armed"
            text="Requests are handled as documented."
          />
        )}
      </div>
    </div>
  </Panel>
);
