// The table of docs/guides/errors.md and the examples convert errors to the same HTTP statuses.
import { readFileSync } from "node:fs";
import {
  type AnyMessagingServiceError,
  LedgerError,
  RecipientError,
} from "messaging-service-client";
import { expect, test } from "vitest";
import { retryAfterOf, statusOf } from "../../examples/web/status-of.ts";
import { toCallError } from "../../src/core/errors.ts";
import { ROOT, readPage } from "./pages.ts";

const ROW =
  /^\| ((?:`"\w+"`(?:, )?)+) \| (`false`, with[^|]*|`true` or `false`|`true`|`false`) \|[^|]*\| (\d{3})/gm;
const rows = [...readPage("docs/guides/errors.md").matchAll(ROW)].flatMap(
  ([, outcomes = "", condition = "", status = ""]) =>
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
  [409, "was not asked, because its message changed", new LedgerError("changed")],
] as const)("the status is %i if allowRecipient %s", (status, _, error) => {
  expect(statusOf(error)).toBe(status);
});

/** Examples that respond to HTTP requests. */
const EXAMPLES = [
  ...["with-packages/web-form", "with-packages/order-ready", "browser/server"],
  ...["express", "fastify", "hono", "next-route", "worker", "lambda"].map((name) => `web/${name}`),
];

test("the examples of web services take their statuses from one function", () => {
  for (const example of EXAMPLES) {
    const code = readFileSync(`${ROOT}examples/${example}.ts`, "utf8");
    expect(code, example).toMatch(/\bstatusOf\(\w+\)/);
    expect(code, example).not.toMatch(/\b(422|50[0234])\b/);
  }
});
