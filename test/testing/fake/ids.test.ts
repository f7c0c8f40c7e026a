import { createFakeService } from "messaging-service-client/testing";
import { describe, expect, test, vi } from "vitest";
import { createFake, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

describe("ids", () => {
  test("ids and transaction ids of a sequential service count from 1", async () => {
    const service = createFake();
    expect([service.account.id, service.addList().id]).toEqual([1, 2]);
    const { transactionId } = await rcsOf(service).sendRcsText(rcsText);
    expect(transactionId).toBe("00000000-0000-4000-8000-000000000001");
  });

  test("ids of random services differ from each other, and increase within each", async () => {
    const services = Array.from({ length: 20 }, () => createFakeService({ ids: "random" }));
    const first = services.map((service) => service.addList().id);
    expect(new Set(first).size).toBe(20);
    for (const [index, service] of services.entries()) {
      expect(service.addList().id).toBe((first[index] ?? 0) + 1);
    }
  });

  test("transaction ids of a random service are UUIDs that never repeat", async () => {
    const sent = new Set<string>();
    for (let run = 0; run < 10; run += 1) {
      const rcs = rcsOf(createFakeService({ ids: "random" }));
      for (let send = 0; send < 10; send += 1) {
        const { transactionId } = await rcs.sendRcsText(rcsText);
        expect(transactionId).toMatch(UUID);
        sent.add(transactionId);
      }
    }
    expect(sent.size).toBe(100);
  });

  test("ids of a random service do not change the first account and its key", () => {
    const { account } = createFakeService({ ids: "random" });
    expect(account).toMatchObject({ id: 1, email: "owner1@example.com", apiKey: "fake-api-key-1" });
  });

  test("ids are generated without crypto.randomUUID, which a page over plain HTTP lacks", async () => {
    const randomUUID = vi.spyOn(crypto, "randomUUID").mockImplementation(() => {
      throw new TypeError("crypto.randomUUID is not a function");
    });
    const { transactionId } = await rcsOf(createFakeService({ ids: "random" })).sendRcsText(
      rcsText,
    );
    expect(transactionId).toMatch(UUID);
    expect(randomUUID).not.toHaveBeenCalled();
  });
});
