import { RateLimitError } from "messaging-service-client";
import type { FakeService } from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import { createFake, rcsOf, rcsText, v2Of } from "../../support/fakes/fake-service.ts";

const clientOf = (service: FakeService) => v2Of(service, { throttle: false });
const call = (service: FakeService) => clientOf(service).accounts.me();
const useUp = async (service: FakeService, calls: number) => {
  for (let index = 0; index < calls; index += 1) await call(service);
};
const refusal = async (service: FakeService): Promise<RateLimitError> => {
  const error = await call(service).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(RateLimitError);
  return error;
};

describe("the rate limit", () => {
  test("the rate limit is off by default", async () => {
    const service = createFake();
    await useUp(service, 1300);
    expect(service.requests).toHaveLength(1300);
  });

  test("the rate limit is 1200 calls an hour", async () => {
    const service = createFake({ rateLimit: true });
    await useUp(service, 1200);
    expect((await refusal(service)).retryAfterMs).toBe(3_600_000);
    service.advance({ minutes: 59, seconds: 59 });
    expect((await refusal(service)).retryAfterMs).toBe(1000);
    service.advance({ seconds: 1 });
    await useUp(service, 1200);
    await refusal(service);
  });

  test("the rate limit states the time of the next call in Retry-After, and accepts no earlier call", async () => {
    const service = createFake({ rateLimit: { limit: 2, interval: 10_000 } });
    await useUp(service, 1);
    service.advance({ seconds: 3.5 });
    await useUp(service, 1);
    const { retryAfterMs = 0 } = await refusal(service);
    expect(retryAfterMs).toBe(7000);
    service.advance({ milliseconds: retryAfterMs - 1000 });
    await refusal(service);
    service.advance({ milliseconds: 1000 });
    await useUp(service, 1);
    await refusal(service);
  });

  test("the rate limit counts each account separately", async () => {
    const service = createFake({ rateLimit: { limit: 1 } });
    const other = service.addAccount();
    await useUp(service, 1);
    await refusal(service);
    expect((await v2Of(service, {}, other).accounts.me()).id).toBe(other.id);
  });

  test("the rate limit of sends is separate", async () => {
    const service = createFake({ rateLimit: { transactional: { limit: 2, interval: 10_000 } } });
    const rcs = rcsOf(service);
    for (let index = 0; index < 2; index += 1) await rcs.sendRcsText(rcsText);
    await expect(rcs.sendRcsText(rcsText)).rejects.toMatchObject({
      status: 429,
      retryAfterMs: 10_000,
      outcome: "rejected",
    });
    expect(service.sends).toHaveLength(2);
    await useUp(service, 1300);
    service.advance({ seconds: 10 });
    await rcs.sendRcsText(rcsText);
    // If the version 2 API also has a limit, both limits apply.
    const both = createFake({ rateLimit: { limit: 1, transactional: { limit: 1 } } });
    await useUp(both, 1);
    await refusal(both);
  });

  test("the rate limit refuses a call before anything is done", async () => {
    const service = createFake({ rateLimit: { limit: 1 } });
    const { id } = service.addList();
    service.addSubscriber(id, { phone_number: "+12065550123" });
    await useUp(service, 1);
    await expect(clientOf(service).subscribers.remove(id, "+12065550123")).rejects.toMatchObject({
      status: 429,
      outcome: "rejected",
    });
    expect(service.subscribersOf(id)[0]?.opted_out_at).toBeNull();
  });
});
