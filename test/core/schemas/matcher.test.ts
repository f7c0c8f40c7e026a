import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { matcherOf } from "../../../src/core/schemas/matcher.ts";
import * as transactional from "../../../src/core/wire/transactional.ts";
import * as v2 from "../../../src/core/wire/v2.ts";
import { ENDPOINTS } from "../../support/tables/specification.ts";

/** Returns the path of every value in a body. */
const placesIn = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
  typeof value === "object" && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, part]) => placesIn(part, [...path, key]))]
    : [path];

/** Returns a copy of a body with a different value at one path. `undefined` removes the field. */
const mutate = (body: object, path: readonly string[], value: unknown): unknown => {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy = structuredClone(body) as Record<string, unknown>;
  if (rest.length > 0) copy[key] = mutate(copy[key] as object, rest, value);
  else if (value === undefined && !Array.isArray(copy)) delete copy[key];
  else copy[key] = value;
  return copy;
};

/** Returns a copy of a body in which the field at `index` of each object comes last. */
const reorder = (part: unknown, index: number): unknown => {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map((item) => reorder(item, index));
  const fields = Object.entries(part).map(([key, field]) => [key, reorder(field, index)]);
  const moved = fields.splice(index, 1);
  return Object.fromEntries([...fields, ...moved]);
};

const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(undefined, null, "", 0, -0, 1.5, 2 ** 53, 1e300, true, [], {}, [null]),
  fc.constantFrom<unknown>("single", "double", Number.NaN, Number.POSITIVE_INFINITY),
);

describe.each(Object.entries({ ...v2, ...transactional }))(
  "the matcher of the response of %s",
  (name, endpoint) => {
    const schema = endpoint.response?.() as z.ZodMiniType;
    const matches = matcherOf(schema);
    const { bodies } = ENDPOINTS[name as keyof typeof ENDPOINTS];

    test("the matcher accepts every response fixture that the schema accepts", () => {
      expect(bodies.length).toBeGreaterThan(0);
      for (const body of bodies) {
        expect(z.safeParse(schema, body)).toEqual({ success: true, data: body });
        expect(matches(body)).toBe(true);
      }
    });

    test("the matcher agrees with the schema on a response with any value changed and its fields in any order", () => {
      const mutated = fc
        .constantFrom(...bodies)
        .chain((body) =>
          fc
            .tuple(fc.constantFrom(...placesIn(body)), value)
            .map((change) => mutate(body, ...change)),
        )
        .chain((body) => fc.nat({ max: 20 }).map((index) => reorder(body, index)));
      let refused = 0;
      fc.assert(
        fc.property(mutated, (body) => {
          const { success } = z.safeParse(schema, body);
          if (!success) refused += 1;
          expect(matches(body)).toBe(success);
        }),
        { numRuns: 2_000 },
      );
      expect(refused).toBeGreaterThan(100);
    });
  },
);

const EITHER = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("a") }),
  z.object({ kind: z.literal("b") }),
]);

describe("the matcher of an unsupported schema", () => {
  test.each<[what: string, schema: z.ZodMiniType, right: unknown, wrong: unknown]>([
    ["checks of a string", z.string().check(z.minLength(2)), "ab", "a"],
    ["checks of a number", z.number().check(z.gte(2)), 2, 1],
    ["an enum", z.enum(["a", "b"]), "a", "c"],
    ["a literal", z.literal("a"), "a", "b"],
    ["a union", z.union([z.string(), z.number()]), 1, true],
    ["a limit that is excluded", z.number().check(z.gt(2)), 3, 2],
    ["a maximum", z.number().check(z.lte(2)), 2, 3],
    ["a discriminated union", EITHER, { kind: "b" }, { kind: "c" }],
    ["the type of other keys", z.catchall(z.object({}), z.string()), { a: "a" }, { a: 1 }],
    [
      "checks of other keys",
      z.catchall(z.object({}), z.unknown().check(z.refine((value) => value === 1))),
      { a: 1 },
      { a: 2 },
    ],
    ["a record", z.record(z.string(), z.number()), { a: 1 }, { a: "1" }],
    ["a tuple", z.tuple([z.string()]), ["a"], []],
    ["nested", z.array(z.object({ a: z.optional(z.enum(["a"])) })), [{ a: "a" }, {}], [{ a: "b" }]],
  ])("the matcher of an unsupported schema parses the value: %s", (_, schema, right, wrong) => {
    const matches = matcherOf(schema);
    expect([matches(right), matches(wrong)]).toEqual([true, false]);
  });

  test("the matcher of an unsupported schema parses the value: a string format", () => {
    expect(matcherOf(z.email())("owner@example.com")).toBe(true);
    expect(matcherOf(z.email())("owner")).toBe(false);
  });

  test("the matcher of an unsupported schema parses the value: an object that refuses other keys", () => {
    expect(matcherOf(z.strictObject({ a: z.string() }))({ a: "a" })).toBe(true);
    expect(matcherOf(z.strictObject({ a: z.string() }))({ a: "a", b: "b" })).toBe(false);
  });
});

test.each<[what: string, schema: z.ZodMiniType, value: unknown]>([
  ["an enum", z.enum(["a", "b"]), "a"],
  ["a check that changes the value", z.string().check(z.trim()), " a "],
  ["a field", z.object({ a: z.string().check(z.trim()) }), { a: " a " }],
])(
  "the exact matcher of an unsupported schema refuses a value that the schema accepts: %s",
  (_, schema, value) => {
    expect(z.safeParse(schema, value).success).toBe(true);
    expect(matcherOf(schema, true)(value)).toBe(false);
  },
);

describe.each(Object.entries(transactional))("the matcher of the body of %s", (name, endpoint) => {
  const schema = endpoint.body?.() as z.ZodMiniType;
  const matches = endpoint.matchesBody?.() as (value: unknown) => boolean;
  const payload =
    name === "sendRcsText" ? { text: "Hi" } : { file: { url: "https://a.com/b.pdf" } };
  const body = {
    phoneNumber: "+12065550123",
    webhookUrl: "https://example.com/hook",
    rcsPayload: payload,
    smsFailover: "Hi",
  };

  test("the matcher accepts a body as the schema returns it", () => {
    expect(matches(body)).toBe(true);
    for (const phoneNumber of ["+13105550123", "+14165550123"]) {
      expect(matches({ ...body, phoneNumber })).toBe(true);
    }
  });

  test.each(Object.keys(body))(
    "the matcher refuses a body whose field %s is misspelled",
    (name) => {
      const fields = Object.entries(body).map(([key, value]) => [
        key === name ? `${key}s` : key,
        value,
      ]);
      expect(matches(Object.fromEntries(fields))).toBe(false);
    },
  );

  test("a body that the matcher accepts is returned by the schema unchanged, field by field", () => {
    const phones = fc.constantFrom("2065550123", "+1 206 555 0123", "+12065550123", "+1206555012x");
    const change = fc
      .tuple(fc.constantFrom(...placesIn(body)), fc.oneof(value, phones))
      .map(([path, changed]) => mutate(body, path, changed));
    const extra = fc
      .tuple(fc.string(), fc.jsonValue())
      .map(([key, field]) => JSON.parse(JSON.stringify({ ...body, [key]: field })));
    const reordered = fc.nat({ max: 8 }).map((index) => reorder(body, index));
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(change, extra, reordered), (given) => {
        const json = JSON.stringify(given);
        const parsed: unknown = json && JSON.parse(json);
        if (!matches(parsed)) return;
        accepted += 1;
        const result = z.safeParse(schema, parsed);
        expect(result.success && JSON.stringify(result.data)).toBe(json);
      }),
      { numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  test("a field of a polluted prototype is not a field of a body", () => {
    const { smsFailover, ...others } = body;
    const parsed = JSON.parse(JSON.stringify(others));
    Object.assign(Object.prototype, { smsFailover });
    try {
      expect(matches(parsed)).toBe(false);
      expect(matches(body)).toBe(true);
    } finally {
      Reflect.deleteProperty(Object.prototype, "smsFailover");
    }
  });
});
