import type { FakeResponse } from "./exchange.ts";

interface FaultEntry {
  /** Words that complete "The service …". */
  readonly does: string;
  /** Builds the response; `respond` carries the request out. */
  readonly meet: (respond: () => FakeResponse, delayMs: number) => FakeResponse;
}

const HTML = "<!doctype html><title>Maintenance</title><h1>We will be back soon</h1>";

/** Fields that the clients require; the `drift` fault never changes them. */
const REQUIRED_FIELDS = ["status", "transactionId", "opt_in_type"];

/** Changes the first string of a value, at any depth, to a number. */
const drift = (value: unknown, progress = { isDone: false }): unknown => {
  if (typeof value === "string" && !progress.isDone) {
    progress.isDone = true;
    return 42;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => drift(item, progress));
  const fields = Object.entries(value).map(([key, field]) => [
    key,
    REQUIRED_FIELDS.includes(key) ? field : drift(field, progress),
  ]);
  return Object.fromEntries(fields);
};

const withBody = (
  response: FakeResponse,
  change: (body: Record<string, unknown>) => unknown,
): FakeResponse => ({ ...response, body: JSON.stringify(change(JSON.parse(response.body))) });

const NOTHING = { status: 0, headers: {}, body: "" };

/** Faults that a fake service can simulate. The inbox shows the same table. */
export const faultTable = {
  network: {
    does: "breaks the connection before it reads the request, which is not recorded",
    meet: () => ({ ...NOTHING, arrives: "breaks" }),
  },
  hang: {
    does: "never responds, does nothing",
    meet: () => ({ ...NOTHING, arrives: "never" }),
  },
  stalled_body: {
    does: "does it, then stalls in the middle of the response",
    meet: (respond) => ({ ...respond(), arrives: "stalls" }),
  },
  truncated: {
    does: "does it, then cuts off the JSON of the response",
    meet: (respond) => {
      const whole = respond();
      return { ...whole, body: whole.body.slice(0, Math.floor(whole.body.length / 2)) };
    },
  },
  html: {
    does: "responds with a 200 and an HTML page, does nothing",
    meet: () => ({ status: 200, headers: { "content-type": "text/html" }, body: HTML }),
  },
  dropped: {
    does: "does it, then breaks the connection",
    meet: (respond) => ({ ...respond(), arrives: "breaks" }),
  },
  slow: {
    does: "does it, then responds after `delayMs` of real time",
    meet: (respond, delayMs) => ({ ...respond(), delayMs }),
  },
  wrong_page: {
    does: "responds with the requested items under the number of the next page",
    meet: (respond) =>
      withBody(respond(), ({ page, pages_count, ...rest }) => ({
        ...rest,
        page: Number(page) + 1,
        pages_count: Number(pages_count) + 1,
      })),
  },
  drift: {
    does: "does it, then responds with a field of an undocumented type",
    meet: (respond) => withBody(respond(), (whole) => drift(whole)),
  },
} as const satisfies Readonly<Record<string, FaultEntry>>;

/**
 * Fault that a request can meet.
 *
 * - `network`: the connection breaks before the service reads the request. The request is not recorded.
 * - `hang`: no response ever comes; nothing was done.
 * - `stalled_body`: the request is carried out; only the beginning of the response's body arrives.
 * - `truncated`: the request is carried out; the JSON of the response breaks off.
 * - `html`: the response is a 200 with an HTML page; nothing was done.
 * - `dropped`: the request is carried out; then the connection breaks.
 * - `slow`: the request is carried out; the response arrives after `delayMs` of real time.
 * - `wrong_page`: the response holds the requested items under the number of the next page.
 * - `drift`: the request is carried out; a field of the response has an undocumented type.
 */
export type Fault = keyof typeof faultTable;

export const faults = Object.keys(faultTable) as readonly Fault[];
