import { describe, expect, test } from "vitest";
import { createFake, NEW_YEAR, v2Of } from "../../support/fakes/fake-service.ts";

const open = () => {
  const service = createFake();
  const { id } = service.addList();
  const subscriber = service.addSubscriber(id, { phone_number: "+12065550123", carrier: 7 });
  return { service, id, subscriber, v2: v2Of(service) };
};

describe("subscribers.remove", () => {
  test("subscribers.remove removes a subscriber by its phone_number, and resolves to the subscriber", async () => {
    const { service, id, subscriber, v2 } = open();
    service.advance({ hours: 1 });
    const removed = await v2.subscribers.remove(id, subscriber.phone_number);
    expect(removed).toEqual({ ...subscriber, opted_out_at: "2026-01-01T01:00:00.000Z" });
    expect(removed.subscribed_at).toBe(NEW_YEAR);
    expect(service.requests).toMatchObject([
      {
        method: "DELETE",
        path: `/api/v2/lists/${id}/subscribers/%2B12065550123`,
        query: {},
        body: undefined,
      },
    ]);
    expect((await v2.lists.retrieve(id)).counts).toMatchObject({ subscribers: 0, unsubscribed: 1 });
  });

  test.each([
    ["(206) 555-0123", "(206)%20555-0123"],
    ["206-555-0123", "206-555-0123"],
    ["1 206 555 0123", "1%20206%20555%200123"],
    ["206.555.0123", "206.555.0123"],
    ["tel:+1-206-555-0123", "tel%3A%2B1-206-555-0123"],
    ["206·555·0123", "206%C2%B7555%C2%B70123"],
  ])(
    "subscribers.remove sends %s unchanged, percent-encoded, and the fake finds only the phone_number that it returned",
    async (phone, segment) => {
      const { service, id, v2 } = open();
      await expect(v2.subscribers.remove(id, phone)).rejects.toMatchObject({ status: 404 });
      expect(service.requests[0]?.path.split("/").at(-1)).toBe(segment);
      expect(service.subscribersOf(id)).toMatchObject([{ opted_out_at: null }]);
    },
  );

  test("subscribers.remove of a phone number that is not on the list rejects with a NotFoundError that does not quote it", async () => {
    const { id, v2 } = open();
    const error = await v2.subscribers.remove(id, "+12065550199").catch((thrown) => thrown);
    expect(error).toMatchObject({
      name: "NotFoundError",
      endpoint: "DELETE /api/v2/lists/{ID}/subscribers/{SUBSCRIBER_ID}",
    });
    expect(JSON.stringify(error)).not.toContain("5550199");
  });

  test("subscribers.remove rejects a second removal with a NotFoundError, and changes nothing", async () => {
    const { service, id, v2 } = open();
    await v2.subscribers.remove(id, "+12065550123");
    service.advance({ hours: 1 });
    await expect(v2.subscribers.remove(id, "+12065550123")).rejects.toMatchObject({ status: 404 });
    expect(service.subscribersOf(id)).toMatchObject([{ opted_out_at: NEW_YEAR }]);
  });
});
