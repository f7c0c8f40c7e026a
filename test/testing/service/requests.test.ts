import { describe, expect, test } from "vitest";
import {
  basic,
  createFake,
  NEW_YEAR,
  rcsOf,
  rcsText,
  v2Of,
} from "../../support/fakes/fake-service.ts";

describe("service.requests", () => {
  test("service.requests records method, path, query, headers, parsed body and response, in order", async () => {
    const service = createFake();
    const v2 = v2Of(service, { headers: { "X-Trace": "7" } });
    const { id } = await v2.lists.create({ name: "New" });
    await v2.scheduledMessages.list(id, { start_date: "20260101", page: 2, per_page: 5 });
    expect(service.requests).toMatchObject([
      {
        method: "POST",
        path: "/api/v2/lists/",
        query: {},
        headers: {
          accept: "application/json",
          authorization: "[redacted]",
          "content-type": "application/json",
          "x-trace": "7",
        },
        body: { list: { name: "New" } },
        id: 1,
        at: NEW_YEAR,
        endpoint: "POST /api/v2/lists/",
        status: 201,
        errors: [],
      },
      {
        method: "GET",
        path: `/api/v2/lists/${id}/messages/scheduled`,
        query: { start_date: "20260101", page: "2", per_page: "5" },
        headers: expect.objectContaining({ authorization: "[redacted]" }),
        body: undefined,
      },
    ]);
  });

  test("service.requests records no credentials, whatever the case of their header", async () => {
    const service = createFake();
    const { apiKey } = service.account;
    const url = `${service.v2BaseUrl}/api/v2/lists`;
    await service.fetch(url, { headers: { AUTHORIZATION: basic(service.account) } });
    await service.fetch(url, { headers: { "X-API-Key": apiKey } });
    await service.fetch(url, { headers: { cookie: `key=${apiKey}` } });
    expect(service.requests.map(({ headers }) => headers)).toEqual([
      { authorization: "[redacted]" },
      { "x-api-key": "[redacted]" },
      { cookie: "[redacted]" },
    ]);
    expect(JSON.stringify(service.requests)).not.toContain(apiKey);
  });

  test("service.requests records the path as it was sent, percent-encoded", async () => {
    const service = createFake();
    const { id } = service.addList();
    await v2Of(service)
      .subscribers.remove(id, "(206) 555-0123")
      .catch(() => {});
    expect(service.requests[0]?.path).toBe(`/api/v2/lists/${id}/subscribers/(206)%20555-0123`);
  });

  test("service.requests records the validation errors of a refused request", async () => {
    const service = createFake();
    const rcs = rcsOf(service, { validateRequests: false });
    await rcs.sendRcsText({ ...rcsText, smsFailover: "", phoneNumber: "1" }).catch(() => {});
    expect(service.requests[0]).toMatchObject({
      status: 400,
      errors: [{ path: ["phoneNumber"] }, { path: ["smsFailover"] }],
    });
    await v2Of(service, { validateRequests: false })
      .lists.list({ page: 0 })
      .catch(() => {});
    expect(service.requests[1]).toMatchObject({ status: 422, errors: [{ path: ["page"] }] });
  });

  test("service.requests records the failure that a request met, with status 0 if no response was sent", async () => {
    const service = createFake();
    const v2 = v2Of(service);
    for (const failure of [{ status: 503 }, { fault: "dropped" }, { fault: "html" }] as const) {
      service.failNext(failure);
      await v2.accounts.me().catch(() => {});
    }
    await v2.accounts.me();
    expect(service.requests.map(({ failure, status }) => [failure, status])).toEqual([
      ["status", 503],
      ["dropped", 0],
      ["html", 200],
      [undefined, 200],
    ]);
  });

  test("service.requests records the beginning of a body of more than 65 536 characters", async () => {
    const service = createFake();
    const name = "x".repeat(70_000);
    await v2Of(service).lists.create({ name });
    const body = service.requests[0]?.body;
    expect(body).toBe(JSON.stringify({ list: { name } }).slice(0, 65_536));
    expect(service.lists).toMatchObject([{ name }]);
  });
});

test("two fakes share nothing", async () => {
  const [one, other] = [createFake(), createFake()];
  one.addList();
  one.failNext({ status: 500 });
  one.setRcsReachable(rcsText.phoneNumber, false);
  one.advance({ hours: 1 });
  await rcsOf(other).sendRcsText(rcsText);
  expect((await v2Of(other).lists.list()).count).toBe(0);
  expect(other.outbox).toMatchObject([{ channel: "rcs", at: "2026-01-01T00:00:00.000Z" }]);
  expect([one.requests, one.outbox, one.sends]).toEqual([[], [], []]);
});
