import { describe, expect, test } from "vitest";
import { pageIssue } from "../../src/wire/checks.ts";

describe("the page that was requested is accepted", () => {
  test.each<[query: object | undefined, page: number, pages_count: number]>([
    [{ page: 1 }, 1, 1],
    [{ page: 2 }, 2, 3],
    [{ page: 3, per_page: 50 }, 3, 3],
    // Without a page, the first one is requested.
    [undefined, 1, 3],
    [{}, 1, 3],
    [{ page: undefined }, 1, 3],
    // With the rules turned off, a string is sent as it is.
    [{ page: "2" }, 2, 3],
  ])("the page that was requested is accepted: %j: %i of %i", (query, page, pages_count) => {
    expect(pageIssue({ page, pages_count }, { query })).toBeUndefined();
  });
});

describe("another page is accepted if the list ends before the requested one", () => {
  test.each<[query: object, page: number, pages_count: number]>([
    [{ page: 1 }, 1, 0],
    [{ page: 1 }, 0, 0],
    [{ page: 5 }, 1, 0],
    [{ page: 5 }, 3, 3],
    [{ page: 5 }, 1, 4],
  ])(
    "another page is accepted if the list ends before the requested one: %j: %i of %i",
    (query, page, pages_count) => {
      expect(pageIssue({ page, pages_count }, { query })).toBeUndefined();
    },
  );
});

describe("another page is refused", () => {
  test.each<[query: object | undefined, page: number, pages_count: number, asked: number]>([
    [{ page: 2 }, 1, 3, 2],
    [{ page: 2 }, 3, 3, 2],
    [{ page: 3 }, 2, 3, 3],
    [{ page: 1 }, 0, 3, 1],
    [undefined, 2, 3, 1],
    [{ per_page: 50 }, 2, 2, 1],
    [{ page: "2" }, 1, 3, 2],
  ])("another page is refused: %j: %i of %i", (query, page, pages_count, asked) => {
    expect(pageIssue({ page, pages_count }, { query })).toEqual({
      code: "custom",
      path: ["page"],
      message: `must be ${asked}, the requested page`,
    });
  });
});
