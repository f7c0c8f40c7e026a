// Walks over lists that change between two pages.
import type { ClientEvent, MessagingServiceError } from "messaging-service-client";
import { describe, expect, test } from "vitest";
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

describe("a list that grows", () => {
  test("a list that grows yields each record once, wherever the new records are", async () => {
    const list = changingList(upTo(4));
    list.beforePage(2, (ids) => ids.toSpliced(2, 0, 1000).toSpliced(1, 0, 1001));
    expect(list.now()).toEqual([1, 2, 3, 4]);
    expect(idsOf(await list.client().lists.list({ per_page: 3 }).toArray())).toEqual([
      ...[1, 2, 3, 1000, 4],
    ]);
    expect(list.now()).toEqual([1, 1001, 2, 1000, 3, 4]);
  });

  test("a list that grows yields each record once, also through pages() and getNextPage()", async () => {
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

  test.each([4, 7, 9, 30, 97])(
    "a list that grows by %i records at once yields each record once, although a page has three",
    async (newcomers) => {
      const list = changingList(upTo(300));
      list.beforePage(80, (ids) => [
        ...itemsOf(1001, 1000 + newcomers).map(({ id }) => id),
        ...ids,
      ]);
      const ids = idsOf(await list.client().lists.list({ per_page: 3 }).toArray());
      expect(ids).toEqual(upTo(300));
    },
  );

  test("a list that grows with every page yields each record once, and ends", async () => {
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

  test("a list that grows by more records than the walk remembers yields the oldest of them again, as documented", async () => {
    const list = changingList(upTo(1200));
    list.beforePage(4, (ids) => [...idsOf(itemsOf(5001, 5250)), ...ids]);
    const ids = idsOf(await list.client().lists.list({ per_page: 200 }).toArray());
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
    // The latest 200 are remembered; 250 were added.
    expect(twice).toEqual(idsOf(itemsOf(351, 400)));
    expect(new Set(ids)).toEqual(new Set(upTo(1200)));
  });
});

describe("a list that shrinks", () => {
  const isLeft = (gone: readonly number[]) => (ids: readonly number[]) =>
    ids.filter((id) => !gone.includes(id));

  test("a list that shrinks has the previous page read once more, with the same size", async () => {
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

  test("a list that shrinks by more than a page has as many pages read again as needed", async () => {
    const list = changingList(upTo(60));
    list.beforePage(4, isLeft(upTo(14)));
    const { lists, pagesAsked } = list.client();
    expect(idsOf(await lists.list({ per_page: 5 }).toArray())).toEqual(upTo(60));
    expect(pagesAsked().slice(0, 7)).toEqual([1, 2, 3, 4, 3, 2, 1]);
  });

  test("a list that shrinks has no page read again if its records have not moved", async () => {
    const list = changingList(upTo(40));
    // Two are removed at the end, one is added at the beginning.
    list.beforePage(2, (ids) => [1000, ...ids.slice(0, -2)]);
    const { lists, pagesAsked } = list.client();
    expect(idsOf(await lists.list({ per_page: 10 }).toArray())).toEqual(upTo(38));
    expect(pagesAsked()).toEqual([1, 2, 3, 4]);
  });

  test("a list that shrinks while another record is added loses none of the remaining records", async () => {
    const list = changingList(upTo(40));
    list.beforePage(3, (ids) => [1000, ...isLeft([2, 3, 17])(ids)]);
    const ids = idsOf(await list.client().lists.list({ per_page: 10 }).toArray());
    expect(ids).toEqual(upTo(40));
  });

  test("a list that shrinks by as many records as are added is not noticed, as documented", async () => {
    const list = changingList(upTo(30));
    list.beforePage(2, (ids) => [...isLeft([1, 2])(ids), 1001, 1002]);
    const ids = idsOf(await list.client().lists.list({ per_page: 10 }).toArray());
    expect(ids).toEqual([...upTo(30).filter((id) => id !== 11 && id !== 12), 1001, 1002]);
  });

  test("a list that shrinks by all records that the walk remembers does not yield older records again", async () => {
    const list = changingList(upTo(400));
    list.beforePage(31, isLeft(idsOf(itemsOf(201, 300))));
    const { lists, asked } = list.client();
    const ids = idsOf(await lists.list({ per_page: 10 }).toArray());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(300);
    // The walk looks for a known record on every page that could hold one.
    expect(asked.length).toBeLessThan(30 + 1 + 21 + 1);
  });

  test("a list that shrinks while a page is read again ends the search at a page that exists", async () => {
    const list = changingList(upTo(45));
    list.beforePage(5, isLeft(upTo(20)));
    const { lists } = pagedBy((asked) => {
      const body = list.respond(asked);
      // Page 3 no longer exists when it is read again.
      if (list.now().length < 45 && asked.page === 3) {
        return { ...pageBody({ ...asked, page: 2 }, itemsOf(21, 40)), page: 2 };
      }
      return body;
    });
    const ids = idsOf(await lists.list({ per_page: 10 }).toArray());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(upTo(40)));
  });

  test("a list that shrinks fails with the position to resume from if the page that is read again fails", async () => {
    const list = changingList(upTo(11));
    list.beforePage(3, isLeft([1, 2]));
    let turn = 0;
    const { lists } = pagedBy((asked) => {
      turn += 1;
      return turn === 4 ? { ...list.respond(asked), page: 1 } : list.respond(asked);
    });
    const error = await errorOf(lists.list({ per_page: 4 }).toArray());
    expect(error).toMatchObject({ code: "response_validation", resume: { page: 3, per_page: 4 } });
  });

  test("a list that shrinks and whose records have no ids yields none of them twice", async () => {
    let count = 25;
    const { lists } = pagedBy((asked) => {
      if (asked.page === 3) count = 22;
      return pageBody(asked, Array(count).fill({}));
    });
    expect(await lists.list({ per_page: 10 }).toArray()).toHaveLength(22);
  });
});

describe("records without ids", () => {
  test("records without ids are all yielded, even on a page with known records", async () => {
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

describe("a page that repeats the previous page", () => {
  const message = "must not repeat the previous page";

  test("a page that repeats the previous page is an error that describes it and has the position to resume from", async () => {
    const { lists } = pagedBy((asked) => ({
      ...pageBody(asked, itemsOf(1, 6)),
      lists: itemsOf(1, 2),
      filler: "x".repeat(100_000),
    }));
    const error = await errorOf<MessagingServiceError & { issues: unknown; body: string }>(
      lists.list({ per_page: 2 }).toArray(),
    );
    expect(error.message).toBe(`GET /api/v2/lists: 200, but its \`page\` ${message}`);
    expect(error.issues).toEqual([{ code: "custom", path: ["page"], message }]);
    expect(error.body).toHaveLength(65_536);
    expect(error.resume).toMatchObject({ page: 2, per_page: 2, after: { ids: [1, 2] } });
  });

  test("a page that repeats the previous page is reported like any other failure, with its attempts", async () => {
    let asked = 0;
    const events: ClientEvent[] = [];
    const { lists } = pagedBy(
      (question) => {
        asked += 1;
        // The request after the previous page was read again.
        if (asked === 4) return new Response("busy", { status: 503 });
        return { ...pageBody(question, itemsOf(1, 6)), lists: itemsOf(1, 2) };
      },
      { retry: { backoff: { initial: 0 } }, onEvent: (event) => events.push(event) },
    );
    const error = await errorOf(lists.list({ per_page: 2 }).toArray());
    expect(error).toMatchObject({ code: "response_validation", attempts: 2, outcome: "unknown" });
    expect(events.at(-1)).toMatchObject({ type: "failed", code: "response_validation" });
  });

  test("a page that repeats the previous page is accepted if new records have moved the page there", async () => {
    const list = changingList(upTo(6));
    // As many are added at the beginning as are removed at the end, so the numbers of the list stay the same.
    list.beforePage(2, (ids) => [1001, 1002, ...ids.slice(0, -2)]);
    const { lists, pagesAsked } = list.client();
    expect(idsOf(await lists.list({ per_page: 2 }).toArray())).toEqual([1, 2, 3, 4]);
    expect(pagesAsked()).toEqual([1, 2, 1, 3]);
  });

  test("a page that repeats the previous page is an error even after a stored position", async () => {
    const { lists } = pagedBy((asked) => ({
      ...pageBody(asked, itemsOf(1, 6)),
      lists: itemsOf(1, 2),
    }));
    const { next } = await lists.list({ per_page: 2 });
    const stored = JSON.parse(JSON.stringify(next));
    expect(await errorOf(lists.list(stored))).toMatchObject({ code: "response_validation" });
  });
});
