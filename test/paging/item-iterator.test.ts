import { describe, expect, test } from "vitest";
import { ItemIterator } from "../../src/paging/page-iterator.ts";
import { collect } from "../support/pages.ts";

type Item = { readonly id: number };

/** Returns a walk over the given pages, and the number of pages that it has requested. */
const walkOver = (...pages: readonly (readonly Item[])[]) => {
  const state = { asked: 0, returned: 0 };
  const source: AsyncIterator<never, undefined> = {
    next: async () => {
      const items = pages[state.asked];
      state.asked += 1;
      return items ? { done: false, value: { items } as never } : { done: true, value: undefined };
    },
    return: async () => {
      state.returned += 1;
      return { done: true, value: undefined };
    },
  };
  return { walk: new ItemIterator<Item>(source), state };
};

describe("a walk over records", () => {
  test("a walk over records yields the records of every page, and passes empty pages", async () => {
    const { walk } = walkOver([{ id: 1 }, { id: 2 }], [], [], [{ id: 3 }], []);
    expect(await collect(walk)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  test("concurrent next() calls of a walk over records yield distinct records in order", async () => {
    const { walk, state } = walkOver([{ id: 1 }, { id: 2 }], [{ id: 3 }]);
    const results = await Promise.all(Array.from({ length: 5 }, () => walk.next()));
    expect(results.map(({ value }) => value?.id)).toEqual([1, 2, 3, undefined, undefined]);
    expect(results.map(({ done }) => done)).toEqual([false, false, false, true, true]);
    expect(state.asked).toBeGreaterThan(2);
  });

  test("a walk over records requests no page while it has records", async () => {
    const { walk, state } = walkOver([{ id: 1 }, { id: 2 }], [{ id: 3 }]);
    await walk.next();
    await new Promise((resolve) => setTimeout(resolve));
    expect((await walk.next()).value).toEqual({ id: 2 });
    expect(state.asked).toBe(1);
  });

  test("a walk over records yields the records of a page without waiting, from the second one on", async () => {
    const { walk } = walkOver([{ id: 1 }, { id: 2 }, { id: 3 }]);
    await walk.next();
    for (const id of [2, 3]) {
      const given: unknown[] = [];
      void walk.next().then(({ value }) => given.push(value));
      await Promise.resolve();
      expect(given).toEqual([{ id }]);
    }
  });

  test("a walk over records that is left closes its pages and yields nothing more", async () => {
    const { walk, state } = walkOver([{ id: 1 }, { id: 2 }], [{ id: 3 }]);
    await walk.next();
    expect(await walk.return()).toEqual({ done: true, value: undefined });
    expect(await walk.next()).toEqual({ done: true, value: undefined });
    expect(state.returned).toBe(1);
  });

  test("a walk over records can be left even if closing its pages fails", async () => {
    const walk = new ItemIterator<Item>({ next: async () => ({ done: true, value: undefined }) });
    expect(await walk.return()).toEqual({ done: true, value: undefined });
  });
});
