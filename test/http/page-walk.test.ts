import { describe, expect, test } from "vitest";
import { ItemWalk, isRepeated } from "../../src/http/page-walk.ts";
import { itemsOf, pageBody, pagedBy } from "./pages.ts";

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

  test("of a page after the last", async () => {
    const { lists } = pagedBy((asked) => pageBody(asked, itemsOf(1, 6)));
    const last = await lists.list({ page: 3, per_page: 2 });
    const error = await last.getNextPage().catch((thrown) => thrown);
    expect(error).toEqual(new RangeError("there is no next page: this is 3 of 3"));
  });
});
