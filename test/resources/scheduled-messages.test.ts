import { describe, expect, test } from "vitest";
import { createFake, v2Of } from "../support/fakes/fake-service.ts";

const open = (count = 0) => {
  const service = createFake();
  const { id } = service.addList();
  for (let index = 1; index <= count; index += 1) {
    const day = String(index).padStart(2, "0");
    service.addScheduledMessage(id, { name: day, sent_at: `2026-01-${day}T17:00:00.000Z` });
  }
  return { service, id, scheduledMessages: v2Of(service).scheduledMessages };
};

describe("scheduledMessages.list", () => {
  test("scheduledMessages.list resolves to the messages of a list, and sends only the given parameters", async () => {
    const { service, id, scheduledMessages } = open();
    const message = service.addScheduledMessage(id, { attachment: "https://example.com/a.png" });
    expect((await scheduledMessages.list(id)).items).toEqual([message]);
    await scheduledMessages.list(id, { start_date: undefined, end_date: undefined });
    expect(service.requests).toMatchObject([
      { method: "GET", path: `/api/v2/lists/${id}/messages/scheduled`, query: {} },
      { query: {} },
    ]);
  });

  test.each([
    ["strings", "20260103", "20260105"],
    ["dates", new Date("2026-01-03T00:00:00.000Z"), new Date("2026-01-05T23:59:59.999Z")],
    ["a string and a date", "20260103", new Date("2026-01-05T12:00:00.000Z")],
  ])("scheduledMessages.list accepts days as %s, in UTC", async (_, start_date, end_date) => {
    const { service, id, scheduledMessages } = open(8);
    const { items } = await scheduledMessages.list(id, { start_date, end_date });
    expect(items.map(({ name }) => name)).toEqual(["03", "04", "05"]);
    expect(service.requests[0]?.query).toEqual({ start_date: "20260103", end_date: "20260105" });
  });

  test("scheduledMessages.list sends the same days for each page", async () => {
    const { service, id, scheduledMessages } = open(8);
    const days = { start_date: "20260102", end_date: "20260106" };
    const names: (string | null)[] = [];
    for await (const { name } of scheduledMessages.list(id, { ...days, per_page: 2 })) {
      names.push(name);
    }
    expect(names).toEqual(["02", "03", "04", "05", "06"]);
    expect(service.requests.map(({ query }) => query)).toEqual([
      { ...days, per_page: "2" },
      { ...days, per_page: "2", page: "2" },
      { ...days, per_page: "2", page: "3" },
    ]);
  });

  test("scheduledMessages.list ends at its last page, although `count` covers one page only", async () => {
    const { id, scheduledMessages } = open(8);
    expect(await scheduledMessages.list(id, { per_page: 3 }).toArray()).toHaveLength(8);
    const page = await scheduledMessages.list(id, { page: 3, per_page: 3 });
    expect([page.count, page.pages_count, page.hasNextPage()]).toEqual([2, 3, false]);
  });

  test("scheduledMessages.list does not change the caller's dates", async () => {
    const { id, scheduledMessages } = open();
    const start_date = new Date("2026-01-03T12:00:00.000Z");
    const params = Object.freeze({ start_date });
    await scheduledMessages.list(id, params);
    expect(params).toEqual({ start_date: new Date("2026-01-03T12:00:00.000Z") });
  });

  test.each([
    [{ start_date: "2026-01-03" }, ["start_date"]],
    [{ start_date: "20260230" }, ["start_date"]],
    [{ end_date: new Date(Number.NaN) }, ["end_date"]],
    [{ end_date: 20260103 }, ["end_date"]],
    [{ per_page: 5000 }, ["per_page"]],
  ])("scheduledMessages.list rejects %o before anything is sent", async (params, path) => {
    const { service, id, scheduledMessages } = open();
    await expect(scheduledMessages.list(id, params as never)).rejects.toMatchObject({
      source: "client",
      errors: [{ path }],
    });
    expect(service.requests).toEqual([]);
  });

  test("scheduledMessages.list rejects with a NotFoundError if there is no such list", async () => {
    const { scheduledMessages } = open();
    await expect(scheduledMessages.list(99).toArray()).rejects.toMatchObject({
      name: "NotFoundError",
      resume: { page: 1, per_page: 1000 },
    });
  });
});
