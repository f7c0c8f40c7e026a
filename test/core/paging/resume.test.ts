// Jobs that store a position (`resume` of an error or `next` of a page) and continue from it.
import type { MessagingServiceError, PagePosition } from "messaging-service-client";
import { describe, expect, test } from "vitest";
import { errorOf } from "../../support/calls.ts";
import { createFake, v2Of } from "../../support/fakes/fake-service.ts";
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

const nextOf = ({ next }: { readonly next: PagePosition | null }): PagePosition => {
  if (next === null) throw new Error("this is the last page");
  return next;
};

const stored = <T>(position: T): T => JSON.parse(JSON.stringify(position));

describe("`next` of a page", () => {
  test("`next` of a page is the position after it, as a plain JSON value", async () => {
    const { next } = await withLists(25).lists.list({ include_deleted: false });
    expect(next).toEqual({
      page: 2,
      per_page: 10,
      include_deleted: false,
    });
    expect(stored(next)).toStrictEqual(next);
  });

  test("`next` of a page is null on the last page, on the only page, and after the last page", async () => {
    const { lists } = withLists(25);
    expect((await lists.list({ page: 3 })).next).toBeNull();
    expect((await lists.list({ page: 7 })).next).toBeNull();
    expect((await lists.list({ per_page: 25 })).next).toBeNull();
    expect((await withLists(0).lists.list()).next).toBeNull();
    expect(stored(await lists.list({ page: 3 }))).toMatchObject({ next: null });
  });

  test("`next` is null on the last page of every walk, even if the list has become shorter", async () => {
    const nextPagesOf = async (lists: ReturnType<typeof withLists>["lists"], params: object) =>
      (await collect(lists.list({ per_page: 10, ...params }).pages())).map(
        ({ next }) => next?.page,
      );
    expect(await nextPagesOf(withLists(25).lists, {})).toEqual([2, 3, undefined]);
    expect(await nextPagesOf(withLists(25).lists, { page: 7 })).toEqual([undefined]);
    expect(await nextPagesOf(withLists(0).lists, {})).toEqual([undefined]);
    for (const clamps of [false, true]) {
      const { lists } = pagedBy((asked) => {
        const page = asked.page === 3 && clamps ? 2 : asked.page;
        return pageBody({ ...asked, page }, itemsOf(1, asked.page === 3 ? 20 : 25));
      });
      const pages = await collect(lists.list({ per_page: 10 }).pages());
      expect(pages.map(({ next }) => next?.page)).toEqual([2, 3, undefined]);
      expect(pages.at(-1)).toMatchObject({ page: 3, items: [], pages_count: 2, next: null });
    }
  });

  test("list refuses the `next` of the last page, so a finished job does not start again", async () => {
    const { lists, scheduledMessages } = withLists(25).v2;
    const { asked, ...client } = withLists(25);
    const finished = stored((await client.lists.list({ page: 3 })).next) as never;
    expect(finished).toBeNull();
    for (const list of [client.lists.list(finished), scheduledMessages.list(1, finished)]) {
      for (const call of [list, list.toArray(), list.pages().next()]) {
        const error = await errorOf(call);
        expect(error).toBeInstanceOf(TypeError);
        expect(error.message).toBe(
          "option `params` must be an object; `null` is the `next` of the last page",
        );
      }
    }
    expect(asked).toHaveLength(1);
    // A job that has not started passes `undefined`, because it has no position.
    expect(await lists.list(undefined).toArray()).toHaveLength(25);
  });

  test("`next` is on every page of a walk, and a job can continue from each", async () => {
    const { lists } = withLists(25);
    const ids: number[] = [];
    let position: PagePosition | null = { page: 1, per_page: 4 };
    while (position) {
      const page: Awaited<ReturnType<typeof lists.list>> = await lists.list(stored(position));
      ids.push(...idsOf(page.items));
      position = page.next;
    }
    expect(ids).toEqual(upTo(25));
  });

  test("`next` of a page starts iterations over pages and over records", async () => {
    const { lists, pagesAsked } = withLists(25);
    const next = nextOf(await lists.list({ per_page: 10 }));
    expect(idsOf(await collect(lists.list(next)))).toEqual(idsOf(itemsOf(11, 25)));
    const pages = await collect(lists.list(next).pages());
    expect(pages.map(({ page }) => page)).toEqual([2, 3]);
    expect(pagesAsked()).toEqual([1, 2, 3, 2, 3]);
  });

  test("`next` of a page sends only page, size and filters", async () => {
    const { lists, asked } = withLists(25);
    await lists.list(nextOf(await lists.list({ include_deleted: false })));
    expect(asked[1]?.url.search).toBe("?page=2&per_page=10&include_deleted=false");
  });

  test("`next` of a page has the requested size, or the size that the service reports, or 10", async () => {
    const sizeTold = async (per_page: unknown, params = {}) => {
      const { lists } = pagedBy((asked) => ({ ...pageBody(asked, itemsOf(1, 25)), per_page }));
      return (await lists.list(params)).next?.per_page;
    };
    expect(await sizeTold(5, { per_page: 7 })).toBe(7);
    expect(await sizeTold(5)).toBe(5);
    for (const odd of [undefined, null, "5", 0, 5000]) expect(await sizeTold(odd)).toBe(10);
  });

  test("`next` of a page has the dates of scheduled messages as UTC days", async () => {
    const service = createFake();
    const { id } = service.addList();
    for (const day of ["02", "03", "04", "05"]) {
      service.addScheduledMessage(id, { name: day, sent_at: `2026-01-${day}T17:00:00.000Z` });
    }
    const { scheduledMessages } = v2Of(service);
    const days = { start_date: new Date("2026-01-03T05:00:00Z"), end_date: "20260104" };
    const page = await scheduledMessages.list(id, { ...days, per_page: 1 });
    const { items } = page;
    const next = nextOf(page);
    expect(items.map(({ name }) => name)).toEqual(["03"]);
    expect(next).toEqual({ page: 2, per_page: 1, start_date: "20260103", end_date: "20260104" });
    const rest = await scheduledMessages.list(id, stored(next)).toArray();
    expect(rest.map(({ name }) => name)).toEqual(["04"]);
  });

  test("`next` of a page omits undocumented query parameters, whose values may be private", async () => {
    const { lists } = withLists(25);
    const params = { search: "+12065550123", per_page: 10 };
    const { next } = await lists.list(params);
    expect(JSON.stringify(next)).not.toContain("5550123");
    expect(Object.keys(next ?? {})).toEqual(["page", "per_page"]);
  });
});

describe("`resume` of an error", () => {
  /** Creates a list whose second page is refused until it is repaired. Records disappear before that page is read. */
  const deleting = (gone: readonly number[]) => {
    const list = changingList(upTo(30));
    let isBroken = true;
    const errors = [{ code: "custom", message: "again, please", path: ["page"] }];
    const client = pagedBy((asked) => {
      if (asked.page === 2 && isBroken) return Response.json({ errors }, { status: 400 });
      return list.respond(asked);
    });
    list.beforePage(2, (ids) => ids.filter((id) => !gone.includes(id)));
    const mend = () => {
      isBroken = false;
    };
    return { ...client, mend };
  };

  test.each([
    ["in front", [1, 2, 3]],
    ["that the walk has read", [4, 9, 10]],
    ["that the walk has not read", [11, 20, 30]],
    ["that are a whole page", upTo(10)],
  ])(
    "a job that starts one page before `resume` misses none of 30 lists if some are deleted %s",
    async (_, gone) => {
      const { lists, mend } = deleting(gone);
      const ids: number[] = [];
      const walk = async (position?: PagePosition) => {
        for await (const { id } of lists.list(position ?? { per_page: 10 })) ids.push(id);
      };
      const { resume } = await errorOf<MessagingServiceError>(walk());
      expect(ids).toEqual(upTo(10));
      mend();
      await walk({ ...stored(resume as PagePosition), page: 1 });
      const left = upTo(30).filter((id) => !gone.includes(id));
      expect(ids).toEqual(expect.arrayContaining(left));
    },
  );

  test("`resume` of an error is the `next` of the previous page", async () => {
    const { lists } = deleting([]);
    const walk = lists.list({ per_page: 10 }).pages();
    const { value: page } = await walk.next();
    const { resume } = await errorOf<MessagingServiceError>(walk.next());
    expect(resume).toEqual(page?.next);
  });

  test("`resume` of an error on the first page is the start of the walk, with its filters", async () => {
    const { lists } = pagedBy(() => new Response("", { status: 500 }));
    const walk = lists.list({ page: 4, per_page: 7, include_deleted: false }).toArray();
    const { resume } = await errorOf<MessagingServiceError>(walk);
    expect(resume).toEqual({ page: 4, per_page: 7, include_deleted: false });
    const again = await errorOf<MessagingServiceError>(lists.list(resume).toArray());
    expect(again.resume).toEqual(resume);
  });

  test("the error of getNextPage() also has `resume`", async () => {
    const { lists } = deleting([]);
    const page = await lists.list({ per_page: 10 });
    const { resume } = await errorOf<MessagingServiceError>(page.getNextPage());
    expect(resume).toEqual(page.next);
  });
});

describe("a damaged position", () => {
  test.each<[what: string, params: object, path: string]>([
    ["a page below 1", { page: 0, per_page: 10 }, "page"],
    ["a string as its page", { page: "2", per_page: 10 }, "page"],
    ["null as its page", { page: null, per_page: 10 }, "page"],
    ["a page size above 1000", { page: 2, per_page: 1001 }, "per_page"],
    ["a broken filter", { page: 2, per_page: 10, include_deleted: "no" }, "include_deleted"],
  ])(
    "a position with %s rejects with a ValidationError that names the field",
    async (_, params, path) => {
      const events: { type: string; code?: string }[] = [];
      const { lists, asked } = withLists(25, { onEvent: (event) => events.push(event) });
      const { list } = lists;
      for (const call of [list(params), list(params).toArray(), list(params).pages().next()]) {
        const error = await errorOf(call);
        expect(error).toMatchObject({
          code: "validation",
          source: "client",
          errors: [{ path: [path] }],
        });
        expect(error.resume).toBeUndefined();
      }
      expect(asked).toEqual([]);
      expect(events).toMatchObject(Array(3).fill({ type: "failed", code: "validation" }));
    },
  );
});
