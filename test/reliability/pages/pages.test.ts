// Lists that change or fail during a walk, on real sockets.
import { describe, expect, test } from "vitest";
import type { List, MessagingServiceError, ResponseValidationError } from "../../../src/index.ts";
import { clientsOf, errorOf, QUICK, sleep } from "../../support/calls.ts";
import { type Asked, askedOf, itemsOf, pageBody, upTo } from "../../support/pages.ts";
import {
  hang,
  type Responder,
  resetAfterReading,
  respond,
  stall,
  startLoopback,
  truncate,
} from "../../support/servers/loopback.ts";

const PER_PAGE = 10;

/** Starts a server whose response to each request is chosen by the test. */
const serve = (bend: (asked: Asked, turn: number) => object | Responder) => {
  let turn = 0;
  return startLoopback((exchange) => {
    turn += 1;
    const bent = bend(askedOf(exchange.request.url), turn);
    return typeof bent === "function"
      ? (bent as Responder)(exchange)
      : respond(200, bent)(exchange);
  });
};
const listsOf = (server: { readonly baseUrl: string }, options = {}) =>
  clientsOf(server, { responseValidation: "off", retry: 0, timeout: 2000, ...options }).v2.lists;

/** Collects the ids of a walk, up to its end or its error. */
const walk = async (items: AsyncIterable<List>) => {
  const ids: number[] = [];
  try {
    for await (const { id } of items) ids.push(id);
    return { ids, error: undefined };
  } catch (error) {
    return { ids, error: error as MessagingServiceError & { code: string } };
  }
};

describe.each([false, true])("a walk through a list, prefetch: %s", (prefetch) => {
  const walkOver = async (bend: (asked: Asked, turn: number) => object | Responder) => {
    await using server = await serve(bend);
    const lists = listsOf(server);
    const walked = await walk(lists.list({ per_page: PER_PAGE }, { prefetch }));
    return { ...walked, requests: server.requests.length };
  };

  test("a walk through a list that grows at its end yields the new records, too", async () => {
    let count = 25;
    const { ids, error } = await walkOver((asked) => {
      if (asked.page < 5) count += 7;
      return pageBody(asked, itemsOf(1, count));
    });
    expect(error).toBeUndefined();
    expect(ids).toEqual(upTo(53));
  });

  test.each([1, 3, 10])(
    "a walk through a list that grows by %i records at its beginning before each page yields each record once",
    async (by) => {
      let newest = 55;
      const { ids, error } = await walkOver((asked, turn) => {
        if (turn > 1 && turn < 5) newest += by;
        return pageBody(asked, itemsOf(1, newest).reverse());
      });
      expect(error).toBeUndefined();
      expect(ids).toEqual(upTo(55).reverse());
    },
  );

  // One more request if the last remaining page has to be read again.
  test.each<[string, number, (asked: Asked) => object]>([
    ["an empty page", 4, (asked) => pageBody(asked, itemsOf(1, 15))],
    ["its last page again", 3, (asked) => pageBody({ ...asked, page: 2 }, itemsOf(1, 15))],
    ["its first page again", 4, (asked) => pageBody({ ...asked, page: 1 }, itemsOf(1, 15))],
    ["nothing at all", 3, (asked) => pageBody({ ...asked, page: 1 }, [])],
  ])(
    "a walk through a list that shrinks below the requested page ends if the service sends %s",
    async (_, most, shrunk) => {
      let isShrunk = false;
      const { ids, error, requests } = await walkOver((asked) => {
        isShrunk ||= asked.page === 3;
        return isShrunk
          ? asked.page < 3
            ? pageBody(asked, itemsOf(1, 15))
            : shrunk(asked)
          : pageBody(asked, itemsOf(1, 45));
      });
      expect(error).toBeUndefined();
      expect(ids).toEqual(upTo(20));
      expect(requests).toBe(most);
    },
  );

  test.each([1, 4, 9, 10])(
    "a walk through a list that loses %i records that were read skips none of the others",
    async (by) => {
      let all = itemsOf(1, 45);
      const { ids, error, requests } = await walkOver((asked) => {
        if (asked.page === 3) all = all.filter(({ id }) => id > by);
        return pageBody(asked, all);
      });
      expect(error).toBeUndefined();
      expect(ids).toEqual(upTo(45));
      expect(requests).toBe(Math.ceil((45 - by) / PER_PAGE) + 1);
    },
  );

  test("a walk through a list that loses its last page yields the records that have moved from it", async () => {
    let all = itemsOf(1, 22);
    const { ids, error } = await walkOver((asked) => {
      if (asked.page === 3) all = all.filter(({ id }) => id > 4);
      return pageBody(asked, all);
    });
    expect(error).toBeUndefined();
    expect(ids).toEqual(upTo(22));
  });

  test("a walk through a list that loses records without ids repeats no record", async () => {
    let count = 25;
    const { ids, error } = await walkOver((asked) => {
      if (asked.page === 3) count = 22;
      return pageBody(
        asked,
        Array.from({ length: count }, () => ({})),
      );
    });
    expect(error).toBeUndefined();
    expect(ids).toHaveLength(22);
  });

  test("a walk through a list with an empty page in its middle reaches the end", async () => {
    const { ids, error, requests } = await walkOver((asked) => {
      const page = pageBody(asked, itemsOf(1, 45));
      return asked.page === 3 ? { ...page, lists: [] } : page;
    });
    expect(error).toBeUndefined();
    expect(ids).toEqual(upTo(45).filter((id) => id <= 20 || id > 30));
    expect(requests).toBe(5);
  });

  test("a walk through a list that repeats a page rejects with the position to resume from", async () => {
    const { ids, error, requests } = await walkOver((asked) =>
      pageBody({ ...asked, page: Math.min(asked.page, 2) }, itemsOf(1, 45)),
    );
    expect(ids).toEqual(upTo(20));
    expect(error).toMatchObject({
      ...{ code: "response_validation", outcome: "unknown", endpoint: "GET /api/v2/lists" },
      ...{ status: 200, issues: [{ path: ["page"] }], resume: { page: 3, per_page: PER_PAGE } },
    });
    expect(String((error as unknown as ResponseValidationError).body)).toContain('"lists"');
    expect(requests).toBe(3);
  });

  const failures: [string, Responder][] = [
    ["a 500", respond(500)],
    ["a 404", respond(404)],
    ["a reset", resetAfterReading],
    ["a body cut short", truncate({ lists: itemsOf(1, 99) })],
    ["a body that stalls", stall({ lists: itemsOf(1, 99) })],
    ["no response", hang],
    ["HTML", respond(200, "<html>")],
    ["a 200 with an error", respond(200, { status: "error" })],
    ["no items", respond(200, { status: "OK", page: 7, pages_count: 9 })],
  ];
  test.each(failures)(
    "a walk through a list that fails on page 7 with %s rejects with the position to resume from",
    async (_, fails) => {
      let broken = true;
      await using server = await serve((asked) =>
        asked.page === 7 && broken ? fails : pageBody(asked, itemsOf(1, 95)),
      );
      // Ends the attempts that hang; a busy machine must not exceed it with the others.
      const lists = listsOf(server, { timeout: 2_000 });
      const { ids, error } = await walk(lists.list({ per_page: PER_PAGE }, { prefetch }));
      expect(ids).toEqual(upTo(60));
      expect(error?.resume).toEqual({ page: 7, per_page: PER_PAGE });
      broken = false;
      const rest = await walk(lists.list(error?.resume, { prefetch }));
      expect([...ids, ...rest.ids]).toEqual(upTo(95));
    },
  );

  test("a walk through a list that fails on page 7 once reaches the end", async () => {
    let faults = 2;
    await using server = await serve((asked) => {
      if (asked.page !== 7 || faults === 0) return pageBody(asked, itemsOf(1, 95));
      faults -= 1;
      return faults === 1 ? respond(503) : resetAfterReading;
    });
    const lists = listsOf(server, { retry: QUICK });
    const { ids, error } = await walk(lists.list({ per_page: PER_PAGE }, { prefetch }));
    expect(error).toBeUndefined();
    expect(ids).toEqual(upTo(95));
    expect(server.requests).toHaveLength(12);
  });

  test("a walk through a list that is left by break or throw aborts its request", async () => {
    for (const leaves of ["break", "throw"]) {
      await using server = await serve((asked) =>
        asked.page === 1 ? pageBody(asked, itemsOf(1, 95)) : hang,
      );
      const mistake = new Error("a mistake");
      const consume = async () => {
        for await (const { id } of listsOf(server).list({ per_page: PER_PAGE }, { prefetch })) {
          // The next page is being prefetched.
          if (id === 5) await expect.poll(() => server.requests.length).toBe(prefetch ? 2 : 1);
          if (id === 6 && leaves === "break") break;
          if (id === 6) throw mistake;
        }
      };
      if (leaves === "break") await consume();
      else expect(await errorOf(consume())).toBe(mistake);
      const [, ahead] = server.requests;
      await expect.poll(() => ahead?.abandoned ?? true).toBe(true);
      await sleep(30);
      expect(server.requests).toHaveLength(prefetch ? 2 : 1);
    }
  });

  test("two concurrent walks through a list each yield all records", async () => {
    await using server = await serve((asked) => pageBody(asked, itemsOf(1, 95)));
    const list = listsOf(server).list({ per_page: PER_PAGE }, { prefetch });
    const [one, two] = [list[Symbol.asyncIterator](), list[Symbol.asyncIterator]()];
    const ids: [unknown[], unknown[]] = [[], []];
    for (let turn = 0; turn < 95; turn += 1) {
      const [first, second] = await Promise.all([one.next(), two.next()]);
      ids[0].push(first.value?.id);
      ids[1].push(second.value?.id);
      if (turn === 40) break;
    }
    await one.return?.();
    for (let step = await two.next(); !step.done; step = await two.next())
      ids[1].push(step.value.id);
    expect(ids).toEqual([upTo(41), upTo(95)]);
  });
});
