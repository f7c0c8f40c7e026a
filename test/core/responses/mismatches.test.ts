import { describe, expect, test, vi } from "vitest";
import type { ClientEvent, ResponseValidationError } from "../../../src/index.ts";
import { account, clientsOf, errorOf, list, page } from "../../support/calls.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

const SECRET_VALUE = "value-of-the-field";
const drifted = { ...account, account: { ...account.account, id: SECRET_VALUE, extra: 1 } };
const without = { ...account, account: { id: 7, username: "owner" } };

const watched = () => vi.spyOn(console, "warn").mockImplementation(() => {});
const ME = "messaging-service-client: GET /api/v2/accounts/me:";

describe("responseValidation: warn", () => {
  test("a field with a mismatch causes one warning for each client, without its value", async () => {
    const warn = watched();
    await using server = await startLoopback(respond(200, drifted));
    const { v2 } = clientsOf(server);
    for (let calls = 0; calls < 3; calls += 1) {
      expect(await v2.accounts.me()).toEqual(drifted.account);
    }
    const expected = `${ME} account.id is not as documented: it must be an integer`;
    expect(warn.mock.calls).toEqual([[expected]]);
    await clientsOf(server).v2.accounts.me();
    expect(warn.mock.calls).toEqual([[expected], [expected]]);
  });

  test("each field with mismatches causes its own warning", async () => {
    const warn = watched();
    await using server = await startLoopback(respond(200, drifted), respond(200, without));
    const { v2 } = clientsOf(server);
    await v2.accounts.me();
    await v2.accounts.me();
    expect(warn.mock.calls.flat()).toEqual([
      expect.stringContaining("account.id"),
      expect.stringContaining("account.email"),
    ]);
  });

  test("a field with two kinds of mismatches causes one warning", async () => {
    const warn = watched();
    const of = (email: unknown) =>
      respond(200, { ...account, account: { ...account.account, email } });
    await using server = await startLoopback(of(undefined), of(5), of(null));
    const { v2 } = clientsOf(server);
    for (let calls = 0; calls < 3; calls += 1) await v2.accounts.me();
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test("a field with a mismatch at every index of an array causes one warning", async () => {
    const warn = watched();
    const lists = Array(50).fill({ ...list.list, counts: { subscribers: "many" } });
    await using server = await startLoopback(respond(200, { ...page, lists }));
    await clientsOf(server).v2.lists.list();
    expect(warn.mock.calls.flat()).toEqual([
      expect.stringContaining("lists[].counts.subscribers is"),
      expect.stringContaining("lists[].counts.unsubscribed is"),
      expect.stringContaining("lists[].counts.cleaned is"),
    ]);
  });

  test("the warning of an unknown opt-in type is a readable sentence", async () => {
    const warn = watched();
    await using server = await startLoopback(respond(200, { opt_in_type: "triple" }));
    const triple = { opt_in_type: "triple" };
    const { v2 } = clientsOf(server, { validateRequests: false });
    expect(await v2.lists.configureOptIn(17, triple as never)).toEqual(triple);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toContain("opt_in_type is not as documented: it must be");
  });

  test.each([
    [
      "a field that is not documented",
      { ...account, more: 1, account: { ...account.account, new: [] } },
    ],
    ["an unknown status", { ...account, status: "Fine" }],
  ])("%s causes no warning", async (_, body) => {
    const warn = watched();
    await using server = await startLoopback(respond(200, body));
    expect((await clientsOf(server).v2.accounts.me().withResponse()).body).toEqual(body);
    expect(warn).not.toHaveBeenCalled();
  });
});

describe("many records with mismatches", () => {
  /** Creates a page of many lists. From index `from` on, every field of a list has an undocumented type. */
  const pageOf = (length: number, from = 0) => ({
    ...page,
    lists: Array.from({ length }, (_, index) =>
      index < from
        ? list.list
        : Object.fromEntries(Object.keys(list.list).map((key) => [key, { of: "another type" }])),
    ),
  });
  // `counts` has three fields.
  const fields = Object.keys(list.list).length + 2;

  test.each(["warn", "off"] as const)(
    'twenty thousand records with mismatches do not fail a call in the mode "%s"',
    async (responseValidation) => {
      const warn = watched();
      const events: ClientEvent[] = [];
      await using server = await startLoopback(respond(200, pageOf(20_000)));
      const { v2 } = clientsOf(server, { responseValidation });
      const { items } = await v2.lists.list({}, { onEvent: (event) => events.push(event) });
      expect(items).toHaveLength(20_000);
      expect(events.at(-1)).toMatchObject({ type: "succeeded" });
      expect(warn).toHaveBeenCalledTimes(responseValidation === "warn" ? fields : 0);
    },
  );

  test("a hundred thousand mismatches in one record do not fail a call", async () => {
    const warn = watched();
    const lists = [{ ...list.list, keyword_names: Array(300_000).fill(5) }];
    await using server = await startLoopback(respond(200, { ...page, lists }));
    expect((await clientsOf(server).v2.lists.list()).items).toHaveLength(1);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('"strict" rejects twenty thousand records with mismatches with a ResponseValidationError', async () => {
    await using server = await startLoopback(respond(200, pageOf(20_000)));
    const error = await errorOf<ResponseValidationError>(
      clientsOf(server, { responseValidation: "strict" }).v2.lists.list(),
    );
    expect(error).toMatchObject({ code: "response_validation", outcome: "done" });
    expect(error.issues).toHaveLength(fields);
  });

  test('a mismatch after the first thousand records is reported only in "strict"', async () => {
    const warn = watched();
    await using server = await startLoopback(respond(200, pageOf(2500, 2400)));
    const { v2 } = clientsOf(server);
    await v2.lists.list();
    expect(warn).not.toHaveBeenCalled();
    const error = await errorOf<ResponseValidationError>(
      v2.lists.list({}, { responseValidation: "strict" }),
    );
    const message = "must have the documented types everywhere";
    expect(error.issues).toMatchObject([{ code: "custom", path: [], message }]);
  });
});

describe("responseValidation: strict and off", () => {
  test('"strict" rejects a response with mismatches, with the outcome done', async () => {
    const warn = watched();
    await using server = await startLoopback(respond(200, drifted));
    const call = clientsOf(server, { responseValidation: "strict" }).v2.accounts.me();
    const error = await errorOf<ResponseValidationError>(call);
    expect(error).toMatchObject({
      code: "response_validation",
      outcome: "done",
      status: 200,
      issues: [{ code: "invalid_type", path: ["account", "id"], message: "must be an integer" }],
    });
    expect(error.body).toBe(JSON.stringify(drifted));
    expect(JSON.stringify(error)).not.toContain(SECRET_VALUE);
    server.onlyRequest();
    expect(warn).not.toHaveBeenCalled();
  });

  test('"off" ignores mismatches', async () => {
    const warn = watched();
    const events: ClientEvent[] = [];
    await using server = await startLoopback(respond(200, drifted));
    const { v2 } = clientsOf(server, {
      responseValidation: "off",
      onEvent: (event) => events.push(event),
    });
    expect(await v2.accounts.me()).toEqual(drifted.account);
    expect(warn).not.toHaveBeenCalled();
    expect(events.map(({ type }) => type)).toEqual(["request", "response", "succeeded"]);
  });

  test("responseValidation of a call overrides the client's responseValidation", async () => {
    watched();
    await using server = await startLoopback(respond(200, drifted));
    const { v2 } = clientsOf(server, { responseValidation: "strict" });
    await v2.accounts.me({ responseValidation: "off" });
    await v2.accounts.me({ responseValidation: "warn" });
    await expect(v2.accounts.me()).rejects.toMatchObject({ outcome: "done" });
  });
});

describe("event `response_mismatch`", () => {
  test.each(["warn", "strict"] as const)(
    "response_mismatch is emitted once for each response in the mode %s",
    async (mode) => {
      watched();
      const events: ClientEvent[] = [];
      await using server = await startLoopback(respond(200, drifted));
      const { v2 } = clientsOf(server, {
        responseValidation: mode,
        onEvent: (event) => events.push(event),
      });
      await Promise.allSettled([v2.accounts.me(), v2.accounts.me()]);
      const mismatches = events.filter(({ type }) => type === "response_mismatch");
      expect(mismatches).toHaveLength(2);
      expect(mismatches[0]).toMatchObject({
        endpoint: "GET /api/v2/accounts/me",
        issues: [{ path: ["account", "id"] }],
      });
      expect(JSON.stringify(events)).not.toContain(SECRET_VALUE);
    },
  );
});
