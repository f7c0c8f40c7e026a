import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { filtersOf } from "../../../src/core/paging/page.ts";
import { listsQuerySchema, scheduledMessagesQuerySchema } from "../../../src/core/schemas/index.ts";
import type { Endpoint } from "../../../src/core/wire/endpoint.ts";
import * as v2 from "../../../src/core/wire/v2.ts";
import { issuesOf, wrongPaths } from "../../support/tables/field-table.ts";
import { LISTS } from "../../support/tables/specification.ts";

describe.each(LISTS)("the query of %s", (name) => {
  const schema = (v2 as unknown as Record<string, Endpoint>)[name]?.query?.() as z.ZodMiniType;

  test.each([
    {},
    { page: 1, per_page: 1 },
    { page: 12_345, per_page: 1000 },
    { page: undefined, per_page: undefined },
    { order: "a field that the service may add" },
  ])("the query accepts %j", (query) => {
    expect(z.safeParse(schema, query)).toEqual({ success: true, data: query });
  });

  test.each<[query: object, wrong: string[]]>([
    [{ page: 0 }, ["page: too_small"]],
    [{ page: -1 }, ["page: too_small"]],
    [{ page: 1.5 }, ["page: invalid_type"]],
    [{ page: "1" }, ["page: invalid_type"]],
    [{ page: null }, ["page: invalid_type"]],
    [{ page: Number.NaN }, ["page: invalid_type"]],
    [{ page: Number.POSITIVE_INFINITY }, ["page: invalid_type"]],
    [{ per_page: 0 }, ["per_page: too_small"]],
    [{ per_page: 1001 }, ["per_page: too_big"]],
    [{ per_page: 10.5 }, ["per_page: invalid_type"]],
    [{ per_page: "10" }, ["per_page: invalid_type"]],
  ])("the query refuses %j", (query, wrong) => {
    expect(wrongPaths(schema, query)).toEqual(wrong);
  });

  test("the position of a page keeps every filter of the query", () => {
    const { page, per_page, ...filters } = (schema as z.ZodMiniObject).shape;
    expect(filtersOf(filters)).toEqual(filters);
  });
});

describe("listsQuerySchema", () => {
  test.each([true, false, undefined])("listsQuerySchema accepts include_deleted: %j", (value) => {
    const query = { include_deleted: value };
    expect(z.safeParse(listsQuerySchema, query)).toEqual({ success: true, data: query });
  });

  test.each<[query: object, wrong: string[]]>([
    [{ include_deleted: "false" }, ["include_deleted: invalid_type"]],
    [{ include_deleted: null }, ["include_deleted: invalid_type"]],
    [{ include_deleted: 0 }, ["include_deleted: invalid_type"]],
    [
      { page: 0, per_page: 1001, include_deleted: "no" },
      ["page: too_small", "per_page: too_big", "include_deleted: invalid_type"],
    ],
  ])("listsQuerySchema refuses %j", (query, wrong) => {
    expect(wrongPaths(listsQuerySchema, query)).toEqual(wrong);
  });
});

describe("scheduledMessagesQuerySchema", () => {
  test.each([
    {},
    { start_date: "20260101" },
    { start_date: "20260101", end_date: "20260131", page: 1, per_page: 1000 },
    // The schema does not check the order of the dates.
    { start_date: "20260201", end_date: "20260101" },
    { start_date: undefined, end_date: undefined, page: undefined, per_page: undefined },
    { later: "a field that the service may add" },
  ])("scheduledMessagesQuerySchema accepts %j", (query) => {
    expect(z.safeParse(scheduledMessagesQuerySchema, query)).toEqual({
      success: true,
      data: query,
    });
  });

  test.each(["2026-01-01", "20260230", "202601", "", "Invalid Date"])(
    "scheduledMessagesQuerySchema refuses %j, which is not a day",
    (day) => {
      expect(wrongPaths(scheduledMessagesQuerySchema, { start_date: day, end_date: day })).toEqual([
        "start_date: invalid_string",
        "end_date: invalid_string",
      ]);
    },
  );

  test.each([20260101, null, {}, new Date(0)])(
    "scheduledMessagesQuerySchema refuses %j, which is not a string",
    (day) => {
      expect(issuesOf(scheduledMessagesQuerySchema, { end_date: day })).toEqual([
        { code: "invalid_type", type: "string", message: "must be a string", path: ["end_date"] },
      ]);
    },
  );

  test("scheduledMessagesQuerySchema reports all issues together", () => {
    const query = { start_date: "x", end_date: 5, page: 0, per_page: 1001 };
    expect(wrongPaths(scheduledMessagesQuerySchema, query).sort()).toEqual([
      "end_date: invalid_type",
      "page: too_small",
      "per_page: too_big",
      "start_date: invalid_string",
    ]);
  });
});
