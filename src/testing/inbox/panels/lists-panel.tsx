import type { ListView } from "../../control/schemas.ts";
import { plural, toNational, toProgress } from "../model/format.ts";
import type { ModelProps } from "../model/model.ts";
import { toFragment } from "../model/route.ts";
import { EmptyState, Panel } from "../parts/parts.tsx";

const Count = ({ name, value }: { readonly name: string; readonly value: number }) => (
  <div>
    <dt class="hint">{name}</dt>
    <dd>{value}</dd>
  </div>
);

const Step = ({ step }: { readonly step: ListView["opt_in_requests"][number] }) => (
  <li>
    <p class="text">{step.request_message}</p>
    <p class="meta tags">
      <span>
        collects <code>{step.collected_data}</code>
      </span>
      <span>
        then <code>{step.success_action ?? "nothing"}</code>
      </span>
      {step.follow_up && <span>reminder after {plural(step.follow_up_hour ?? 0, "hour")}</span>}
    </p>
  </li>
);

const Card = ({ list, model }: ModelProps & { readonly list: ListView }) => {
  const { phones, clock } = model.state;
  const steps = list.opt_in_requests;
  // Phones whose reply a step waits for.
  const asked = phones.flatMap(({ phoneNumber: phone, optIns }) =>
    optIns
      .filter(({ list_id, state }) => list_id === list.id && state === "asked")
      .map((optIn) => ({ phone, progress: toProgress(optIn, steps.length, clock.now) })),
  );
  return (
    <li class="card box stack">
      <div class="tags">
        <h3>{list.name}</h3>
        <span class="hint">ID {list.id}</span>
        <span class="badge">{list.opt_in_type} opt-in</span>
        {list.deleted && <span class="badge bad">deleted</span>}
      </div>
      {list.keyword_names.length > 0 ? (
        <ul class="tags" aria-label="Keywords">
          {list.keyword_names.map((keyword) => (
            <li key={keyword}>
              <code class="badge">{keyword}</code>
            </li>
          ))}
        </ul>
      ) : (
        <p class="hint">No keywords</p>
      )}
      <dl class="counts row apart">
        <Count name="Subscribed" value={list.counts.subscribers} />
        <Count name="Unsubscribed" value={list.counts.unsubscribed} />
        <Count name="Cleaned" value={list.counts.cleaned} />
      </dl>
      {steps.length > 0 && (
        <details>
          <summary class="hint">{plural(steps.length, "opt-in step")}</summary>
          <ol class="steps stack">
            {steps.map((step) => (
              <Step key={step.id} step={step} />
            ))}
          </ol>
        </details>
      )}
      {asked.length > 0 && (
        <>
          <h4 class="hint">Double opt-ins in progress</h4>
          <ul class="hint">
            {asked.map(({ phone, progress }) => (
              <li key={phone}>
                <a href={toFragment("conversations", phone)}>{toNational(phone)}</a> {progress}
              </li>
            ))}
          </ul>
        </>
      )}
    </li>
  );
};

export const Lists = ({ model }: ModelProps) => {
  const { lists } = model.state;
  return (
    <Panel
      title="Lists"
      purpose="Lists of every account, with their keywords, counts and opt-ins in progress."
    >
      <ul class="cards">
        {lists.map((list) => (
          <Card key={list.id} list={list} model={model} />
        ))}
      </ul>
      {lists.length === 0 && (
        <EmptyState
          icon="lists"
          title="No lists"
          text="Lists that your application creates appear here."
        />
      )}
    </Panel>
  );
};
