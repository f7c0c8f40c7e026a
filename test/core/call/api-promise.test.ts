import { describe, expect, test } from "vitest";
import { toApiPromise } from "../../../src/core/call/api-promise.ts";
import { account, clientsOf, KINDS, list, transaction } from "../../support/calls.ts";
import { REFUSED_URL, respond, startLoopback } from "../../support/servers/loopback.ts";

describe("ApiPromise", () => {
  test("an ApiPromise is a native promise whose request has already started", async () => {
    await using server = await startLoopback(respond(200, account));
    const call = clientsOf(server).v2.accounts.me();
    expect(Object.getPrototypeOf(call)).toBe(Promise.prototype);
    await expect.poll(() => server.requests.length).toBe(1);
    expect(await call).toEqual(account.account);
    expect(await Promise.all([call, call])).toEqual([account.account, account.account]);
    server.onlyRequest();
  });

  test.each(KINDS)(
    "withResponse() of a $kind resolves to data, body and response",
    async (kind) => {
      const body = { ...kind.success, undocumented: { kept: [true] } };
      await using server = await startLoopback(respond(200, body, { "x-request-id": "r-1" }));
      const call = kind.call(clientsOf(server));
      const received = await call.withResponse();
      expect(received.data).toBe(await call);
      expect(received.body).toEqual(body);
      expect(received.response).toBeInstanceOf(Response);
      expect(received.response.bodyUsed).toBe(true);
      expect(received.response.headers.get("x-request-id")).toBe("r-1");
      server.onlyRequest();
    },
  );

  test("an ApiPromise resolves to the resource in the body, or to the whole body of a send", async () => {
    await using server = await startLoopback(respond(200, list), respond(202, transaction));
    const { v2, rcs } = clientsOf(server);
    expect(await v2.lists.retrieve(list.list.id)).toEqual(list.list);
    const sent = await rcs.request({ method: "POST", path: "/any" }).withResponse();
    expect(sent).toMatchObject({ data: transaction, body: transaction, response: { status: 202 } });
  });

  test("a failed call whose caller uses only withResponse() leaves no unhandled rejection", async () => {
    const { v2 } = clientsOf({ baseUrl: REFUSED_URL }, { retry: 0 });
    await expect(v2.accounts.me().withResponse()).rejects.toMatchObject({ code: "connection" });
    await expect(v2.accounts.me({ timeout: -1 }).withResponse()).rejects.toThrow("timeout");
  });

  test("an ApiPromise and its withResponse() reject with the same error", async () => {
    const failure = new Error("failed");
    const call = toApiPromise(Promise.reject(failure));
    await expect(call.withResponse()).rejects.toBe(failure);
    await expect(call.withResponse()).rejects.toBe(failure);
    await expect(call).rejects.toBe(failure);
    await expect(call.finally(() => {})).rejects.toBe(failure);
  });
});
