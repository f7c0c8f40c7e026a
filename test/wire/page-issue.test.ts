import { describe, expect, test } from "vitest";
import { pageIssue } from "../../src/wire/checks.ts";

describe("the requested page", () => {
  test.each<[query: object | undefined, page: number, pages_count: number]>([
    [{ page: 1 }, 1, 1],
    [{ page: 2 }, 2, 3],
    [{ page: 3, per_page: 50 }, 3, 3],
    // The first page is the default.
    [undefined, 1, 3],
    [{}, 1, 3],
    [{ page: undefined }, 1, 3],
    // A string is sent unchanged if validation is off.
    [{ page: "2" }, 2, 3],
  ])("the requested page is accepted: %j: %i of %i", (query, page, pages_count) => {
    expect(pageIssue({ page, pages_count }, { query })).toBeUndefined();
  });
});

describe("pages of a list that ends before the requested page", () => {
  test.each<[query: object, page: number, pages_count: number]>([
    [{ page: 1 }, 1, 0],
    [{ page: 1 }, 0, 0],
    [{ page: 5 }, 1, 0],
    [{ page: 5 }, 3, 3],
    [{ page: 5 }, 1, 4],
  ])(
    "a page other than the requested one is accepted if the list ends earlier: %j: %i of %i",
    (query, page, pages_count) => {
      expect(pageIssue({ page, pages_count }, { query })).toBeUndefined();
    },
  );
});

describe("pages other than the requested one", () => {
  test.each<[query: object | undefined, page: number, pages_count: number, asked: number]>([
    [{ page: 2 }, 1, 3, 2],
    [{ page: 2 }, 3, 3, 2],
    [{ page: 3 }, 2, 3, 3],
    [{ page: 1 }, 0, 3, 1],
    [undefined, 2, 3, 1],
    [{ per_page: 50 }, 2, 2, 1],
    [{ page: "2" }, 1, 3, 2],
  ])(
    "a page other than the requested one is refused: %j: %i of %i",
    (query, page, pages_count, asked) => {
      expect(pageIssue({ page, pages_count }, { query })).toEqual({
        code: "custom",
        path: ["page"],
        message: `must be ${asked}, the requested page`,
      });
    },
  );
});
