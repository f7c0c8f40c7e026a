// What a walk leaves behind that its consumer leaves.
import { getEventListeners } from "node:events";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createThrottle, type MessagingServiceError } from "../../src/index.ts";
import { errorOf, sleep } from "../support/calls.ts";
import { type Asked, itemsOf, pageBody, pagedBy } from "../support/pages.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", onUnhandled);
});
afterEach(async () => {
  await sleep(5);
  process.off("unhandledRejection", onUnhandled);
  expect(unhandled).toEqual([]);
});

/** Answers, but from some page on hangs until its signal fires. */
const hangingFrom = (hangs: number, options = {}) => {
  const ended: number[] = [];
  const answer = (asked: Asked) => {
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
  return { ...pagedBy(answer, options), ended };
};

describe.each([false, true])("leaving a walk early, prefetch: %s", (prefetch) => {
  const seen = prefetch ? [1, 2] : [1];

  test("by `break` sends nothing more", async () => {
    const { lists, pagesAsked, ended } = hangingFrom(2);
    for await (const { id } of lists.list({ per_page: 10 }, { prefetch })) if (id === 3) break;
    await sleep(5);
    expect(pagesAsked()).toEqual(seen);
    expect(ended).toEqual(prefetch ? [2] : []);
  });

  test("by `throw` does the same, and the error is the consumer's own", async () => {
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

  test("while a page is under way ends that page, and the wait for it", async () => {
    for (const kind of ["items", "pages"] as const) {
      const { lists, ended } = hangingFrom(1);
      const list = lists.list({}, { prefetch });
      const walk = kind === "items" ? list[Symbol.asyncIterator]() : list.pages();
      const waiting = [walk.next(), walk.next()];
      await sleep(1);
      expect(await walk.return?.()).toEqual({ done: true, value: undefined });
      const done = { done: true, value: undefined };
      expect(await Promise.all([...waiting, walk.next()])).toEqual([done, done, done]);
      expect(ended).toEqual([1]);
    }
  });

  test("as a stream that is destroyed does", async () => {
    const { lists, ended } = hangingFrom(2);
    const stream = Readable.from(lists.list({ per_page: 10 }, { prefetch }));
    const read: unknown[] = [];
    stream.on("data", (item) => read.push(item));
    await expect.poll(() => read.length).toBe(10);
    stream.destroy();
    await expect.poll(() => ended).toEqual([2]);
  });

  test("in the queue of the throttle leaves the queue", async () => {
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

  test("does not fire the caller's own signal, nor keep listening to it", async () => {
    const { signal } = new AbortController();
    const { lists } = hangingFrom(2);
    for (let round = 0; round < 20; round += 1) {
      for await (const _ of lists.list({ per_page: 10 }, { prefetch, signal })) break;
    }
    expect(signal.aborted).toBe(false);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("has nothing to say of a page that fails meanwhile", async () => {
    const { lists } = pagedBy((asked) =>
      asked.page === 1 ? pageBody(asked, itemsOf(1, 25)) : new Response("", { status: 500 }),
    );
    for await (const { id } of lists.list({ per_page: 10 }, { prefetch })) {
      await sleep(2);
      if (id === 5) break;
    }
  });
});

describe("prefetch", () => {
  test("fetches one page ahead, while this one is consumed", async () => {
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

  test("tells the failure of a page when its turn comes", async () => {
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

describe("an error in mid-walk", () => {
  const REASON = new Error("the user left");
  const failing = async (options: object, fails: (asked: Asked) => object | Promise<object>) => {
    const { lists } = pagedBy(
      (asked) => (asked.page === 2 ? fails(asked) : pageBody(asked, itemsOf(1, 25))),
      { timeout: 30 },
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
  ])("%s says where to resume", async (code, fails) => {
    const error = await failing({}, fails);
    expect(error).toMatchObject({ code, resume: { page: 2, per_page: 10 } });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ resume: { page: 2 } });
  });

  test("by an abort tells the reason of the caller's signal", async () => {
    const controller = new AbortController();
    const error = await failing({ signal: controller.signal }, () => {
      controller.abort(REASON);
      return hangs();
    });
    expect(error).toMatchObject({ code: "abort", cause: REASON, resume: { page: 2 } });
  });

  test("is where the walk goes on, which then is complete", async () => {
    let faults = 3;
    const { lists } = pagedBy((asked) => {
      if (asked.page % 3 === 0 && faults > 0) {
        faults -= 1;
        return new Response("", { status: 500 });
      }
      return pageBody(asked, itemsOf(1, 95));
    });
    const ids: number[] = [];
    let from: { page?: number; per_page: number } | undefined = { per_page: 10 };
    while (from) {
      try {
        for await (const { id } of lists.list(from)) ids.push(id);
        from = undefined;
      } catch (error) {
        from = (error as MessagingServiceError).resume;
      }
    }
    expect(faults).toBe(0);
    expect(ids).toEqual(itemsOf(1, 95).map(({ id }) => id));
  });
});
