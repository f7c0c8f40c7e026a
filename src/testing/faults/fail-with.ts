import type { FakeResponse } from "../exchange/fake-response.ts";
import type { FailureEffect } from "./failure.ts";

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

/** Builds the response to a request that meets a failure; `respond` carries the request out. */
export const failWith = (
  { fault, delayMs = 1000, status = 0, headers, body }: FailureEffect,
  errorResponse: (status: number, error: string) => FakeResponse,
  respond: () => FakeResponse,
): FakeResponse => {
  switch (fault) {
    case undefined: {
      if (typeof body === "string") return { status, headers: { ...headers }, body };
      const planned = errorResponse(status, `Planned failure ${status}`);
      return {
        status,
        headers: { ...planned.headers, ...headers },
        body: body === undefined ? planned.body : JSON.stringify(body),
      };
    }
    case "network":
      return { status: 0, headers: {}, body: "", arrives: "breaks" };
    case "hang":
      return { status: 0, headers: {}, body: "", arrives: "never" };
    case "html":
      return { status: 200, headers: { "content-type": "text/html" }, body: HTML };
    case "dropped":
      return { ...respond(), arrives: "breaks" };
    case "stalled_body":
      return { ...respond(), arrives: "stalls" };
    case "slow":
      return { ...respond(), delayMs };
    case "truncated": {
      const whole = respond();
      return { ...whole, body: whole.body.slice(0, Math.floor(whole.body.length / 2)) };
    }
    case "wrong_page":
      return withBody(respond(), ({ page, pages_count, ...rest }) => ({
        ...rest,
        page: Number(page) + 1,
        pages_count: Number(pages_count) + 1,
      }));
    case "drift":
      return withBody(respond(), (whole) => drift(whole));
  }
};
