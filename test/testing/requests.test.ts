import { describe, expect, test } from "vitest";
import { basic, createFake, rcsOf, rcsText, v2Of } from "../support/fake-service.ts";

describe("service.requests", () => {
  test("tells method, path, query, headers and the parsed body, in order", async () => {
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

  test("tells no credentials, in whichever case their header came", async () => {
    const service = createFake();
    const { apiKey } = service.account;
    const url = `${service.v2BaseUrl}/api/v2/lists`;
    await service.fetch(url, { headers: { AUTHORIZATION: basic(service.account) } });
    await service.fetch(url, { headers: { "X-API-Key": apiKey } });
    expect(service.requests.map(({ headers }) => headers)).toEqual([
      { authorization: "[redacted]" },
      { "x-api-key": "[redacted]" },
    ]);
    expect(JSON.stringify(service.requests)).not.toContain(apiKey);
  });

  test("tells a body that is not JSON as the text it is", async () => {
    const service = createFake();
    const url = `${service.v2BaseUrl}/api/v2/lists/`;
    await service.fetch(url, { method: "POST", body: "name=New" });
    expect(service.requests[0]?.body).toBe("name=New");
  });

  test("tells the path as it was sent, percent-encoded", async () => {
    const service = createFake();
    const { id } = service.addList();
    await v2Of(service)
      .subscribers.remove(id, "(206) 555-0123")
      .catch(() => {});
    expect(service.requests[0]?.path).toBe(`/api/v2/lists/${id}/subscribers/(206)%20555-0123`);
  });

  test("tells what was refused, too", async () => {
    const service = createFake({ rateLimit: { limit: 1 } });
    const url = service.v2BaseUrl;
    const headers = { authorization: basic(service.account) };
    for (const path of ["/api/v2/lists", "/api/v2/lists", "/api/v2/nothing"]) {
      await service.fetch(url + path, { headers });
    }
    await service.fetch(`${url}/api/v2/lists`);
    expect(service.requests.map(({ path }) => path)).toEqual([
      "/api/v2/lists",
      "/api/v2/lists",
      "/api/v2/nothing",
      "/api/v2/lists",
    ]);
  });

  test("tells every attempt of a call that is repeated", async () => {
    const service = createFake();
    service.failNext({ status: 503, times: 2 });
    const retry = { limit: 2, backoff: { initial: 1, max: 1 } };
    await v2Of(service, { retry }).accounts.me();
    expect(service.requests).toHaveLength(3);
  });
});

describe("two fakes", () => {
  test("have nothing in common", async () => {
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
});
