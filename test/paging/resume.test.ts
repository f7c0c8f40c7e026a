// Positions: `resume` of an error and `next` of a page, stored and continued from.
import type {
  MessagingServiceError,
  PagePosition,
  ValidationError,
} from "messaging-service-client";
import { describe, expect, test } from "vitest";
import { errorOf } from "../support/calls.ts";
import { createFake, v2Of } from "../support/fakes/fake-service.ts";
import {
  changingList,
  collect,
  idsOf,
  itemsOf,
  pageBody,
  pagedBy,
  upTo,
  withLists,
} from "../support/pages.ts";

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
      after: { path: "/api/v2/lists", count: 25, pages_count: 3, last: 10, ids: upTo(10) },
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
    // A job that has not started has no position.
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
    const path = `/api/v2/lists/${id}/messages/scheduled`;
    expect(next).toMatchObject({ start_date: "20260103", end_date: "20260104", after: { path } });
    // The `count` of scheduled messages covers the page only, so it reveals nothing about the list.
    expect(next.after).not.toHaveProperty("count");
    const rest = await scheduledMessages.list(id, stored(next)).toArray();
    expect(rest.map(({ name }) => name)).toEqual(["04"]);
  });

  test("`next` of a page leaves out undocumented query parameters, whose values may be private", async () => {
    const { lists } = withLists(25);
    const params = { search: "+12065550123", per_page: 10 };
    const { next } = await lists.list(params);
    expect(JSON.stringify(next)).not.toContain("5550123");
    expect(Object.keys(next ?? {})).toEqual(["page", "per_page", "after"]);
  });

  test.each([
    [10, 100, 1_000],
    [1000, 1000, 8_200],
  ])(
    "`next` of a page of %i records has %i ids of seven digits in fewer than %i bytes",
    async (per_page, ids, bytes) => {
      const all = itemsOf(1_000_000, 1_003_999);
      const { lists } = pagedBy((asked) => pageBody(asked, all));
      const pages = [];
      for await (const page of lists.list({ per_page }).pages()) {
        pages.push(page);
        if (page.page === Math.max(2, 200 / per_page)) break;
      }
      const { next } = pages.at(-1) ?? {};
      expect(next?.after?.ids).toHaveLength(ids);
      expect(JSON.stringify(next).length).toBeLessThan(bytes);
    },
  );
});

describe("`resume` of an error", () => {
  const deleting = (gone: readonly number[]) => {
    const list = changingList(upTo(30));
    let isBroken = true;
    const client = pagedBy((asked) => {
      if (asked.page === 2 && isBroken) return new Response("", { status: 500 });
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
  ])("`resume` of an error skips none of 30 lists if three are deleted %s", async (_, gone) => {
    const { lists, mend } = deleting(gone);
    const ids: number[] = [];
    const walk = async (position?: PagePosition) => {
      for await (const { id } of lists.list(position ?? { per_page: 10 })) ids.push(id);
    };
    const { resume } = await errorOf<MessagingServiceError>(walk());
    expect(ids).toEqual(upTo(10));
    mend();
    await walk(stored(resume));
    expect(ids).toEqual(upTo(30).filter((id) => id <= 10 || !gone.includes(id)));
  });

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

  test("`resume` is also on the error of getNextPage()", async () => {
    const { lists } = deleting([]);
    const page = await lists.list({ per_page: 10 });
    const { resume } = await errorOf<MessagingServiceError>(page.getNextPage());
    expect(resume).toEqual(page.next);
  });

  test("`resume` with only page and size, as version 0.1 stored it, is accepted", async () => {
    const { lists } = withLists(25);
    expect(idsOf(await lists.list({ page: 2, per_page: 10 }).toArray())).toHaveLength(15);
  });
});

describe("a damaged position or a position of a different list", () => {
  const after = { path: "/api/v2/lists", count: 25, pages_count: 3, last: 10, ids: upTo(10) };
  const position = { page: 2, per_page: 10 };
  test.each<[what: string, params: object, path: (string | number)[]]>([
    ["null as its state", { ...position, after: null }, ["after"]],
    ["a string as its state", { ...position, after: "x" }, ["after"]],
    ["an array as its state", { ...position, after: [] }, ["after"]],
    ["no page", { per_page: 10, after }, ["page"]],
    ["no page size", { page: 2, after }, ["per_page"]],
    ["a page below 1", { page: 0, per_page: 10, after }, ["page"]],
    ["no path", { ...position, after: { ...after, path: undefined } }, ["after", "path"]],
    ["a number as its path", { ...position, after: { ...after, path: 5 } }, ["after", "path"]],
    ["a negative count", { ...position, after: { ...after, count: -1 } }, ["after", "count"]],
    ["null as its count", { ...position, after: { ...after, count: null } }, ["after", "count"]],
    [
      "no number of pages",
      { ...position, after: { ...after, pages_count: undefined } },
      ["after", "pages_count"],
    ],
    ["a string as its ids", { ...position, after: { ...after, ids: "1,2" } }, ["after", "ids"]],
    ["no ids", { ...position, after: { path: after.path, pages_count: 3 } }, ["after", "ids"]],
    ["an invalid id", { ...position, after: { ...after, ids: [1, {}] } }, ["after", "ids", 1]],
    ["an invalid last id", { ...position, after: { ...after, last: {} } }, ["after", "last"]],
    [
      "the path of a different list",
      { ...position, after: { ...after, path: "/api/v2/lists/17/messages/scheduled" } },
      ["after", "path"],
    ],
  ])(
    "a position with %s rejects with a ValidationError that names the field",
    async (_, params, path) => {
      for (const validateRequests of [true, false]) {
        const { lists, asked } = withLists(25, { validateRequests });
        const isOwn = path[0] === "after" || !("page" in params) || !("per_page" in params);
        if (!validateRequests && !isOwn) continue;
        const calls = [
          lists.list(params),
          lists.list(params).toArray(),
          lists.list(params).pages().next(),
        ];
        for (const call of calls) {
          const error = await errorOf(call);
          expect(error).toMatchObject({ code: "validation", source: "client", errors: [{ path }] });
          expect(error.message).toContain(path.join("."));
          expect(error.resume).toBeUndefined();
        }
        expect(asked).toEqual([]);
      }
    },
  );

  test("each issue of a damaged position says what would be right", async () => {
    const params = { after: { ...after, count: -1, last: true, ids: [1, {}, null] } };
    const error = await errorOf<ValidationError>(withLists(25).lists.list(params as never));
    const message = "must be an integer or a string";
    expect(error.errors).toMatchObject([
      { path: ["page"], message: "is required beside `after`" },
      { path: ["per_page"], message: "is required beside `after`" },
      { path: ["after", "count"], message: "must be at least 0" },
      { path: ["after", "last"], code: "invalid_union", message },
      { path: ["after", "ids", 1], code: "invalid_union", message },
      { path: ["after", "ids", 2], code: "invalid_union", message },
    ]);
  });

  test("a position with 200 000 invalid ids rejects with a ValidationError with the first 20 000 issues", async () => {
    const params = { ...position, after: { ...after, ids: Array(200_000).fill({}) } };
    const error = await errorOf<ValidationError>(withLists(25).lists.list(params));
    expect(error.code).toBe("validation");
    expect(error.errors).toHaveLength(20_000);
    expect(error.errors[19_999]?.path).toEqual(["after", "ids", 19_999]);
  }, 60_000);

  test("the error of a position of a different list names the right list", async () => {
    const service = createFake();
    const [one, other] = [service.addList(), service.addList()];
    for (let index = 0; index < 3; index += 1) service.addScheduledMessage(one.id);
    const { lists, scheduledMessages } = v2Of(service);
    const next = nextOf(await scheduledMessages.list(one.id, { per_page: 1 }));
    const another = await errorOf(scheduledMessages.list(other.id, next));
    expect(another.message).toBe(
      `GET /api/v2/lists/{ID}/messages/scheduled: after.path: must be /api/v2/lists/${other.id}/messages/scheduled: this is a position in another list`,
    );
    expect(await errorOf(lists.list(next))).toMatchObject({
      errors: [{ path: ["after", "path"] }],
    });
  });

  test("the error of a damaged position is reported to listeners like any other failure", async () => {
    const events: { type: string; code?: string }[] = [];
    const { lists } = withLists(25, { onEvent: (event) => events.push(event) });
    const damaged: PagePosition = { ...position, after: { ...after, path: "/" } };
    await errorOf(lists.list(damaged));
    expect(events).toMatchObject([{ type: "failed", code: "validation" }]);
  });
});
