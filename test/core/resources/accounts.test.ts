import { describe, expect, test } from "vitest";
import { createFake, v2Of } from "../../support/fakes/fake-service.ts";

describe("accounts.me", () => {
  test("accounts.me retrieves the account of the key", async () => {
    const service = createFake({ account: { email: "owner@example.com", username: "owner" } });
    const account = await v2Of(service).accounts.me();
    expect(account).toEqual({
      id: service.account.id,
      email: "owner@example.com",
      username: "owner",
    });
    expect(service.requests).toMatchObject([
      {
        method: "GET",
        path: "/api/v2/accounts/me",
        query: {},
        headers: {
          accept: "application/json",
          authorization: "[redacted]",
          "content-type": "application/json",
        },
        body: undefined,
      },
    ]);
  });

  test("accounts.me works with an e-mail address and a key that are not ASCII", async () => {
    const service = createFake({ account: { email: "josé@example.com", apiKey: "schlüssel" } });
    expect((await v2Of(service).accounts.me()).email).toBe("josé@example.com");
  });

  test("accounts.me rejects with an AuthenticationError for a wrong key", async () => {
    const service = createFake();
    const { accounts } = v2Of(service, { apiKey: "wrong" });
    await expect(accounts.me()).rejects.toMatchObject({
      name: "AuthenticationError",
      endpoint: "GET /api/v2/accounts/me",
      outcome: "rejected",
    });
  });
});
