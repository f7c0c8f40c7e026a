import { describe, expect, test } from "vitest";
import {
  afterLastKnown,
  earliestPage,
  hasSameIds,
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

describe("plausible page sizes", () => {
  test.each([1, 10, 1000])("the page size %j is plausible", (size) => {
    expect(isPageSize(size)).toBe(true);
  });
  test.each([0, -1, 1.5, 1001, "10", null, undefined])(
    "the page size %j is not plausible",
    (size) => {
      expect(isPageSize(size)).toBe(false);
    },
  );
});

describe("repeated pages", () => {
  const both: readonly Item[] = [{ id: 1 }, { id: 2 }];
  type Case = [what: string, is: boolean, page: object, after?: object, position?: object];
  test.each<Case>([
    ["with the same records", true, { items: both }],
    ["with the same single record", true, { items: [{ id: 2 }], per_page: 1 }, {}, { per_page: 1 }],
    ["after earlier pages", true, { items: both }, { ids: [8, 9, 1, 2] }],
    ["in front of known records", true, { items: both }, { ids: [1, 2, 3, 4] }],
    ["if the service returns smaller pages", true, { items: both }, {}, { per_page: 1000 }],
    ["if the list is shorter", true, { items: both, pages_count: 8 }],
    ["if it has no records", false, { items: [] }, { last: undefined }],
    ["if it has fewer records than a page", false, { items: [{ id: 2 }] }],
    ["if it has one new record", false, { items: [{ id: 3 }, { id: 2 }] }],
    ["if its last record differs", false, { items: both }, { ids: [1, 2, 3, 4], last: 4 }],
    ["if its records have no ids", false, { items: [{}, {}] }, { ids: [], last: undefined }],
    ["if one record has no id", false, { items: [{}, { id: 2 }] }],
    ["if the list has more pages than before", false, { items: both, pages_count: 10 }],
    ["if it has a different number", false, { items: both, page: 1 }],
  ])(
    "a page counts as a repeat of the previous one %s: %s",
    (_, is, page, after = {}, position = {}) => {
      const { ids = [1, 2] } = after as { readonly ids?: readonly number[] };
      const known = new Set<unknown>(ids);
      expect(isRepeated(pageOf(page), positionAfter(after, position), known)).toBe(is);
    },
  );
});

describe("shrunken lists", () => {
  type Numbers = { readonly pages_count: number; readonly count?: number };
  test.each<[what: string, is: boolean, now: Numbers, before: Numbers]>([
    ["with fewer pages", true, { pages_count: 4, count: 8 }, { pages_count: 5, count: 10 }],
    ["with fewer records", true, { pages_count: 5, count: 8 }, { pages_count: 5, count: 9 }],
    ["with as many records", false, { pages_count: 5, count: 9 }, { pages_count: 5, count: 9 }],
    ["with more records", false, { pages_count: 5, count: 10 }, { pages_count: 5, count: 9 }],
    ["with more pages", false, { pages_count: 6, count: 11 }, { pages_count: 5, count: 9 }],
    ["with the count of one page", false, { pages_count: 5, count: 1 }, { pages_count: 5 }],
    ["with fewer pages and no count", true, { pages_count: 4, count: 2 }, { pages_count: 5 }],
    ["without a count", false, { pages_count: 5 }, { pages_count: 5, count: 9 }],
  ])("a list counts as shrunken %s: %s", (_, is, now, before) => {
    expect(hasShrunk(pageOf({ count: undefined, ...now }), before as never)).toBe(is);
  });
});

describe("pages with the same records", () => {
  test.each([
    [[1, 2], [1, 2], true],
    [[], [], true],
    [[1, 2], [2, 1], false],
    [[1, 2], [1, 3], false],
    [[1], [1, 2], false],
    [[1, 2], [1], false],
    [[], [1], false],
  ])("pages with the ids %j and %j have the same records: %s", (one, other, same) => {
    const withIds = (ids: readonly number[]) => pageOf({ items: ids.map((id) => ({ id })) });
    expect(hasSameIds(withIds(one), withIds(other))).toBe(same);
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
      "is back by as many pages as records were removed",
      { per_page: 100, count: 5_000, pages_count: 50 },
      { ids, count: 5_900, pages_count: 59 },
      { page: 50, per_page: 100 },
      39,
    ],
    [
      "follows the number of pages if there is no count",
      { per_page: 100, count: 100, pages_count: 50 },
      { ids, count: undefined, pages_count: 52 },
      { page: 50, per_page: 100 },
      46,
    ],
    [
      "is computed with the page size of the service",
      { per_page: 10, count: 900, pages_count: 90 },
      { ids, count: 1_000, pages_count: 100 },
      { page: 50, per_page: 1000 },
      29,
    ],
  ])("the earliest page that records may have moved to %s", (_, page, after, position, at) => {
    expect(earliestPage(pageOf(page), positionAfter(after, position))).toBe(at);
  });
});

describe("the records after the last known one", () => {
  const known = new Set([1, 2, 3]);
  const items = (...ids: (number | undefined)[]): Item[] =>
    ids.map((id) => (id === undefined ? {} : { id }));
  test.each<[what: string, items: Item[], expected: number[] | undefined]>([
    ["are none if all are known", items(1, 2, 3), []],
    ["are all records behind it", items(2, 3, 4, 5), [4, 5]],
    ["leave out records in front of it", items(9, 2, 3, 4), [4]],
    ["leave out records between two known ones", items(2, 9, 3, 4), [4]],
    ["cannot be determined if none is known", items(4, 5, 6), undefined],
    ["cannot be determined without ids", items(undefined, undefined), undefined],
  ])("the records after the last known one %s", (_, given, expected) => {
    const rest = afterLastKnown(given, known);
    expect(rest && idsOf(rest)).toEqual(expected);
  });
});

test("records are new if they are unknown or have no id", () => {
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
    // Two ids beyond 2^53 may be parsed as the same number.
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

  test("the ids of a page leave out records without an id", () => {
    expect(idsOf([{ id: 1 }, {}, null, { id: "b" }])).toEqual([1, "b"]);
  });
});

describe("the state after a page", () => {
  const page = { items: itemsOf(1, 3), page: 1, per_page: 3, count: 9, pages_count: 3 };
  type Ids = readonly (number | string)[];
  const stateOf = (fields: object, known: Ids = [], onPage: Ids = [], perPage = 3) =>
    stateAfter("/api/v2/lists", { ...page, ...fields }, new Set(known), onPage, perPage);

  test("the state after a page has the path, the numbers of the list, and the ids", () => {
    const state = { path: "/api/v2/lists", count: 9, pages_count: 3, last: 3, ids: [1, 2, 3] };
    expect(stateOf({}, [], [1, 2, 3])).toEqual(state);
  });

  test("the state after a page has no last record if no record of the page has an id", () => {
    expect(stateOf({}, [1, 2], [])).not.toHaveProperty("last");
  });

  test.each([3, 2, 0, undefined, "9", 9.5])(
    "the state after a page of three records has no count if the page states %j",
    (count) => {
      expect(stateOf({ count })).not.toHaveProperty("count");
    },
  );

  test.each<[what: string, known: Ids, onPage: Ids, expected: Ids]>([
    ["all new", [1, 2], [3, "b"], [1, 2, 3, "b"]],
    ["known at its beginning", [1, 2, 3, 4], [3, 4, 5], [1, 2, 3, 4, 5]],
    ["all known", [1, 2, 3, 4, 5], [2, 3], [1, 2, 3, 4, 5]],
    ["one with a new record between known ones", [1, 2, 3, 4], [2, 9, 3], [1, 2, 9, 3, 4]],
    ["missing a removed record", [1, 2, 3, 4, 5], [2, 4], [1, 2, 4, 5]],
    ["empty", [1, 2], [], [1, 2]],
  ])(
    "the state after a page that is %s has the ids in the order of the list",
    (_, known, onPage, expected) => {
      expect(stateOf({}, known, onPage).ids).toEqual(expected);
    },
  );

  test.each([
    [3, 100],
    [100, 100],
    [101, 101],
    [1000, 1000],
  ])("the state after pages of %i records has the latest %i ids", (perPage, most) => {
    const seen = upTo(2500);
    expect(stateOf({}, seen.slice(0, 2000), seen.slice(2000), perPage).ids).toEqual(
      seen.slice(-most),
    );
  });
});
