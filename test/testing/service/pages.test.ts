import { describe, expect, test } from "vitest";
import { createFake, v2Of } from "../../support/fakes/fake-service.ts";

const withLists = (count: number) => {
  const service = createFake();
  for (let index = 0; index < count; index += 1) service.addList();
  return v2Of(service).lists;
};

describe("a page", () => {
  test.each([
    [1, 10, 10],
    [2, 10, 10],
    [3, 10, 5],
    [1, 25, 25],
    [25, 1, 1],
    [1, 1000, 25],
  ])("page %i of pages with %i items has %i of 25 items", async (page, per_page, held) => {
    const result = await withLists(25).list({ page, per_page });
    expect(result.items).toHaveLength(held);
    expect(result).toMatchObject({
      page,
      per_page,
      count: 25,
      pages_count: Math.ceil(25 / per_page),
    });
  });

  test("a page after the last one is empty", async () => {
    expect(await withLists(3).list({ page: 2 })).toMatchObject({
      items: [],
      page: 2,
      count: 3,
      pages_count: 1,
    });
  });

  test("consecutive pages return every item once", async () => {
    const ids = (await withLists(25).list({ per_page: 4 }).toArray()).map(({ id }) => id);
    expect(ids).toHaveLength(25);
    expect(new Set(ids).size).toBe(25);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });
});

test("the count of a page of scheduled messages is the number of messages returned", async () => {
  const service = createFake();
  const { id } = service.addList();
  for (let index = 0; index < 7; index += 1) service.addScheduledMessage(id);
  const { scheduledMessages } = v2Of(service);
  const counts = [];
  for await (const page of scheduledMessages.list(id, { per_page: 3 }).pages()) {
    counts.push([page.count, page.pages_count]);
  }
  expect(counts).toEqual([
    [3, 3],
    [3, 3],
    [1, 3],
  ]);
});

describe("the days of scheduled messages in UTC", () => {
  const times = [
    "2026-01-09T23:59:59.999Z",
    "2026-01-10T00:00:00.000Z",
    "2026-01-10T12:00:00.000Z",
    "2026-01-10T23:59:59.999Z",
    "2026-01-11T00:00:00.000Z",
    // The same moment as 2026-01-11T04:30:00.000Z.
    "2026-01-10T20:30:00.000-08:00",
  ];
  const found = async (params: object) => {
    const service = createFake();
    const { id } = service.addList();
    for (const sent_at of times) service.addScheduledMessage(id, { sent_at });
    const { items } = await v2Of(service).scheduledMessages.list(id, params);
    return items.map(({ sent_at }) => times.indexOf(sent_at));
  };

  test.each([
    [{}, [0, 1, 2, 3, 4, 5]],
    [{ start_date: "20260110" }, [1, 2, 3, 4, 5]],
    [{ end_date: "20260110" }, [0, 1, 2, 3]],
    [{ start_date: "20260110", end_date: "20260110" }, [1, 2, 3]],
    [{ start_date: "20260111" }, [4, 5]],
    [{ end_date: "20260109" }, [0]],
    [{ start_date: "20260111", end_date: "20260110" }, []],
    [{ start_date: "20260201" }, []],
  ])("the days %j find the scheduled messages %j", async (params, indexes) => {
    expect(await found(params)).toEqual(indexes);
  });

  test.each(["2026011", "202601100", "2026-01-10", "20260230", "20261301", "tomorrow", ""])(
    "the day %j of scheduled messages is refused",
    async (start_date) => {
      const service = createFake();
      const { id } = service.addList();
      const { scheduledMessages } = v2Of(service, { validateRequests: false });
      await expect(scheduledMessages.list(id, { start_date })).rejects.toMatchObject({
        status: 422,
        message: expect.stringContaining("start_date"),
      });
    },
  );
});
