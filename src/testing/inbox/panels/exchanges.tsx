import type { ComponentChildren, VNode } from "preact";
import type { RecordedRequest, Webhook } from "../../control/schemas.ts";
import { toTime } from "../model/format.ts";
import type { ModelProps } from "../model/model.ts";
import { EmptyState, Panel } from "../parts/parts.tsx";

/** Returns the class that colors a status; 0 stands for no response. */
const statusClass = (status: number): string =>
  status === 0 || status >= 500 ? "bad" : status >= 400 ? "warn" : "good";

const toJson = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value, undefined, 2);

const Block = ({ title, value }: { readonly title: string; readonly value: unknown }) => (
  <div class="stack">
    <p class="hint">{title}</p>
    <pre tabIndex={0} role="group" aria-label={title}>
      {toJson(value)}
    </pre>
  </div>
);

interface ExchangeProps {
  readonly method: string;
  readonly path: string;
  readonly at: string;
  readonly outcome: ComponentChildren;
  readonly children: ComponentChildren;
}

const Exchange = ({ method, path, at, outcome, children }: ExchangeProps) => (
  <details>
    <summary>
      <span class="badge">{method}</span>
      <code>{path}</code>
      {outcome}
      <time class="hint" dateTime={at}>
        {toTime(at)}
      </time>
    </summary>
    <div class="request-body stack">{children}</div>
  </details>
);

const FieldErrors = ({ errors }: Pick<RecordedRequest, "errors">) => (
  <ul class="field-errors stack hint" aria-label="Validation errors">
    {errors.map(({ path, message }) => (
      <li key={path.join(".") + message}>
        <code class="badge bad">{path.join(".") || "body"}</code> {message}
      </li>
    ))}
  </ul>
);

const Request = ({ request }: { readonly request: RecordedRequest }) => {
  const { method, path, endpoint, status, durationMs, query, headers, body, at, errors, failure } =
    request;
  const outcome = (
    <>
      <span class="row">
        {failure !== undefined && <span class="badge warn">armed: {failure}</span>}
        <span class={`badge ${statusClass(status)}`}>
          {status === 0 ? "no response" : String(status)}
        </span>
      </span>
      <span class="hint">{Math.round(durationMs)} ms</span>
    </>
  );
  return (
    <li class="request">
      <Exchange method={method} path={path} at={at} outcome={outcome}>
        {endpoint?.includes("{") && <Block title="Endpoint" value={endpoint} />}
        {Object.keys(query).length > 0 && <Block title="Query" value={query} />}
        {body !== undefined && <Block title="Body" value={body} />}
        <Block title="Headers" value={headers} />
      </Exchange>
      {errors.length > 0 && <FieldErrors errors={errors} />}
    </li>
  );
};

const Delivery = ({ webhook }: { readonly webhook: Webhook }) => {
  const { event, url, status, body, response, error, at, transactionId } = webhook;
  const isWaiting = status === undefined && error === undefined;
  const outcome = (
    <span class={`badge ${isWaiting ? "" : statusClass(status ?? 0)}`}>
      {isWaiting ? "pending" : String(status ?? "no response")}
    </span>
  );
  return (
    <li class="request webhook">
      <Exchange method={event} path={url} at={at} outcome={outcome}>
        <Block title="Transaction ID" value={transactionId} />
        <Block title="Sent" value={body} />
        {response !== undefined && <Block title="Response" value={response} />}
        {error !== undefined && <Block title="Problem" value={error} />}
      </Exchange>
    </li>
  );
};

interface ExchangesProps<Item> {
  readonly title: "Requests" | "Webhooks";
  readonly purpose: string;
  /** Items, oldest first. */
  readonly items: readonly Item[];
  readonly toLine: (item: Item) => VNode;
  readonly empty: string;
}

const Exchanges = <Item,>({ title, purpose, items, toLine, empty }: ExchangesProps<Item>) => {
  const name = title.toLowerCase() as Lowercase<typeof title>;
  return (
    <Panel title={title} purpose={purpose}>
      <ol class="requests box" aria-label={title} hidden={items.length === 0}>
        {items.toReversed().map(toLine)}
      </ol>
      {items.length === 0 && <EmptyState icon={name} title={`No ${name} yet`} text={empty} />}
    </Panel>
  );
};

export const Requests = ({ model: { requests } }: ModelProps) => (
  <Exchanges
    title="Requests"
    purpose="Requests from your application, newest first."
    items={requests}
    toLine={(request) => <Request key={request.id} request={request} />}
    empty="Your application's requests to either API appear here, without their credentials."
  />
);

export const Webhooks = ({ model: { webhooks } }: ModelProps) => (
  <Exchanges
    title="Webhooks"
    purpose="Webhooks that the fake sent to your application, newest first."
    items={webhooks}
    toLine={(webhook) => <Delivery key={webhook.id} webhook={webhook} />}
    empty="The payload of webhooks is not documented, so the fake sends no webhooks until you define it with the option webhooks or the command's flag --webhooks <file>."
  />
);
