// Lists that change or fail during a walk, on real sockets.
import { describe, expect, test } from "vitest";
import type { List, MessagingServiceError, ResponseValidationError } from "../../../src/index.ts";
import { clientsOf, QUICK } from "../../support/calls.ts";
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
import { useTurningClock } from "../../support/turning-clock.ts";

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
useTurningClock();

const listsOf = (server: { readonly baseUrl: string }, options = {}) =>
  clientsOf(server, { responseValidation: "off", retry: 0, timeout: 2000, ...options }).v2.lists;

/** Collects the IDs of a walk until it ends or throws. */
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

  test("a walk through a list with a page that is empty once reads it again and reaches the end", async () => {
    let empties = 0;
    const { ids, error, requests } = await walkOver((asked) => {
      const page = pageBody(asked, itemsOf(1, 45));
      if (asked.page === 3) empties += 1;
      return empties === 1 && asked.page === 3 ? { ...page, lists: [] } : page;
    });
    expect(error).toBeUndefined();
    expect(ids).toEqual(upTo(45));
    expect(requests).toBe(6);
  });

  test("a walk through a list whose page is empty and becomes the last one ends there", async () => {
    let empties = 0;
    const { ids, error, requests } = await walkOver((asked) => {
      if (asked.page === 3) empties += 1;
      const page = pageBody(asked, itemsOf(1, empties > 1 ? 20 : 45));
      return asked.page === 3 ? { ...page, lists: [] } : page;
    });
    expect(error).toBeUndefined();
    expect(ids).toEqual(upTo(20));
    // The list has become shorter, so the walk reads the previous page again.
    expect(requests).toBe(5);
  });

  test("a walk through a list that loses a record reads an empty page again even when it goes back", async () => {
    const { ids, error, requests } = await walkOver((asked, turn) => {
      const page = pageBody(asked, itemsOf(turn < 3 ? 1 : 2, 45));
      return turn === 4 ? { ...page, lists: [] } : page;
    });
    expect(error).toBeUndefined();
    expect(ids).toEqual(upTo(45));
    expect(requests).toBe(7);
  });

  test.each([1, 3])(
    "a walk through a list whose page %d of a billion stays empty rejects after two looks with the position to resume from",
    async (empty) => {
      const { ids, error, requests } = await walkOver((asked) => {
        const page = { ...pageBody(asked, itemsOf(1, 45)), pages_count: 1_000_000_000 };
        return asked.page >= empty ? { ...page, lists: [] } : page;
      });
      expect(ids).toEqual(upTo((empty - 1) * PER_PAGE));
      expect(error).toMatchObject({
        code: "response_validation",
        outcome: "unknown",
        endpoint: "GET /api/v2/lists",
        status: 200,
        issues: [{ path: ["lists"] }],
        resume: { page: empty, per_page: PER_PAGE },
      });
      expect(error?.message).toContain(
        "200, but its `lists` must have records, because it is not the last page",
      );
      expect(requests).toBe(empty + 1);
    },
  );

  test("a walk from an awaited page that is empty once reads that page again", async () => {
    await using server = await serve((asked, turn) =>
      turn === 1
        ? { ...pageBody(asked, itemsOf(1, 45)), lists: [] }
        : pageBody(asked, itemsOf(1, 45)),
    );
    const first = await listsOf(server).list({ per_page: PER_PAGE }, { prefetch });
    expect(first.items).toEqual([]);
    expect(await walk(first)).toEqual({ ids: upTo(45), error: undefined });
    expect(server.requests.length).toBe(6);
  });

  test("a walk through a list without records ends after one request", async () => {
    const { ids, error, requests } = await walkOver((asked) => pageBody(asked, []));
    expect([ids, error, requests]).toEqual([[], undefined, 1]);
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
      const lists = listsOf(server);
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
});
