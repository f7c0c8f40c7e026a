// Walks over random lists that change at random.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MessagingServiceError, PagePosition } from "../../../src/index.ts";
import { type Asked, collect, idsOf, pageBody, pagedBy, upTo } from "../../support/pages.ts";

/** Changes to the list before a page is first read. Indexes are taken modulo the length of the list. */
interface Change {
  /** Indexes at which records are added. */
  readonly come: readonly number[];
  /** Indexes of removed records. */
  readonly go: readonly number[];
}

interface Scenario {
  readonly count: number;
  readonly perPage: number;
  readonly changes: readonly Change[];
  /** Whether the service returns its last page in place of a page beyond it. */
  readonly clamps: boolean;
  /** Whether `count` covers only the page, as it does for scheduled messages. */
  readonly countsPage: boolean;
  /** Whether no record is added. Any number may then be removed, even while a page is read again. */
  readonly onlyShrinks: boolean;
}

const indexArb = fc.nat(500);
const changeArb = fc.record({
  come: fc.array(indexArb, { maxLength: 14 }),
  go: fc.oneof(
    fc.constant([]),
    fc.array(indexArb, { maxLength: 5 }),
    fc.array(indexArb, { maxLength: 40 }),
  ),
});
const scenarioArb = fc.record({
  count: fc.oneof(fc.nat(70), fc.nat(400)),
  perPage: fc.integer({ min: 1, max: 12 }),
  changes: fc.array(changeArb, { maxLength: 40 }),
  clamps: fc.boolean(),
  countsPage: fc.boolean(),
  onlyShrinks: fc.boolean(),
});

/** A service that plays a scenario. Records with ids from 1000 on are new. */
const play = (scenario: Scenario, limited: boolean) => {
  const { count, perPage, changes, clamps, countsPage, onlyShrinks } = scenario;
  let ids: readonly number[] = upTo(count);
  let newest = 999;
  let read = 0;
  const change = ({ come, go }: Change): void => {
    const gone = new Set(go.map((index) => ids[index % ids.length]));
    // The docs promise that a walk is complete if no record is added. It is also complete if at most one page of records is
    // removed and fewer records are added than removed.
    const most = limited && !onlyShrinks ? perPage : ids.length;
    const before = ids.length;
    const leaving = new Set([...gone].slice(0, most));
    ids = ids.filter((id) => !leaving.has(id));
    const left = onlyShrinks ? 1 : before - ids.length;
    for (const index of (limited || onlyShrinks) && left > 0 ? come.slice(0, left - 1) : come) {
      newest += 1;
      ids = ids.toSpliced(index % (ids.length + 1), 0, newest);
    }
  };
  const respond = (asked: Asked): object => {
    // While a page is read again, records may be removed but none is added.
    if (asked.page > read || onlyShrinks) {
      const next = changes[read - 1];
      if (next) change(next);
      read += 1;
    }
    const last = Math.max(1, Math.ceil(ids.length / perPage));
    const page = clamps ? Math.min(asked.page, last) : asked.page;
    const all = ids.map((id) => ({ id }));
    const body = pageBody({ ...asked, page }, all);
    return countsPage ? { ...body, count: body.lists.length } : body;
  };
  return { respond, left: () => ids };
};

describe("a walk through any list that changes", () => {
  test("a walk through any list that changes repeats no record, and yields every record that stays in the list, in its order", async () => {
    await fc.assert(
      fc.asyncProperty(scenarioArb, fc.boolean(), async (scenario, prefetch) => {
        const { respond, left } = play(scenario, true);
        const { lists } = pagedBy(respond);
        const list = lists.list({ per_page: scenario.perPage }, { prefetch });
        const ids = idsOf(await collect(list));
        expect(new Set(ids).size).toBe(ids.length);
        // Without the list's count, a walk cannot detect that the list has become shorter.
        if (scenario.countsPage) return;
        const stayed = left().filter((id) => id < 1000);
        expect(ids.filter((id) => stayed.includes(id))).toEqual(stayed);
      }),
      { numRuns: 350 },
    );
  }, 60_000);

  test("a walk through any list that changes ends, whichever records are added and removed", async () => {
    await fc.assert(
      fc.asyncProperty(scenarioArb, async (scenario) => {
        const { respond } = play({ ...scenario, countsPage: false }, false);
        const { lists, asked } = pagedBy(respond);
        await lists.list({ per_page: scenario.perPage }).toArray();
        expect(asked.length).toBeLessThan(2000);
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});

describe("a job that is killed on any page and continues one page before its stored position", () => {
  /** Moments at which a job is killed: after it received a page, and while it reads a page. */
  const killsArb = fc.record({
    after: fc.array(fc.boolean(), { minLength: 500, maxLength: 500 }),
    during: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 500, maxLength: 500 }),
  });

  test("a job that is killed on any page misses no record that stays in the list", async () => {
    await fc.assert(
      fc.asyncProperty(scenarioArb, killsArb, async (scenario, kills) => {
        const per_page = scenario.perPage;
        const counting = { ...scenario, countsPage: false, onlyShrinks: false };
        const { respond, left } = play(counting, true);
        let faults = 0;
        const connect = () =>
          pagedBy((asked) => {
            if (faults > 0) {
              faults -= 1;
              return new Response("", { status: 500 });
            }
            return respond(asked);
          }).lists;
        const saved = new Set<number>();
        let pieces = 0;
        let position: PagePosition | null | undefined = { page: 1, per_page };
        while (position) {
          // A new process that has only the stored position.
          const stored: PagePosition = JSON.parse(JSON.stringify(position));
          const walk = connect()
            .list({ ...stored, page: Math.max(1, stored.page - 1) })
            .pages();
          position = undefined;
          for (;;) {
            faults = kills.during[pieces] === 1 ? 1 : 0;
            kills.during[pieces] = 0;
            try {
              const { done, value: page } = await walk.next();
              if (done) break;
              pieces += 1;
              for (const id of idsOf(page.items)) saved.add(id);
              if (!kills.after[pieces]) continue;
              position = page.next;
              // The next process must get further than this one.
              kills.after[pieces + 1] = false;
            } catch (error) {
              position = (error as MessagingServiceError).resume;
            }
            break;
          }
        }
        const stayed = left().filter((id) => id < 1000);
        expect([...saved]).toEqual(expect.arrayContaining(stayed));
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});
