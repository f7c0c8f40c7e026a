import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { TransactionalClient, V2Client } from "messaging-service-client";
import { describe, expect, test, vi } from "vitest";
import { basic, createFake, rcsText } from "../../support/fakes/fake-service.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describe("service.fetch", () => {
  test("service.fetch accepts a string, a URL and a Request", async () => {
    const service = createFake();
    const url = `${service.v2BaseUrl}/api/v2/accounts/me`;
    const headers = { authorization: basic(service.account) };
    const responses = [
      await service.fetch(url, { headers }),
      await service.fetch(new URL(url), { headers }),
      await service.fetch(new Request(url, { headers })),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(service.requests).toHaveLength(3);
  });

  test("service.fetch ignores the host", async () => {
    const service = createFake();
    const headers = { authorization: basic(service.account) };
    const { status } = await service.fetch("http://127.0.0.1/api/v2/accounts/me", { headers });
    expect(status).toBe(200);
  });

  test("service.fetch sends nothing if its signal has already fired", async () => {
    const service = createFake();
    const reason = new Error("not wanted");
    const signal = AbortSignal.abort(reason);
    await expect(service.fetch(`${service.v2BaseUrl}/api/v2/lists`, { signal })).rejects.toBe(
      reason,
    );
    expect(service.requests).toEqual([]);
  });

  test("service.fetch rejects a hanging call with the reason of its signal", async () => {
    const service = createFake();
    service.failNext({ fault: "hang" });
    const controller = new AbortController();
    const call = service.fetch(`${service.v2BaseUrl}/api/v2/lists`, { signal: controller.signal });
    const reason = new Error("enough");
    setTimeout(() => controller.abort(reason), 10);
    await expect(call).rejects.toBe(reason);
  });

  test("service.fetch still observes the signal of a hanging call after garbage collection", async () => {
    const service = createFake();
    service.failNext({ fault: "hang" });
    const controller = new AbortController();
    let ended = false;
    service.fetch(`${service.v2BaseUrl}/api/v2/lists`, { signal: controller.signal }).catch(() => {
      ended = true;
    });
    for (let round = 0; round < 5; round += 1) {
      await pause(10);
      collectGarbage();
    }
    controller.abort();
    await pause(20);
    expect(ended).toBe(true);
  });
});

describe("service.v2Options and service.transactionalOptions", () => {
  test("clients with the options of a fake reach it through its fetch, even after a reset", async () => {
    const service = createFake({ account: { email: "owner@example.com", apiKey: "key-1" } });
    const fetch = vi.spyOn(service, "fetch");
    const [v2, rcs] = [
      new V2Client(service.v2Options),
      new TransactionalClient(service.transactionalOptions),
    ];
    expect((await v2.accounts.me()).email).toBe("owner@example.com");
    await rcs.sendRcsText(rcsText);
    expect(fetch).toHaveBeenCalledTimes(2);
    service.reset();
    expect((await v2.accounts.me()).email).toBe("owner@example.com");
  });

  test("the options of a fake contain the base URL, the credentials and fetch, and nothing else", () => {
    const service = createFake();
    const { account, fetch, transactionalBaseUrl, v2BaseUrl } = service;
    const { email, apiKey } = account;
    expect(service.v2Options).toEqual({ baseUrl: v2BaseUrl, email, apiKey, fetch });
    expect(service.transactionalOptions).toEqual({ baseUrl: transactionalBaseUrl, apiKey, fetch });
  });
});
