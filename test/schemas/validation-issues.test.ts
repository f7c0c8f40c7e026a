import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  accountSchema,
  optInSettingsSchema,
  rcsTextMessageSchema,
} from "../../src/schemas/index.ts";
import { toValidationIssues } from "../../src/schemas/validation-issues.ts";

const SHAPE = [
  "code",
  "exact",
  "inclusive",
  "maximum",
  "message",
  "minimum",
  "path",
  "reason",
  "type",
  "validation",
];

const issuesOf = (schema: z.ZodMiniType, value: unknown) =>
  toValidationIssues(z.safeParse(schema, value).error?.issues ?? []);

describe("an issue of zod", () => {
  test.each<[what: string, schema: z.ZodMiniType, value: unknown, expected: object]>([
    [
      "a type",
      z.string("text please"),
      5,
      { code: "invalid_type", type: "string", message: "text please", path: [] },
    ],
    [
      "a text that is too long",
      z.string().check(z.maxLength(2, "too long")),
      "abc",
      {
        code: "too_big",
        type: "string",
        maximum: 2,
        inclusive: true,
        exact: false,
        message: "too long",
        path: [],
      },
    ],
    [
      "a text of the wrong length",
      z.string().check(z.length(2, "two please")),
      "a",
      {
        code: "too_small",
        type: "string",
        minimum: 2,
        inclusive: true,
        exact: true,
        message: "two please",
        path: [],
      },
    ],
    [
      "a number that is too small",
      z.number().check(z.gt(1, "more please")),
      1,
      {
        code: "too_small",
        type: "number",
        minimum: 1,
        inclusive: false,
        exact: false,
        message: "more please",
        path: [],
      },
    ],
    [
      "a format",
      z.string().check(z.regex(/^a/, "an a please")),
      "b",
      { code: "invalid_string", validation: "regex", message: "an a please", path: [] },
    ],
    [
      "a value outside a set",
      z.enum(["a", "b"], "a or b"),
      "c",
      { code: "invalid_enum_value", message: "a or b", path: [] },
    ],
    [
      "unknown keys",
      z.strictObject({}, "nothing please"),
      { a: 1 },
      { code: "unrecognized_keys", message: "nothing please", path: [] },
    ],
    [
      "a custom rule",
      z.string().check(z.refine(() => false, "never")),
      "a",
      { code: "custom", message: "never", path: [] },
    ],
  ])(
    "an issue of zod about %s is converted to the documented shape",
    (_, schema, value, expected) => {
      expect(issuesOf(schema, value)).toEqual([expected]);
    },
  );

  test.each<[value: unknown, expected: object]>([
    [1.5, { code: "invalid_type", type: "integer" }],
    [2 ** 53, { code: "too_big", type: "number", maximum: Number.MAX_SAFE_INTEGER }],
    [-(2 ** 53), { code: "too_small", type: "number", minimum: Number.MIN_SAFE_INTEGER }],
  ])("an issue about the id %d has the types of zod 3", (id, expected) => {
    const account = { id, email: "owner@example.com", username: "owner" };
    expect(issuesOf(accountSchema, account)).toMatchObject([{ ...expected, path: ["id"] }]);
  });

  test("an issue about a discriminator outside its set has the code of zod 3", () => {
    expect(issuesOf(optInSettingsSchema, { opt_in_type: "triple" })).toMatchObject([
      { code: "invalid_union_discriminator", path: ["opt_in_type"] },
    ]);
  });
});

describe("paths of issues", () => {
  const schema = z.object({ items: z.array(z.object({ name: z.string() })) });

  test("the path of an issue leads to the field by keys and indexes, after the prefix", () => {
    const { error } = z.safeParse(schema, { items: [{ name: "a" }, { name: 5 }] });
    const issues = error?.issues ?? [];
    expect(toValidationIssues(issues)[0]?.path).toEqual(["items", 1, "name"]);
    expect(toValidationIssues(issues, ["list", 0])[0]?.path).toEqual([
      "list",
      0,
      "items",
      1,
      "name",
    ]);
  });

  test("the path of an issue contains only strings and numbers", () => {
    const key = Symbol("key");
    const symbols = z.object({}).check(z.refine(() => false, { path: [key], error: "no" }));
    expect(issuesOf(symbols, {})[0]?.path).toEqual(["Symbol(key)"]);
  });
});

test("an issue has neither undocumented fields nor the value itself", () => {
  const secret = "sesame-1f9c";
  const issues = [
    ...issuesOf(accountSchema, { id: secret, email: [secret], username: { secret } }),
    ...issuesOf(optInSettingsSchema, {
      opt_in_type: "double",
      bypass_opt_in_response: secret,
      opt_in_requests: [
        { collected_data: secret, success_action: secret, follow_up: secret },
        secret,
      ],
    }),
    ...issuesOf(optInSettingsSchema, { opt_in_type: secret }),
    ...issuesOf(rcsTextMessageSchema, {
      phoneNumber: secret,
      webhookUrl: `http://${secret}.example.com/${secret.repeat(30)}`,
      smsFailover: `${secret} `.repeat(20),
      rcsPayload: { text: secret.repeat(500), [secret]: secret },
    }),
  ];
  expect(issues.length).toBeGreaterThanOrEqual(12);
  for (const issue of issues) {
    expect(SHAPE).toEqual(expect.arrayContaining(Object.keys(issue)));
    expect(JSON.stringify(issue)).not.toContain(secret);
  }
});

test("the time to convert thousands of issues is proportional to their number", () => {
  const steps = (count: number) => ({
    opt_in_type: "double",
    opt_in_requests: Array.from({ length: count }, () => ({ follow_up: 5, retry_message: 5 })),
  });
  const { error } = z.safeParse(optInSettingsSchema, steps(5_000));
  const start = performance.now();
  expect(toValidationIssues(error?.issues ?? [], ["settings"])).toHaveLength(15_000);
  // Conversion in quadratic time would take minutes.
  expect(performance.now() - start).toBeLessThan(5_000);
}, 60_000);
