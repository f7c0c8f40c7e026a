import { describe, expect, test } from "vitest";
import { idOf, idsOf, stateAfter } from "../../src/paging/walk-state.ts";
import { itemsOf, upTo } from "../support/pages.ts";

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
