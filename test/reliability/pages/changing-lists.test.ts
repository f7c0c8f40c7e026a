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

  test.each([4, 7, 9, 30, 97])(
    "a walk over a list that grows by %i records at once yields each record once, with pages of three records",
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

  test("a walk over a list that grows by more records than it remembers repeats the oldest of them, as documented", async () => {
    const list = changingList(upTo(1200));
    list.beforePage(4, (ids) => [...idsOf(itemsOf(5001, 5250)), ...ids]);
    const ids = idsOf(await list.client().lists.list({ per_page: 200 }).toArray());
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
    // The latest 200 are remembered; 250 were added.
    expect(twice).toEqual(idsOf(itemsOf(351, 400)));
    expect(new Set(ids)).toEqual(new Set(upTo(1200)));
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

  test("a walk over a list that shrinks by several pages reads as many pages again as needed", async () => {
    const list = changingList(upTo(60));
    list.beforePage(4, isLeft(upTo(14)));
    const { lists, pagesAsked } = list.client();
    expect(idsOf(await lists.list({ per_page: 5 }).toArray())).toEqual(upTo(60));
    expect(pagesAsked().slice(0, 7)).toEqual([1, 2, 3, 4, 3, 2, 1]);
  });

  test("a walk over a shrinking list reads no page again if its records have not moved", async () => {
    const list = changingList(upTo(40));
    // Two records are removed at the end, and one is added at the beginning.
    list.beforePage(2, (ids) => [1000, ...ids.slice(0, -2)]);
    const { lists, pagesAsked } = list.client();
    expect(idsOf(await lists.list({ per_page: 10 }).toArray())).toEqual(upTo(38));
    expect(pagesAsked()).toEqual([1, 2, 3, 4]);
  });

  test("a walk over a list that loses and gains records misses none of the remaining records", async () => {
    const list = changingList(upTo(40));
    list.beforePage(3, (ids) => [1000, ...isLeft([2, 3, 17])(ids)]);
    const ids = idsOf(await list.client().lists.list({ per_page: 10 }).toArray());
    expect(ids).toEqual(upTo(40));
  });

  test("a walk over a list that loses as many records as it gains does not notice, as documented", async () => {
    const list = changingList(upTo(30));
    list.beforePage(2, (ids) => [...isLeft([1, 2])(ids), 1001, 1002]);
    const ids = idsOf(await list.client().lists.list({ per_page: 10 }).toArray());
    expect(ids).toEqual([...upTo(30).filter((id) => id !== 11 && id !== 12), 1001, 1002]);
  });

  test("a walk over a list that loses all records that the walk remembers repeats no older records", async () => {
    const list = changingList(upTo(400));
    list.beforePage(31, isLeft(idsOf(itemsOf(201, 300))));
    const { lists, asked } = list.client();
    const ids = idsOf(await lists.list({ per_page: 10 }).toArray());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(300);
    // The walk looks for a known record on every page that could contain one.
    expect(asked.length).toBeLessThan(30 + 1 + 21 + 1);
  });

  test("a walk over a list that shrinks while a page is read again ends its search at an existing page", async () => {
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

  test("a walk over a shrinking list fails with the position to resume from if reading a page again fails", async () => {
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

describe("a walk that receives the previous page again", () => {
  const message = "must not repeat the previous page";

  test("a walk that receives the previous page again rejects with an error that describes it and has the position to resume from", async () => {
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

  test("a walk that receives the previous page again reports the failure to listeners, with its attempts", async () => {
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

  test("a walk that receives the previous page again accepts it if new records have moved the page", async () => {
    const list = changingList(upTo(6));
    // As many records are added at the beginning as are removed at the end, so the numbers of the list stay the same.
    list.beforePage(2, (ids) => [1001, 1002, ...ids.slice(0, -2)]);
    const { lists, pagesAsked } = list.client();
    expect(idsOf(await lists.list({ per_page: 2 }).toArray())).toEqual([1, 2, 3, 4]);
    expect(pagesAsked()).toEqual([1, 2, 1, 3]);
  });

  test("a walk from a stored position rejects if it receives the previous page again", async () => {
    const { lists } = pagedBy((asked) => ({
      ...pageBody(asked, itemsOf(1, 6)),
      lists: itemsOf(1, 2),
    }));
    const { next } = await lists.list({ per_page: 2 });
    const stored = JSON.parse(JSON.stringify(next));
    expect(await errorOf(lists.list(stored))).toMatchObject({ code: "response_validation" });
  });
});
