// Walks over lists that change between two pages.
import { describe, expect, test } from "vitest";
import type { List, Page } from "../../../src/index.ts";
import { errorOf } from "../../support/calls.ts";
import {
  changingList,
  collect,
  idsOf,
  itemsOf,
  pageBody,
  pagedBy,
  upTo,
} from "../../support/pages.ts";

describe("a walk over a list that grows", () => {
  test("a walk over a growing list yields each record once, wherever new records appear", async () => {
    const list = changingList(upTo(4));
    list.beforePage(2, (ids) => ids.toSpliced(2, 0, 1000).toSpliced(1, 0, 1001));
    expect(list.now()).toEqual([1, 2, 3, 4]);
    expect(idsOf(await list.client().lists.list({ per_page: 3 }).toArray())).toEqual([
      ...[1, 2, 3, 1000, 4],
    ]);
    expect(list.now()).toEqual([1, 1001, 2, 1000, 3, 4]);
  });

  test("pages() and getNextPage() of a growing list yield each record once", async () => {
    const list = changingList(upTo(4));
    list.beforePage(2, (ids) => ids.toSpliced(2, 0, 1000).toSpliced(1, 0, 1001));
    const pages = await collect(list.client().lists.list({ per_page: 3 }).pages());
    expect(pages.map(({ items }) => idsOf(items))).toEqual([
      [1, 2, 3],
      [1000, 4],
    ]);

    list.reset(upTo(4));
    const first = await list.client().lists.list({ per_page: 3 });
    const second = await first.getNextPage();
    expect(idsOf(second.items)).toEqual([1000, 4]);
    expect(second).toMatchObject({ page: 2, count: 6, pages_count: 2 });
  });

  test.each([
    {
      name: "grows by less than a page before each page",
      change: (ids: readonly number[], page: number) => [1000 + page, 2000 + page, ...ids],
      expected: [[1, 2, 3], [4], [5], [6], [7], [8, 9]],
    },
    {
      name: "loses more than a page",
      change: (ids: readonly number[], page: number) =>
        page === 3 ? ids.filter((id) => id < 4 || id > 7) : ids,
      expected: [
        [1, 2, 3],
        [4, 5, 6],
        [8, 9],
      ],
    },
  ])(
    "getNextPage() repeats no record of any page that led to it if the list $name",
    async ({ change, expected }) => {
      const list = changingList(upTo(9));
      for (const page of [2, 3, 4, 5]) list.beforePage(page, (ids) => change(ids, page));
      for (const isWalk of [false, true]) {
        list.reset(upTo(9));
        const lists = list.client().lists.list({ per_page: 3 });
        let page: Page<List> = isWalk ? (await lists.pages().next()).value : await lists;
        const pages = [page];
        while (page.hasNextPage()) {
          page = await page.getNextPage();
          pages.push(page);
        }
        expect(pages.map(({ items }) => idsOf(items))).toEqual(expected);
      }
    },
  );

  test.each([
    [4, 3, 300, 80],
    [97, 3, 300, 80],
    [997, 100, 3000, 20],
    [1000, 1000, 4500, 4],
  ])(
    "a walk over a list that grows by %i records at once yields each record once, with pages of %i records",
    async (newcomers, per_page, count, page) => {
      const list = changingList(upTo(count));
      list.beforePage(page, (ids) => [...idsOf(itemsOf(9001, 9000 + newcomers)), ...ids]);
      const ids = idsOf(await list.client().lists.list({ per_page }).toArray());
      expect(ids).toEqual(upTo(count));
    },
  );

  test("a walk yields a record once that new records move to each of many pages", async () => {
    const list = changingList(upTo(20_000));
    for (let page = 2; page <= 15; page += 1) {
      const first = page * 100_000;
      list.beforePage(page, (ids) =>
        ids.toSpliced(ids.indexOf(1000), 0, ...idsOf(itemsOf(first, first + 998))),
      );
    }
    const ids = idsOf(await list.client().lists.list().toArray({ limit: 20_000 }));
    expect(ids.filter((id) => id === 1000)).toHaveLength(1);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("a walk over a list that grows with every page yields each record once, and ends", async () => {
    let newest = 1000;
    const list = changingList(upTo(20));
    for (let page = 2; page < 12; page += 1) {
      list.beforePage(page, (ids) => {
        newest += 10;
        return [...idsOf(itemsOf(newest - 9, newest)), ...ids];
      });
    }
    const client = list.client();
    expect(idsOf(await client.lists.list({ per_page: 10 }).toArray())).toEqual(upTo(20));
    expect(client.asked).toHaveLength(12);
  });

  test.each<[lists: number, per_page: number, newcomers: number, requests: number]>([
    // Fewer new records than a page between two requests, any number of times.
    [300, 10, 9, 300],
    [3000, 100, 99, 150],
    [3000, 1000, 999, 20],
    [3000, 1000, 500, 40],
    // More new records than a page, but fewer than 5000 in total.
    [300, 100, 900, 3],
    [300, 100, 700, 4],
    [300, 250, 700, 4],
    [300, 10, 999, 5],
    [300, 200, 4990, 1],
  ])(
    "a walk over %i lists, %i a page, to which %i are added before each of the next %i requests, yields each record once",
    async (count, per_page, newcomers, requests) => {
      let ids: readonly number[] = upTo(count);
      let newest = 1_000_000;
      const { lists, asked } = pagedBy((question) => {
        if (asked.length > 1 && asked.length <= requests + 1) {
          newest += newcomers;
          ids = [...idsOf(itemsOf(newest - newcomers + 1, newest)), ...ids];
        }
        return pageBody(
          question,
          ids.map((id) => ({ id })),
        );
      });
      const walked = idsOf(await lists.list({ per_page }).toArray());
      expect(walked.filter((id, index) => walked.indexOf(id) !== index)).toEqual([]);
      expect(walked.filter((id) => id <= count)).toEqual(upTo(count));
    },
  );

  test("a walk over a list that grows by more records than it remembers repeats some of them, as documented", async () => {
    const list = changingList(upTo(15_000));
    list.beforePage(13, (ids) => [...idsOf(itemsOf(50_001, 61_000)), ...ids]);
    const ids = idsOf(await list.client().lists.list().toArray());
    const found = new Set(ids);
    expect(found.size).toBeLessThan(ids.length);
    expect(upTo(15_000).filter((id) => !found.has(id))).toEqual([]);
  });
});

describe("a walk over a list that shrinks", () => {
  const isLeft = (gone: readonly number[]) => (ids: readonly number[]) =>
    ids.filter((id) => !gone.includes(id));

  test("a walk over a shrinking list reads the previous page once more, with the same size", async () => {
    const list = changingList(upTo(11));
    list.beforePage(3, isLeft([1, 2]));
    const { lists, asked, pagesAsked } = list.client();
    const pages = await collect(lists.list({ per_page: 4 }).pages());
    expect(pages.map(({ items }) => idsOf(items))).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10, 11],
    ]);
    expect(pages.map(({ page }) => page)).toEqual([1, 2, 3]);
    expect(pagesAsked()).toEqual([1, 2, 3, 2]);
    expect(new Set(asked.map(({ perPage }) => perPage))).toEqual(new Set([4]));
  });

  test.each([
    ["has fallen: it has not", 25, [1, 2, 3]],
    ["has fallen: it has", 20, [1, 2, 3, 2]],
  ])(
    "a walk over pages that count only their own records reads a page again only if pages_count %s",
    async (_, count, pages) => {
      let all = itemsOf(1, 25);
      const { lists, pagesAsked } = pagedBy((asked) => {
        if (asked.page === 3) all = itemsOf(26 - count, 25);
        const body = pageBody(asked, all);
        return { ...body, count: body.lists.length };
      });
      expect(idsOf(await lists.list({ per_page: 10 }).toArray())).toEqual(upTo(25));
      expect(pagesAsked()).toEqual(pages);
    },
  );

  test("a walk over a list that loses as many records as it gains does not detect it, as documented", async () => {
    const list = changingList(upTo(30));
    list.beforePage(2, (ids) => [...isLeft([1, 2])(ids), 1001, 1002]);
    const ids = idsOf(await list.client().lists.list({ per_page: 10 }).toArray());
    expect(ids).toEqual([...upTo(30).filter((id) => id !== 11 && id !== 12), 1001, 1002]);
  });

  test.each([
    ["as many as a page has", [upTo(10)], [1, 2, 3, 2]],
    ["at once", [upTo(13)], [1, 2, 3, 2, 1]],
    ["while the walk reads a page again", [upTo(6), idsOf(itemsOf(7, 13))], [1, 2, 3, 2, 1, 4, 3]],
    [
      "in as many parts as it has pages",
      [
        [1, 2],
        [3, 4],
        [5, 6],
        [7, 8],
      ],
      [1, 2, 3, 2, 4, 3],
    ],
  ])(
    "a walk over a list that loses records %s reads as many pages again as they may have moved to",
    async (_, parts, expected) => {
      let left: readonly number[] = upTo(40);
      const { lists, pagesAsked } = pagedBy((asked) => {
        if (pagesAsked().length > 2) left = isLeft(parts.shift() ?? [])(left);
        return pageBody(
          asked,
          left.map((id) => ({ id })),
        );
      });
      expect(idsOf(await lists.list({ per_page: 10 }).toArray())).toEqual(upTo(40));
      expect(pagesAsked()).toEqual(expected);
    },
  );

  test("a walk over thousands of lists that lose their end repeats none", async () => {
    const list = changingList(upTo(8000));
    list.beforePage(6, () => upTo(5500));
    const { lists, pagesAsked } = list.client();
    expect(idsOf(await lists.list().toArray())).toEqual(upTo(5500));
    expect(pagesAsked()).toEqual([1, 2, 3, 4, 5, 6, 5]);
  });

  test.each([
    ["an empty page", false],
    ["its last page again", true],
  ])(
    "a walk over a list that ends before the previous page reads its last pages once more: %s",
    async (_, clamps) => {
      const list = changingList(upTo(45));
      list.beforePage(4, isLeft(upTo(29)));
      const { lists, pagesAsked } = pagedBy((asked) => {
        const body = list.respond(asked);
        const last = Math.ceil(list.now().length / asked.perPage);
        return clamps && asked.page > last ? list.respond({ ...asked, page: last }) : body;
      });
      expect(idsOf(await lists.list({ per_page: 10 }).toArray())).toEqual(upTo(45));
      expect(pagesAsked()).toEqual(clamps ? [1, 2, 3, 4, 1] : [1, 2, 3, 4, 2, 1]);
    },
  );

  test("a walk over a shrinking list fails with the position to resume from if reading a page again fails", async () => {
    const list = changingList(upTo(11));
    list.beforePage(3, isLeft([1, 2]));
    let turn = 0;
    const { lists } = pagedBy((asked) => {
      turn += 1;
      return turn === 4 ? { ...list.respond(asked), page: 1 } : list.respond(asked);
    });
    const error = await errorOf(lists.list({ per_page: 4 }).toArray());
    expect(error).toMatchObject({ code: "response_validation", resume: { page: 2, per_page: 4 } });
  });

  test("a walk over a shrinking list whose records have no ids repeats none", async () => {
    let count = 25;
    const { lists } = pagedBy((asked) => {
      if (asked.page === 3) count = 22;
      return pageBody(asked, Array(count).fill({}));
    });
    expect(await lists.list({ per_page: 10 }).toArray()).toHaveLength(22);
  });
});

describe("a walk over records without ids", () => {
  test("a walk yields all records without ids, even on a page with known records", async () => {
    const { lists } = pagedBy((asked) => ({
      ...pageBody(asked, itemsOf(1, 6)),
      lists: [
        [{}, { id: 2 }],
        [{ id: 2 }, {}],
        [{}, {}],
      ][asked.page - 1],
    }));
    const items = await lists.list({ per_page: 2 }).toArray();
    expect(items).toEqual([{}, { id: 2 }, {}, {}, {}]);
  });
});
