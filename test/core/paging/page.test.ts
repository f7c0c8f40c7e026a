import { describe, expect, test, vi } from "vitest";
import { errorOf } from "../../support/calls.ts";
import {
  changingList,
  collect,
  idsOf,
  itemsOf,
  pageBody,
  pagedBy,
  upTo,
  withLists,
} from "../../support/pages.ts";

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe("a page promise", () => {
  test("a page promise sends nothing until it is awaited or iterated", async () => {
    const { lists, asked } = withLists(3);
    const promise = lists.list();
    promise.pages();
    promise[Symbol.asyncIterator]();
    await tick();
    expect(asked).toEqual([]);
    expect(Object.prototype.toString.call(promise)).toBe("[object PagePromise]");
  });

  test("a page promise sends one request, however it is awaited and how often", async () => {
    const { lists, asked } = withLists(3);
    const promise = lists.list();
    const settled = vi.fn();
    const [first, second, third, { data, response, body }] = await Promise.all([
      promise,
      promise.then((page) => page),
      promise.finally(settled),
      promise.withResponse(),
    ]);
    expect(await promise.catch(() => {})).toBe(first);
    expect([second, third, data]).toEqual([first, first, first]);
    expect(settled).toHaveBeenCalledTimes(1);
    expect(response.status).toBe(200);
    expect(body).toMatchObject({ lists: itemsOf(1, 3), pages_count: 1 });
    expect(asked).toHaveLength(1);
  });

  test("a page promise rejects with the same error each time it is awaited, after one request", async () => {
    const { lists, asked } = pagedBy(() => new Response("{}", { status: 404 }));
    const promise = lists.list();
    const settled = vi.fn();
    const error = await errorOf(promise);
    expect(error).toMatchObject({ code: "not_found" });
    expect(error.resume).toBeUndefined();
    expect(await promise.catch((caught) => caught)).toBe(error);
    expect(await errorOf(promise.finally(settled))).toBe(error);
    expect(await errorOf(promise.withResponse())).toBe(error);
    expect(await promise.then(undefined, () => "handled")).toBe("handled");
    expect(settled).toHaveBeenCalledTimes(1);
    expect(asked).toHaveLength(1);
  });

  test("a page promise that is awaited sends no page size, and gets the service's default", async () => {
    const { lists, asked } = withLists(25);
    const page = await lists.list();
    expect(asked[0]?.url.search).toBe("");
    expect(page).toMatchObject({ page: 1, per_page: 10, count: 25, pages_count: 3 });
    expect(idsOf(page.items)).toEqual(upTo(10));
  });

  test("a page beyond the last page is empty, even if the service sends its last page", async () => {
    const { lists } = pagedBy(({ perPage }) => pageBody({ page: 3, perPage }, itemsOf(1, 25)));
    expect(await lists.list({ page: 5 })).toMatchObject({ page: 5, items: [], next: null });
  });

  test("a page promise never changes the objects that the caller passed", async () => {
    const { lists } = withLists(25);
    const params = Object.freeze({ page: 2, per_page: 5, include_deleted: false });
    const options = Object.freeze({ prefetch: true, signal: new AbortController().signal });
    await lists.list(params, options);
    expect(await lists.list(params, options).toArray()).toHaveLength(20);
    expect(params).toEqual({ page: 2, per_page: 5, include_deleted: false });
  });
});

describe("a page", () => {
  test("a page leads to the next pages, with the same size and filters", async () => {
    const { lists, asked } = withLists(25);
    const ids: number[][] = [];
    let page = await lists.list({ include_deleted: false });
    for (;;) {
      ids.push(idsOf(page.items));
      if (!page.hasNextPage()) break;
      page = await page.getNextPage();
    }
    expect(ids.flat()).toEqual(upTo(25));
    expect(ids).toHaveLength(3);
    const filter = "include_deleted=false";
    expect(asked.map(({ url }) => url.search)).toEqual([
      `?${filter}`,
      expect.stringMatching(`per_page=10`),
      expect.stringMatching(`per_page=10`),
    ]);
    for (const { url } of asked) expect(url.search).toContain(filter);
    expect(await errorOf(page.getNextPage())).toBeInstanceOf(RangeError);
  });

  test.each([
    [0, 1, "page 1 of 0"],
    [3, 1, "page 1 of 1"],
    [3, 5, "page 5 of 1"],
  ])("with %i lists, page %i has no next page", async (count, number, place) => {
    const page = await withLists(count).lists.list({ page: number });
    expect(page.hasNextPage()).toBe(false);
    const error = await errorOf(page.getNextPage());
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toBe(`there is no next page: this is ${place}`);
    expect(await collect(page)).toHaveLength(page.items.length);
  });

  test("iteration over a page starts with its own records, without a further request", async () => {
    const { lists, asked, pagesAsked } = withLists(25);
    const page = await lists.list({ page: 2, per_page: 10 });
    const walk = page[Symbol.asyncIterator]();
    for (let id = 11; id <= 20; id += 1) expect((await walk.next()).value).toEqual({ id });
    expect(asked).toHaveLength(1);
    expect(idsOf(await collect(page))).toEqual(idsOf(itemsOf(11, 25)));
    expect(pagesAsked()).toEqual([2, 3]);
    expect(asked[1]).toMatchObject({ perPage: 10 });
  });

  test("iteration over a page prefetches if the call of the page has that option", async () => {
    const { lists, pagesAsked } = withLists(25);
    const page = await lists.list({}, { prefetch: true });
    const walk = page[Symbol.asyncIterator]();
    await walk.next();
    await tick();
    expect(pagesAsked()).toEqual([1, 2]);
  });

  test("a page that no longer exists when it is requested has no records", async () => {
    let count = 25;
    const { lists } = pagedBy(({ page, perPage }) => {
      const last = Math.ceil(count / perPage);
      return pageBody({ page: Math.min(page, last), perPage }, itemsOf(1, count));
    });
    const page = await lists.list();
    count = 10;
    const next = await page.getNextPage();
    expect(next).toMatchObject({ page: 2, items: [], pages_count: 1 });
    expect(next.hasNextPage()).toBe(false);
    expect(await collect(next)).toEqual([]);
  });

  test("a page from getNextPage() repeats no record of the previous page, and misses no record that moved there", async () => {
    const list = changingList(upTo(25));
    const { lists, pagesAsked } = list.client();
    const page = await lists.list();
    list.reset([1000, ...upTo(25)]);
    expect(idsOf((await page.getNextPage()).items)).toEqual(idsOf(itemsOf(11, 19)));
    list.reset(idsOf(itemsOf(4, 25)));
    expect(idsOf((await page.getNextPage()).items)).toEqual(idsOf(itemsOf(11, 23)));
    expect(pagesAsked()).toEqual([1, 2, 2, 1]);
  });
});

test("a page of a walk that went on leads to the records of the page after it", async () => {
  const { lists } = withLists(25);
  const pages = await collect(lists.list({ per_page: 10 }).pages());
  expect(idsOf((await pages[0]?.getNextPage())?.items ?? [])).toEqual(idsOf(itemsOf(11, 20)));
});

describe("iteration", () => {
  test("iteration requests the largest pages, and omits the number of the first page", async () => {
    const { lists, asked } = withLists(1001);
    expect(idsOf(await collect(lists.list()))).toEqual(upTo(1001));
    expect(asked.map(({ url }) => url.search)).toEqual(["?per_page=1000", "?page=2&per_page=1000"]);
  });

  test("iteration starts at `page`, and requests pages of `per_page` records", async () => {
    const { lists, asked } = withLists(25);
    const ids = idsOf(await collect(lists.list({ page: 2, per_page: 7 })));
    expect(ids).toEqual(idsOf(itemsOf(8, 25)));
    expect(asked).toMatchObject([2, 3, 4].map((page) => ({ page, perPage: 7 })));
  });

  test("iteration starts a new walk each time, independent of an awaited page", async () => {
    const { lists, pagesAsked } = withLists(25);
    const promise = lists.list({ per_page: 20 });
    expect(await promise.toArray()).toHaveLength(25);
    expect(await collect(promise)).toHaveLength(25);
    await promise;
    expect(await collect(promise.pages())).toHaveLength(2);
    expect(pagesAsked()).toEqual([1, 2, 1, 2, 1, 1, 2]);
  });

  test("iteration ends at `pages_count`, whatever the value of `count`", async () => {
    const counted = (count: number) =>
      pagedBy((asked) => ({ ...pageBody(asked, itemsOf(1, 25)), count }));
    for (const count of [0, 1, 1_000_000]) {
      const { lists, asked } = counted(count);
      expect(await lists.list({ per_page: 10 }).toArray()).toHaveLength(25);
      expect(asked).toHaveLength(3);
    }
  });

  test.each([0, 1])(
    "iteration of an empty list ends after one call: page %i of 0",
    async (page) => {
      const { lists, asked } = pagedBy(({ perPage }) => pageBody({ page, perPage }, []));
      expect(await lists.list().toArray()).toEqual([]);
      expect(asked).toHaveLength(1);
    },
  );

  test("iteration of pages yields each page with its numbers and records", async () => {
    const { lists } = withLists(5);
    const pages = await collect(lists.list({ per_page: 2 }).pages());
    expect(pages).toMatchObject([
      { page: 1, per_page: 2, count: 5, pages_count: 3, items: itemsOf(1, 2) },
      { page: 2, items: itemsOf(3, 4) },
      { page: 3, items: itemsOf(5, 5) },
    ]);
    expect(idsOf(await collect(pages[1] ?? []))).toEqual([3, 4, 5]);
  });

  test("iteration accepts a page number that is a string if validation is off", async () => {
    const { lists, pagesAsked } = withLists(25, { validateRequests: false });
    const items = await lists.list({ page: "2" as never, per_page: 5 }).toArray();
    expect(idsOf(items)).toEqual(idsOf(itemsOf(6, 25)));
    expect(pagesAsked()).toEqual([2, 3, 4, 5]);
  });
});

describe("toArray", () => {
  test.each([
    [{}, 25, [1, 2, 3]],
    [{ limit: undefined }, 25, [1, 2, 3]],
    [{ limit: 0 }, 0, []],
    [{ limit: 1 }, 1, [1]],
    [{ limit: 10 }, 10, [1]],
    [{ limit: 11 }, 11, [1, 2]],
    [{ limit: 25 }, 25, [1, 2, 3]],
    [{ limit: 99 }, 25, [1, 2, 3]],
  ])("toArray with %j returns %i records, from pages %j", async (options, length, pages) => {
    for (const prefetch of [false, true]) {
      const { lists, pagesAsked } = withLists(25);
      const items = await lists.list({ per_page: 10 }, { prefetch }).toArray(options);
      expect(idsOf(items)).toEqual(upTo(length));
      expect(pagesAsked()).toEqual(pages);
    }
  });
});

describe("concurrent next() calls", () => {
  test("concurrent next() calls get distinct items in order, and then the end", async () => {
    for (const prefetch of [false, true]) {
      const { lists, pagesAsked } = withLists(5);
      const walk = lists.list({ per_page: 2 }, { prefetch })[Symbol.asyncIterator]();
      const results = await Promise.all(Array.from({ length: 8 }, () => walk.next()));
      expect(results.map(({ value }) => value?.id)).toEqual([1, 2, 3, 4, 5, ...Array(3)]);
      expect(results.map(({ done }) => done)).toEqual([
        ...Array(5).fill(false),
        ...Array(3).fill(true),
      ]);
      expect(pagesAsked()).toEqual([1, 2, 3]);
    }
  });

  test("concurrent next() calls get distinct pages in order", async () => {
    const { lists, pagesAsked } = withLists(5);
    const walk = lists.list({ per_page: 2 }).pages();
    const results = await Promise.all(Array.from({ length: 5 }, () => walk.next()));
    expect(results.map(({ value }) => value?.page)).toEqual([1, 2, 3, undefined, undefined]);
    expect(pagesAsked()).toEqual([1, 2, 3]);
  });

  test("concurrent next() calls mixed with single ones keep the order", async () => {
    const { lists } = withLists(40);
    const walk = lists.list({ per_page: 3 })[Symbol.asyncIterator]();
    const ids: unknown[] = [];
    for (let round = 0; round < 20; round += 1) {
      const steps = Array.from({ length: 1 + (round % 3) }, () => walk.next());
      for (const { value } of await Promise.all(steps)) ids.push(value?.id);
    }
    expect(ids.filter((id) => id !== undefined)).toEqual(upTo(39));
  });

  test("concurrent next() calls reject only for the page that fails, and end the walk", async () => {
    const { lists } = pagedBy((asked) =>
      asked.page === 2 ? new Response("{}", { status: 500 }) : pageBody(asked, itemsOf(1, 5)),
    );
    const walk = lists.list({ per_page: 2 })[Symbol.asyncIterator]();
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => walk.next()));
    expect(results).toMatchObject([
      { value: { value: { id: 1 } } },
      { value: { value: { id: 2 } } },
      { reason: { code: "server", resume: { page: 2, per_page: 2 } } },
      { value: { done: true } },
    ]);
    expect(await walk.next()).toEqual({ done: true, value: undefined });
  });
});
