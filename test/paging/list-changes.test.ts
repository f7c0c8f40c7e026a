import { describe, expect, test } from "vitest";
import {
  afterLastKnown,
  earliestPage,
  hasShrunk,
  idOf,
  idsOf,
  isPageSize,
  isRepeated,
  stateAfter,
  unknownOf,
} from "../../src/paging/list-changes.ts";
import { itemsOf, upTo } from "../support/pages.ts";

type Item = { readonly id?: number };

const pageOf = (fields: object) =>
  ({ page: 2, per_page: 2, count: 18, pages_count: 9, items: [], ...fields }) as never;
const positionAfter = (after: object, fields: object = {}) =>
  ({
    page: 2,
    per_page: 2,
    after: { path: "/api/v2/lists", count: 18, pages_count: 9, last: 2, ids: [1, 2], ...after },
    ...fields,
  }) as never;

describe("a page size", () => {
  test.each([1, 10, 1000])("a page size of %j is plausible", (size) => {
    expect(isPageSize(size)).toBe(true);
  });
  test.each([0, -1, 1.5, 1001, "10", null, undefined])(
    "a page size of %j is not plausible",
    (size) => {
      expect(isPageSize(size)).toBe(false);
    },
  );
});

describe("a page repeats the previous page", () => {
  const both: readonly Item[] = [{ id: 1 }, { id: 2 }];
  type Case = [what: string, is: boolean, page: object, after?: object, position?: object];
  test.each<Case>([
    ["with the same records", true, { items: both }],
    ["with the same single record", true, { items: [{ id: 2 }], per_page: 1 }, {}, { per_page: 1 }],
    ["after pages before that", true, { items: both }, { ids: [8, 9, 1, 2] }],
    ["before records that are known", true, { items: both }, { ids: [1, 2, 3, 4] }],
    ["where the service has smaller pages", true, { items: both }, {}, { per_page: 1000 }],
    ["where the list is shorter", true, { items: both, pages_count: 8 }],
    ["not without records", false, { items: [] }, { last: undefined }],
    ["not with fewer records than a page", false, { items: [{ id: 2 }] }],
    ["not with one new record", false, { items: [{ id: 3 }, { id: 2 }] }],
    ["not up to another record", false, { items: both }, { ids: [1, 2, 3, 4], last: 4 }],
    ["not without ids", false, { items: [{}, {}] }, { ids: [], last: undefined }],
    ["not where one record has no id", false, { items: [{}, { id: 2 }] }],
    ["not where the list has more pages than then", false, { items: both, pages_count: 10 }],
    ["not under another number", false, { items: both, page: 1 }],
  ])("a page repeats the previous page: %s: %s", (_, is, page, after = {}, position = {}) => {
    const { ids = [1, 2] } = after as { readonly ids?: readonly number[] };
    const known = new Set<unknown>(ids);
    expect(isRepeated(pageOf(page), positionAfter(after, position), known)).toBe(is);
  });
});

describe("a list has shrunk", () => {
  type Numbers = { readonly pages_count: number; readonly count?: number };
  test.each<[what: string, is: boolean, now: Numbers, before: Numbers]>([
    ["with fewer pages", true, { pages_count: 4, count: 8 }, { pages_count: 5, count: 10 }],
    ["with fewer records", true, { pages_count: 5, count: 8 }, { pages_count: 5, count: 9 }],
    ["not with as many", false, { pages_count: 5, count: 9 }, { pages_count: 5, count: 9 }],
    ["not with more records", false, { pages_count: 5, count: 10 }, { pages_count: 5, count: 9 }],
    ["not with more pages", false, { pages_count: 6, count: 11 }, { pages_count: 5, count: 9 }],
    ["not by the count of one page", false, { pages_count: 5, count: 1 }, { pages_count: 5 }],
    ["by its pages alone", true, { pages_count: 4, count: 2 }, { pages_count: 5 }],
    ["not where it tells no count", false, { pages_count: 5 }, { pages_count: 5, count: 9 }],
  ])("a list has shrunk: %s: %s", (_, is, now, before) => {
    expect(hasShrunk(pageOf({ count: undefined, ...now }), before as never)).toBe(is);
  });
});

describe("the earliest page that records may have moved to", () => {
  const ids = upTo(100);
  type Case = [what: string, page: object, after: object, position: object, at: number];
  test.each<Case>([
    ["is never before the first", {}, { ids }, { page: 3, per_page: 10 }, 1],
    [
      "leaves room for as many newcomers as are remembered",
      { per_page: 10, count: 999, pages_count: 100 },
      { ids, count: 1000, pages_count: 100 },
      { page: 50, per_page: 10 },
      38,
    ],
    [
      "is as many pages back as records are gone",
      { per_page: 100, count: 5_000, pages_count: 50 },
      { ids, count: 5_900, pages_count: 59 },
      { page: 50, per_page: 100 },
      39,
    ],
    [
      "follows the pages where there is no count",
      { per_page: 100, count: 100, pages_count: 50 },
      { ids, count: undefined, pages_count: 52 },
      { page: 50, per_page: 100 },
      46,
    ],
    [
      "counts by the page size that the service has",
      { per_page: 10, count: 900, pages_count: 90 },
      { ids, count: 1_000, pages_count: 100 },
      { page: 50, per_page: 1000 },
      29,
    ],
  ])("the earliest page that records may have moved to: %s", (_, page, after, position, at) => {
    expect(earliestPage(pageOf(page), positionAfter(after, position))).toBe(at);
  });
});

describe("the records after the last one that is known", () => {
  const known = new Set([1, 2, 3]);
  const items = (...ids: (number | undefined)[]): Item[] =>
    ids.map((id) => (id === undefined ? {} : { id }));
  test.each<[what: string, items: Item[], expected: number[] | undefined]>([
    ["are none where all are known", items(1, 2, 3), []],
    ["are those behind it", items(2, 3, 4, 5), [4, 5]],
    ["are not those in front of it", items(9, 2, 3, 4), [4]],
    ["are not those between two that are known", items(2, 9, 3, 4), [4]],
    ["cannot be told where none is known", items(4, 5, 6), undefined],
    ["cannot be told without ids", items(undefined, undefined), undefined],
  ])("the records after the last one that is known: %s", (_, given, expected) => {
    const rest = afterLastKnown(given, known);
    expect(rest && idsOf(rest)).toEqual(expected);
  });
});

test("unknown records are new, and so are all records without an id", () => {
  const known = new Set<unknown>([2, undefined]);
  expect(unknownOf([...itemsOf(1, 3)], known)).toEqual([{ id: 1 }, { id: 3 }]);
  expect(unknownOf([{}, { id: 2 }, null], new Set([2]))).toEqual([{}, null]);
});

describe("the id of a record", () => {
  test.each([
    [{ id: 7 }, 7],
    [{ id: 0 }, 0],
    [{ id: "a-7" }, "a-7"],
    [{ id: 2 ** 53 - 1 }, 2 ** 53 - 1],
    // Two ids beyond 2^53 may be read as the same number.
    [{ id: 2 ** 53 }, undefined],
    [{ id: 1.5 }, undefined],
    [{ id: null }, undefined],
    [{ id: {} }, undefined],
    [{}, undefined],
    [null, undefined],
    [undefined, undefined],
    ["text", undefined],
  ])("the id of the record %j is %j", (item, id) => {
    expect(idOf(item)).toBe(id);
  });

  test("the id of a record is left out of the ids if it is missing", () => {
    expect(idsOf([{ id: 1 }, {}, null, { id: "b" }])).toEqual([1, "b"]);
  });
});

describe("the state after a page", () => {
  const page = { items: itemsOf(1, 3), page: 1, per_page: 3, count: 9, pages_count: 3 };
  type Ids = readonly (number | string)[];
  const stateOf = (fields: object, known: Ids = [], onPage: Ids = [], perPage = 3) =>
    stateAfter("/api/v2/lists", { ...page, ...fields }, new Set(known), onPage, perPage);

  test("the state after a page holds the path, the numbers of the list, and the ids", () => {
    const state = { path: "/api/v2/lists", count: 9, pages_count: 3, last: 3, ids: [1, 2, 3] };
    expect(stateOf({}, [], [1, 2, 3])).toEqual(state);
  });

  test("the state after a page has no last record if the page has none with an id", () => {
    expect(stateOf({}, [1, 2], [])).not.toHaveProperty("last");
  });

  test.each([3, 2, 0, undefined, "9", 9.5])(
    "the state after a page has no count if the page states %j of three",
    (count) => {
      expect(stateOf({ count })).not.toHaveProperty("count");
    },
  );

  test.each<[what: string, known: Ids, onPage: Ids, expected: Ids]>([
    ["all new", [1, 2], [3, "b"], [1, 2, 3, "b"]],
    ["known at its beginning", [1, 2, 3, 4], [3, 4, 5], [1, 2, 3, 4, 5]],
    ["all known", [1, 2, 3, 4, 5], [2, 3], [1, 2, 3, 4, 5]],
    ["a newcomer between known ones", [1, 2, 3, 4], [2, 9, 3], [1, 2, 9, 3, 4]],
    ["without one that is gone", [1, 2, 3, 4, 5], [2, 4], [1, 2, 4, 5]],
    ["empty", [1, 2], [], [1, 2]],
  ])(
    "the state after a page holds the ids in the order of the list, after a page that is %s",
    (_, known, onPage, expected) => {
      expect(stateOf({}, known, onPage).ids).toEqual(expected);
    },
  );

  test.each([
    [3, 100],
    [100, 100],
    [101, 101],
    [1000, 1000],
  ])("the state after a page with pages of %i records holds the latest %i ids", (perPage, most) => {
    const seen = upTo(2500);
    expect(stateOf({}, seen.slice(0, 2000), seen.slice(2000), perPage).ids).toEqual(
      seen.slice(-most),
    );
  });
});
