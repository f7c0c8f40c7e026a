// Walks that the consumer ends early, and walks that fail. Vitest fails if one of their promises has an unhandled rejection.
import { getEventListeners } from "node:events";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import {
  createThrottle,
  type MessagingServiceError,
  type PagePosition,
} from "../../../src/index.ts";
import { errorOf, sleep } from "../../support/calls.ts";
import { type Asked, itemsOf, pageBody, pagedBy, upTo } from "../../support/pages.ts";
import { useTurningClock } from "../../support/turning-clock.ts";

const END = { done: true, value: undefined };

/** Returns a client whose service does not respond from a certain page on, until the signal fires. */
const hangingFrom = (hangs: number, options = {}) => {
  const ended: number[] = [];
  const respond = (asked: Asked) => {
    if (asked.page < hangs) return pageBody(asked, itemsOf(1, 25));
    return new Promise<object>((_, reject) => {
      const end = () => {
        ended.push(asked.page);
        reject(asked.signal?.reason);
      };
      if (asked.signal?.aborted) end();
      asked.signal?.addEventListener("abort", end);
    });
  };
  return { ...pagedBy(respond, options), ended };
};

describe.each([false, true])("a walk that is left early, prefetch: %s", (prefetch) => {
  const seen = prefetch ? [1, 2] : [1];

  test("a walk that is left early by `break` sends nothing more", async () => {
    const { lists, pagesAsked, ended } = hangingFrom(2);
    for await (const { id } of lists.list({ per_page: 10 }, { prefetch })) if (id === 3) break;
    await sleep(5);
    expect(pagesAsked()).toEqual(seen);
    expect(ended).toEqual(prefetch ? [2] : []);
  });

  test("a walk that is left early by `throw` sends nothing more, and rejects with the consumer's own error", async () => {
    const { lists, pagesAsked, ended } = hangingFrom(2);
    const mistake = new Error("a mistake");
    const walk = async () => {
      for await (const _ of lists.list({ per_page: 10 }, { prefetch }).pages()) throw mistake;
    };
    expect(await errorOf(walk())).toBe(mistake);
    await sleep(5);
    expect(pagesAsked()).toEqual(seen);
    expect(ended).toEqual(prefetch ? [2] : []);
  });

  test("a walk that is left early while it reads a page aborts that request, and ends every pending next()", async () => {
    for (const kind of ["items", "pages"] as const) {
      const { lists, ended } = hangingFrom(1);
      const list = lists.list({}, { prefetch });
      const walk = kind === "items" ? list[Symbol.asyncIterator]() : list.pages();
      const waiting = [walk.next(), walk.next()];
      await sleep(1);
      expect(await walk.return?.()).toEqual(END);
      expect(await Promise.all([...waiting, walk.next()])).toEqual([END, END, END]);
      expect(ended).toEqual([1]);
    }
  });

  test("a walk that is left early because its stream is destroyed ends", async () => {
    const { lists, ended } = hangingFrom(2);
    const stream = Readable.from(lists.list({ per_page: 10 }, { prefetch }));
    const read: unknown[] = [];
    stream.on("data", (item) => read.push(item));
    await expect.poll(() => read.length).toBe(10);
    stream.destroy();
    await expect.poll(() => ended).toEqual([2]);
  });

  test("a walk that is left early in the queue of the throttle leaves the queue", async () => {
    const throttle = createThrottle({ limit: 1, interval: 3_600_000 });
    const { lists, asked } = hangingFrom(9, { throttle });
    const walk = lists.list({ per_page: 10 }, { prefetch }).pages();
    await walk.next();
    const waiting = walk.next();
    await sleep(1);
    expect(throttle.snapshot().queued).toBe(1);
    await walk.return?.();
    expect(throttle.snapshot().queued).toBe(0);
    expect(await waiting).toMatchObject({ done: true });
    expect(asked).toHaveLength(1);
  });

  test("a walk that is left early neither fires the caller's signal nor keeps a listener on it", async () => {
    const { signal } = new AbortController();
    const { lists } = hangingFrom(2);
    for (let round = 0; round < 20; round += 1) {
      for await (const _ of lists.list({ per_page: 10 }, { prefetch, signal })) break;
    }
    expect(signal.aborted).toBe(false);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("a walk that is left early does not report a page that fails in the meantime", async () => {
    const { lists } = pagedBy((asked) =>
      asked.page === 1 ? pageBody(asked, itemsOf(1, 25)) : new Response("", { status: 500 }),
    );
    for await (const { id } of lists.list({ per_page: 10 }, { prefetch })) {
      await sleep(2);
      if (id === 5) break;
    }
  });
});

describe("the option prefetch", () => {
  test("prefetch reads one page ahead while the current page is consumed", async () => {
    const { lists, pagesAsked } = hangingFrom(99);
    const known: number[][] = [];
    for await (const _ of lists.list({ per_page: 10 }, { prefetch: true }).pages()) {
      await sleep(2);
      known.push(pagesAsked());
    }
    expect(known).toEqual([
      [1, 2],
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  test("prefetch reports the failure of a page when that page's turn comes", async () => {
    const { lists } = pagedBy((asked) =>
      asked.page === 2 ? new Response("", { status: 500 }) : pageBody(asked, itemsOf(1, 25)),
    );
    const ids: number[] = [];
    const walk = async () => {
      for await (const { id } of lists.list({ per_page: 10 }, { prefetch: true })) {
        await sleep(1);
        ids.push(id);
      }
    };
    expect(await errorOf(walk())).toMatchObject({ resume: { page: 2, per_page: 10 } });
    expect(ids).toHaveLength(10);
  });
});

describe("an error in the middle of a walk", () => {
  useTurningClock();

  const REASON = new Error("the user left");
  const failing = async (options: object, fails: (asked: Asked) => object | Promise<object>) => {
    const { lists } = pagedBy(
      (asked) => (asked.page === 2 ? fails(asked) : pageBody(asked, itemsOf(1, 25))),
      { timeout: 200 },
    );
    const ids: number[] = [];
    const walk = async () => {
      for await (const { id } of lists.list({ per_page: 10 }, options)) ids.push(id);
    };
    const error = await errorOf<MessagingServiceError & { code: string }>(walk());
    expect(ids).toHaveLength(10);
    return error;
  };
  const hangs = () => new Promise<object>(() => {});

  test.each<[code: string, fails: (asked: Asked) => object | Promise<object>]>([
    ["server", () => new Response("", { status: 503 })],
    ["not_found", () => new Response("", { status: 404 })],
    ["connection", () => Promise.reject(new TypeError("fetch failed"))],
    ["timeout", hangs],
    ["response_validation", () => new Response("<html>")],
    ["response_validation", (asked) => ({ ...pageBody(asked, itemsOf(1, 25)), page: 1 })],
  ])(
    "an error with code %s in the middle of a walk has the position to resume from, which its JSON includes",
    async (code, fails) => {
      const error = await failing({}, fails);
      expect(error).toMatchObject({ code, resume: { page: 2, per_page: 10 } });
      expect(JSON.parse(JSON.stringify(error)).resume).toEqual(error.resume);
    },
  );

  test("an abort in the middle of a walk has the signal's reason as its cause", async () => {
    const controller = new AbortController();
    const error = await failing({ signal: controller.signal }, () => {
      controller.abort(REASON);
      return hangs();
    });
    expect(error).toMatchObject({ code: "abort", cause: REASON, resume: { page: 2 } });
  });

  test("an error in the middle of a walk has a position from which the rest of the walk is complete", async () => {
    let faults = 3;
    const { lists } = pagedBy((asked) => {
      if (asked.page % 3 === 0 && faults > 0) {
        faults -= 1;
        return new Response("", { status: 500 });
      }
      return pageBody(asked, itemsOf(1, 95));
    });
    const ids: number[] = [];
    let position: { page?: number; per_page: number } | PagePosition | undefined = { per_page: 10 };
    while (position) {
      try {
        for await (const { id } of lists.list(position)) ids.push(id);
        position = undefined;
      } catch (error) {
        position = (error as MessagingServiceError).resume;
      }
    }
    expect(faults).toBe(0);
    expect(ids).toEqual(upTo(95));
  });
});
