import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  accountSchema,
  listsQuerySchema,
  optInSettingsSchema,
  rcsTextMessageSchema,
} from "../../../src/core/schemas/index.ts";
import { toValidationIssues } from "../../../src/core/schemas/validation-issues.ts";

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

  test.each([1.5, 2 ** 53, -(2 ** 53)])(
    "an issue about the id %d says that it must be an integer, which it is not or cannot be exactly",
    (id) => {
      const account = { id, email: "owner@example.com", username: "owner" };
      const message = "must be an integer";
      expect(issuesOf(accountSchema, account)).toEqual([
        { code: "invalid_type", type: "integer", message, path: ["id"] },
      ]);
    },
  );

  const limit = { type: "number", inclusive: true, exact: false };
  const steps = (...opt_in_requests: unknown[]) => ({ opt_in_type: "double", opt_in_requests });
  const inStep = (...path: (string | number)[]) => ["opt_in_requests", ...path];
  const oneOfTypes = "one of zip_code, email_address, first_name, yes";
  test.each<[what: string, schema: z.ZodMiniType, value: unknown, expected: object[]]>([
    [
      "no object in place of opt-in settings",
      optInSettingsSchema,
      [],
      [{ code: "invalid_type", type: "object", path: [], message: "must be an object" }],
    ],
    [
      "a missing type of opt-in",
      optInSettingsSchema,
      {},
      [
        {
          code: "invalid_enum_value",
          path: ["opt_in_type"],
          message: "is required and must be single or double",
        },
      ],
    ],
    [
      "a type of opt-in outside its set",
      optInSettingsSchema,
      { opt_in_type: "triple" },
      [
        {
          code: "invalid_enum_value",
          path: ["opt_in_type"],
          message: "must be single or double",
        },
      ],
    ],
    [
      "strings outside their sets",
      optInSettingsSchema,
      steps({ collected_data: "age", success_action: 5 }),
      [
        {
          code: "invalid_enum_value",
          path: inStep(0, "collected_data"),
          message: `must be ${oneOfTypes}`,
        },
        {
          code: "invalid_enum_value",
          path: inStep(0, "success_action"),
          message: "must be one of nextrequest, optinsubscriber",
        },
      ],
    ],
    [
      "a fraction, beside the rules of the steps",
      optInSettingsSchema,
      steps({ follow_up: true, success_action: "optinsubscriber" }, { follow_up_hour: 1.5 }),
      [
        {
          code: "invalid_type",
          type: "integer",
          path: inStep(0, "follow_up_hour"),
          message: "is required when follow_up is true: the hours to wait before the reminder",
        },
        {
          code: "invalid_type",
          type: "integer",
          path: inStep(1, "follow_up_hour"),
          message: "must be an integer",
        },
        {
          code: "custom",
          path: inStep(0, "success_action"),
          message: "must be nextrequest: another step follows",
        },
        {
          code: "custom",
          path: inStep(1, "success_action"),
          message: "must be optinsubscriber: this is the last step",
        },
      ],
    ],
    [
      "numbers outside their limits",
      listsQuerySchema,
      { page: 0, per_page: 1001 },
      [
        { code: "too_small", minimum: 1, ...limit, path: ["page"], message: "must be at least 1" },
        {
          code: "too_big",
          maximum: 1000,
          ...limit,
          path: ["per_page"],
          message: "must be at most 1000",
        },
      ],
    ],
    [
      "a fraction below a minimum",
      listsQuerySchema,
      { page: 0.5 },
      [{ code: "invalid_type", type: "integer", path: ["page"], message: "must be an integer" }],
    ],
  ])("issues of a schema have exactly the documented fields: %s", (_, schema, value, expected) => {
    expect(issuesOf(schema, value)).toEqual(expected);
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
  const start = process.cpuUsage();
  expect(toValidationIssues(error?.issues ?? [], ["settings"])).toHaveLength(15_000);
  // A conversion in quadratic time would take minutes.
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(5_000);
}, 60_000);
