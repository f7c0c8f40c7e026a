// The tables of docs/guides/web-services.md and the examples convert errors to the same HTTP statuses.
import { readFileSync } from "node:fs";
import {
  type AnyMessagingServiceError,
  LedgerError,
  RecipientError,
  ValidationError,
} from "messaging-service-client";
import { expect, test } from "vitest";
import { responseTo, retryAfterOf, statusOf } from "../../examples/web/status-of.ts";
import { toCallError } from "../../src/core/errors.ts";
import { ROOT, readPage } from "./pages.ts";

const ROW =
  /^\| ((?:`"\w+"`(?:, )?)+) \| (`false`, with[^|]*|`true` or `false`|`true`|`false`) \| (\d{3})/gm;
const PAGE = readPage("docs/guides/web-services.md");
const rows = [...PAGE.matchAll(ROW)].flatMap(([, outcomes = "", condition = "", status = ""]) =>
  [...outcomes.matchAll(/\w+/g)].flatMap(([outcome]) =>
    [true, false]
      .filter((isTransient) => condition.includes(`\`${isTransient}\``))
      .map((isTransient) => {
        const [code = "api", reason] = [...condition.matchAll(/`"(\w+)"`/g)].map(
          ([, word]) => word,
        );
        return { outcome, isTransient, code, reason, status: Number(status) };
      }),
  ),
);

test("the table of outcomes has a row for each outcome", () => {
  expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(
    new Set(["not_sent", "rejected", "unknown", "done"]),
  );
  expect(rows).toHaveLength(10);
});

test.each(rows)(
  "the examples map the outcome $outcome, isTransient $isTransient, code $code to the status $status",
  ({ status, ...fields }) => {
    const error = fields as unknown as AnyMessagingServiceError;
    expect(statusOf(error)).toBe(status);
    expect("retry-after" in retryAfterOf(error)).toBe(status === 503);
  },
);

test.each([
  [403, "refused the phone", new RecipientError("refused")],
  [
    503,
    "failed",
    new RecipientError("failed", { cause: new Error("the table of opt-outs is gone") }),
  ],
  [
    502,
    "refused the second attempt",
    toCallError(new RecipientError("refused"), {
      endpoint: "POST /any",
      previousOutcome: "unknown",
    }),
  ],
] as const)("the status is %i if allowRecipient %s", (status, _, error) => {
  expect(statusOf(error)).toBe(status);
});

/** Rows of the table of ledger errors: reason, status and whether `Retry-After` is sent. */
const LEDGER_ROWS = [...PAGE.matchAll(/^\| `(\w+)` \| (\d{3})(, with `Retry-After`)? \|/gm)].map(
  ([, reason, status, retry]) => ({ reason, status: Number(status), retries: retry !== undefined }),
);

test("the status of each reason of a LedgerError is that of the guide", () => {
  expect(LEDGER_ROWS).toHaveLength(4);
  for (const { reason, status, retries } of LEDGER_ROWS) {
    const error = new LedgerError(reason as LedgerError["reason"]);
    expect([reason, statusOf(error)]).toEqual([reason, status]);
    expect([reason, "retry-after" in retryAfterOf(error)]).toEqual([reason, retries]);
  }
  expect(statusOf(new LedgerError("unavailable"))).toBe(503);
  const afterAttempt = toCallError(new LedgerError("unavailable"), {
    endpoint: "POST /any",
    previousOutcome: "unknown",
  });
  expect(statusOf(afterAttempt)).toBe(502);
});

test("the response to an error shows fields and no reason of the service, and other errors have none", () => {
  const error = new ValidationError([
    { code: "custom", path: ["phoneNumber"], message: "is blocked" },
  ]);
  expect(responseTo(error)).toMatchObject({ status: 422, body: { errors: error.errors } });
  expect(responseTo(new RecipientError("refused"))?.body).toEqual({
    code: "recipient",
    outcome: "not_sent",
  });
  expect(responseTo(new TypeError("a mistake"))).toBeUndefined();
});

/** Examples that respond to HTTP requests. */
const EXAMPLES = [
  ...["with-packages/web-form", "with-packages/order-ready", "browser/server"],
  ...["express", "koa", "fastify", "h3", "hono", "next-route", "worker", "lambda"].map(
    (name) => `web/${name}`,
  ),
];

test("the examples of web services take their statuses from one function", () => {
  for (const example of EXAMPLES) {
    const code = readFileSync(`${ROOT}examples/${example}.ts`, "utf8");
    expect(code, example).toMatch(/\b(statusOf|responseTo)\(\w+\)/);
    expect(code, example).not.toMatch(/\b(422|50[0234])\b/);
  }
});
