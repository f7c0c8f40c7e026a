import type { RequiredFields } from "../../core/wire/endpoint.ts";
import type { FakeResponse } from "./exchange.ts";

export interface FaultEntry {
  /** Words that complete "The service …". */
  readonly does: string;
  /** Returns whether the fault fits a request, given the required fields of its endpoint. Default: it fits every request. */
  readonly isFor?: (fields: RequiredFields | undefined) => boolean;
  /** Builds the response; `undefined` if the response has nothing that the fault changes. `respond` processes the request. */
  readonly meet: (respond: () => FakeResponse, delayMs: number) => FakeResponse | undefined;
}

const HTML = "<!doctype html><title>Maintenance</title><h1>We will be back soon</h1>";

/** Fields that the clients require; the `drift` fault never changes them. */
const REQUIRED_FIELDS = ["status", "transactionId", "opt_in_type", "page", "pages_count"];

/** Changes the type of the first string in JSON, at any depth; if it has none, of the first number. */
const drift = (json: string): string | undefined => {
  for (const type of ["string", "number"]) {
    let isDone = false;
    const change = (key: string, value: unknown): unknown => {
      if (isDone || type !== typeof value || REQUIRED_FIELDS.includes(key)) return value;
      isDone = true;
      return type === "number" ? String(value) : 42;
    };
    const drifted = JSON.stringify(JSON.parse(json, change));
    if (isDone) return drifted;
  }
  return undefined;
};

/** Increments the number of a list page. */
const toNextPage = (json: string): string | undefined => {
  const { page, pages_count, ...rest } = JSON.parse(json);
  if (page === undefined) return undefined;
  return JSON.stringify({ ...rest, page: page + 1, pages_count: pages_count + 1 });
};

const withBody = (response: FakeResponse, change: (body: string) => string | undefined) => {
  const body = change(response.body);
  return body === undefined ? undefined : { ...response, body };
};

const NOTHING = { status: 0, headers: {}, body: "" };

/** Faults that a fake service can simulate. The inbox shows the same table. */
export const faultTable = {
  network: {
    does: "neither processes nor records it, and breaks the connection",
    meet: () => ({ ...NOTHING, arrives: "breaks" }),
  },
  hang: {
    does: "neither processes it nor responds",
    meet: () => ({ ...NOTHING, arrives: "never" }),
  },
  stalled_body: {
    does: "processes it, then stalls in the middle of the response",
    meet: (respond) => ({ ...respond(), arrives: "stalls" }),
  },
  truncated: {
    does: "processes it, then cuts off the JSON of the response",
    meet: (respond) => withBody(respond(), (whole) => whole.slice(0, Math.floor(whole.length / 2))),
  },
  html: {
    does: "responds with 200 and an HTML page, without processing it",
    meet: () => ({ status: 200, headers: { "content-type": "text/html" }, body: HTML }),
  },
  dropped: {
    does: "processes it, then breaks the connection",
    meet: (respond) => ({ ...respond(), arrives: "breaks" }),
  },
  slow: {
    does: "processes it, then responds after `delayMs` of real time",
    meet: (respond, delayMs) => ({ ...respond(), delayMs }),
  },
  wrong_page: {
    does: "responds with the requested items under the number of the next page",
    isFor: (fields = {}) => "pages_count" in fields,
    meet: (respond) => withBody(respond(), toNextPage),
  },
  drift: {
    does: "processes it, then responds with a field of an undocumented type",
    isFor: (fields) => fields !== undefined,
    // The clients do not check the fields of an error.
    meet: (respond) => (respond().status < 300 ? withBody(respond(), drift) : undefined),
  },
} as const satisfies Readonly<Record<string, FaultEntry>>;

/** Fault that a request can meet. The guide "Testing" has a table of their effects. */
export type Fault = keyof typeof faultTable;

export const faults = Object.keys(faultTable) as readonly Fault[];
