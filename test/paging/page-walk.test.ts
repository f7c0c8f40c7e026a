import type { ClientEvent } from "messaging-service-client";
import { describe, expect, test } from "vitest";
import type { Page } from "../../src/paging/page.ts";
import { hasShrunk, ItemWalk, isRepeated, movedTo } from "../../src/paging/page-walk.ts";
import { itemsOf, pageBody, pagedBy } from "../support/pages.ts";

type Item = { readonly id?: number };

const pageOf = (page: number, items: readonly Item[], pages_count = 9) =>
  ({ status: "OK", page, per_page: 2, count: 18, pages_count, items }) as never;

describe("whether a page repeats the one before", () => {
  const items: readonly Item[] = [{ id: 1 }, { id: 2 }];
  type Case = readonly [
    what: string,
    repeats: boolean,
    now: readonly Item[],
    before: readonly Item[],
  ];
  const cases: readonly Case[] = [
    ["the same items", true, items, items],
    ["the same single item", true, [{ id: 1 }], [{ id: 1 }]],
    ["both are empty", false, [], []],
    ["fewer items", false, [{ id: 1 }], items],
    ["more items", false, [...items, { id: 3 }], items],
    ["one new item", false, [{ id: 1 }, { id: 3 }], items],
    ["another order", false, [{ id: 2 }, { id: 1 }], items],
    ["items without ids", false, [{}, {}], [{}, {}]],
  ];
  test.each(cases)("%s: %j", (_, repeats, now, before) => {
    expect(isRepeated(pageOf(2, now), pageOf(1, before))).toBe(repeats);
  });

  test("not where it is the same page, or the list has grown", () => {
    expect(isRepeated(pageOf(1, items), pageOf(1, items))).toBe(false);
    expect(isRepeated(pageOf(2, items, 10), pageOf(1, items))).toBe(false);
  });
});

describe("whether items have vanished", () => {
  const numbers = (pages_count: number, count: number, items = 2) =>
    ({ page: 1, per_page: 2, pages_count, count, items: Array(items).fill({}) }) as never;
  test.each<[what: string, now: [number, number], before: [number, number, number?], is: boolean]>([
    ["fewer pages", [4, 8], [5, 8], true],
    ["as many pages and items", [5, 9], [5, 9], false],
    ["fewer items", [5, 8], [5, 9], true],
    ["more items", [5, 10], [5, 9], false],
    ["more pages", [6, 11], [5, 9], false],
    ["the last page of messages, whose `count` is their own", [5, 1], [5, 2], false],
    ["fewer pages of messages", [4, 1], [5, 2], true],
  ])("%s: %j after %j", (_, now, before, is) => {
    expect(hasShrunk(numbers(...now), numbers(...before))).toBe(is);
  });
});

describe("what has moved to a page that is read again", () => {
  const ids = (...all: (number | undefined)[]) =>
    pageOf(
      1,
      all.map((id) => (id === undefined ? {} : { id })),
    );
  test.each<[what: string, again: Page<Item>, before: Page<Item>, moved: number[]]>([
    ["nothing", ids(1, 2, 3), ids(1, 2, 3), []],
    ["what stands behind those that are left", ids(2, 3, 4, 5), ids(1, 2, 3), [4, 5]],
    ["not what stands in front of them", ids(9, 2, 3, 4), ids(1, 2, 3), [4]],
    ["not what stands between them", ids(2, 9, 3, 4), ids(1, 2, 3), [4]],
    ["nothing that is certain, where none is left", ids(4, 5, 6), ids(1, 2, 3), []],
    ["nothing that has no id", ids(2, undefined, 4), ids(1, 2, undefined), [4]],
    ["nothing, where none has an id", ids(undefined, undefined), ids(undefined), []],
  ])("%s", (_, again, before, moved) => {
    expect(movedTo(again, before).map(({ id }) => id)).toEqual(moved);
  });
});

/** A walk over pages that are given, and how many were asked for. */
const walkOver = (...pages: readonly (readonly Item[])[]) => {
  const state = { asked: 0, returned: 0 };
  const source: AsyncIterator<never, undefined> = {
    next: async () => {
      const items = pages[state.asked];
      state.asked += 1;
      return items
        ? { done: false, value: pageOf(state.asked, items) }
        : { done: true, value: undefined };
    },
    return: async () => {
      state.returned += 1;
      return { done: true, value: undefined };
    },
  };
  return { walk: new ItemWalk<Item>(source), state };
};

describe("items", () => {
  const all = async (walk: ItemWalk<Item>) => {
    const items: Item[] = [];
    for await (const item of walk) items.push(item);
    return items;
  };

  test("of a page that begins with items of the page before come once", async () => {
    const { walk } = walkOver(
      [{ id: 1 }, { id: 2 }],
      [{ id: 2 }, { id: 1 }, { id: 3 }],
      [{ id: 3 }, { id: 4 }],
    );
    expect(await all(walk)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
  });

  test("without ids all come, also beside items that were there before", async () => {
    const { walk } = walkOver([{}, { id: 2 }], [{ id: 2 }, {}, {}], [{}, {}]);
    expect(await all(walk)).toEqual([{}, { id: 2 }, {}, {}, {}, {}]);
  });

  test("that are asked for at once come in order, and each once", async () => {
    const { walk, state } = walkOver([{ id: 1 }, { id: 2 }], [{ id: 3 }]);
    const results = await Promise.all(Array.from({ length: 5 }, () => walk.next()));
    expect(results.map(({ value }) => value?.id)).toEqual([1, 2, 3, undefined, undefined]);
    expect(results.map(({ done }) => done)).toEqual([false, false, false, true, true]);
    expect(state.asked).toBeGreaterThan(2);
  });

  test("of a page that is there are handed out while nothing is asked for", async () => {
    const { walk, state } = walkOver([{ id: 1 }, { id: 2 }], [{ id: 3 }]);
    await walk.next();
    await new Promise((resolve) => setTimeout(resolve));
    expect((await walk.next()).value).toEqual({ id: 2 });
    expect(state.asked).toBe(1);
  });

  test("end when the walk is left, and leave the pages too", async () => {
    const { walk, state } = walkOver([{ id: 1 }, { id: 2 }], [{ id: 3 }]);
    await walk.next();
    expect(await walk.return()).toEqual({ done: true, value: undefined });
    expect(state.returned).toBe(1);
  });

  test("may be left where the pages cannot", async () => {
    const walk = new ItemWalk<Item>({ next: async () => ({ done: true, value: undefined }) });
    expect(await walk.return()).toEqual({ done: true, value: undefined });
  });
});

describe("what a walk says", () => {
  test("of a page that repeats the one before", async () => {
    const { lists } = pagedBy((asked) => ({
      ...pageBody(asked, itemsOf(1, 6)),
      lists: itemsOf(1, 2),
      filler: "x".repeat(100_000),
    }));
    const error = await lists
      .list({ per_page: 2 })
      .toArray()
      .catch((thrown) => thrown);
    expect(error.message).toBe(
      "GET /api/v2/lists: 200, but its `page` must be another page than the one before, whose items it repeats",
    );
    expect(error.issues).toEqual([
      {
        code: "custom",
        path: ["page"],
        message: "must be another page than the one before, whose items it repeats",
      },
    ]);
    expect(error.body).toHaveLength(65_536);
    expect(error.resume).toEqual({ page: 2, per_page: 2 });
  });

  test("of a page that repeats the one before, in events, and of how many attempts it took", async () => {
    let asked = 0;
    const events: ClientEvent[] = [];
    const { lists } = pagedBy(
      (question) => {
        asked += 1;
        if (asked === 2) return new Response("busy", { status: 503 });
        return { ...pageBody(question, itemsOf(1, 6)), lists: itemsOf(1, 2) };
      },
      { retry: { backoff: { initial: 0 } }, onEvent: (event) => events.push(event) },
    );
    const error = await lists
      .list({ per_page: 2 })
      .toArray()
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "response_validation", attempts: 2, outcome: "unknown" });
    expect(events.at(-1)).toMatchObject({ type: "failed", code: error.code, attempts: 2 });
  });

  test("of a page after the last", async () => {
    const { lists } = pagedBy((asked) => pageBody(asked, itemsOf(1, 6)));
    const last = await lists.list({ page: 3, per_page: 2 });
    const error = await last.getNextPage().catch((thrown) => thrown);
    expect(error).toEqual(new RangeError("there is no next page: this is 3 of 3"));
  });
});

describe("a list that has shrunk", () => {
  const shrinking = (bend: (page: number, body: object) => object = (_, body) => body) => {
    let all = itemsOf(1, 11);
    const seen: number[] = [];
    return pagedBy((asked) => {
      if (asked.page === 3 && seen.length === 2) all = all.filter(({ id }) => id > 2);
      seen.push(asked.page);
      return bend(seen.length, pageBody(asked, all));
    });
  };

  test("has the page before read once more, by the same size", async () => {
    const { lists, asked, pagesAsked } = shrinking();
    const pages = [];
    for await (const page of lists.list({ per_page: 4 }).pages()) pages.push(page);
    expect(pages.map(({ items }) => items.map(({ id }) => id))).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10, 11],
    ]);
    expect(pages.map(({ page }) => page)).toEqual([1, 2, 3]);
    expect(pagesAsked()).toEqual([1, 2, 3, 2]);
    expect(new Set(asked.map(({ perPage }) => perPage))).toEqual(new Set([4]));
  });

  test("tells what it can where the page that is read again is another", async () => {
    const { lists } = shrinking((turn, body) => (turn === 4 ? { ...body, page: 1 } : body));
    const error = await lists
      .list({ per_page: 4 })
      .toArray()
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "response_validation", resume: { page: 3, per_page: 4 } });
  });
});
