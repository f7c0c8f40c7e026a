import { describe, expect, test } from "vitest";
import { main } from "../../../src/command/main.ts";
import { basic } from "../../support/fakes/fake-service.ts";
import { openControl } from "../control/control.ts";

/** Names of properties that every object inherits. Looking up a caller's value must not find them. */
const NAMES = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"];

describe.each(NAMES)("the name %s", (name) => {
  test(`no page, control call or endpoint has the name ${name}`, async () => {
    const { service, server, url, call } = await openControl();
    expect(await call("GET", name)).toMatchObject({ status: 404 });
    expect(await call("POST", name, {})).toMatchObject({ status: 404 });
    expect(await call("GET", `faults/${name}`)).toMatchObject({ status: 405 });
    expect(await call("DELETE", `faults/${name}`)).toMatchObject({ status: 400 });
    expect(await call("DELETE", `lists/${name}`)).toMatchObject({ status: 400 });
    expect(await call("PUT", `phones/${name}`, {})).toMatchObject({ status: 400 });
    const headers = { authorization: basic(service.account), "x-api-key": "k", [`x-${name}`]: "1" };
    const status = async (path: string) =>
      (await fetch(server.v2BaseUrl + path, { headers })).status;
    expect(await status(`/${name}`)).toBe(501);
    expect(await status(`/api/v2/${name}`)).toBe(501);
    expect(await status(`/api/v2/lists/${name}`)).toBe(404);
    expect(await status(`/reports/${name}.csv`)).toBe(501);
    expect((await fetch(`${url}inbox.js`)).status).toBe(200);
  });

  test(`a query, a body and a fault with the unknown field ${name} are refused`, async () => {
    const { service, server, call } = await openControl();
    const { id } = service.addList();
    const field = `"${name}":1`;
    const refusals = [
      await call("GET", `requests?${name}=1`),
      await call("GET", `events?${name}=1`),
      await call("GET", `messages?to=%2B12065550123&${name}=1`),
      await call("POST", "texts", `{"from":"+12065550123","text":"hi",${field}}`),
      await call("POST", "lists", `{${field}}`),
      await call("POST", "subscribers", `{"list_id":${id},${field}}`),
      await call("POST", "faults", `{"status":500,${field}}`),
      await call("POST", "faults", `{"fault":"${name}"}`),
      await call("POST", "faults", `{"status":500,"endpoint":"${name}"}`),
      await call("POST", "clock", `{${field}}`),
      await call("POST", "clock", `{"until":"${name}"}`),
      await call("PUT", "phones/%2B12065550123", `{${field}}`),
      await call("POST", "reset", `{${field}}`),
    ];
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 400));
    const headers = { authorization: basic(service.account) };
    const response = await fetch(`${server.v2BaseUrl}/api/v2/lists?${name}=1`, { headers });
    expect([200, 422]).toContain(response.status);
  });

  test.each([
    [name],
    ["check", `--${name}`],
    ["fake", `--${name}=1`],
    ["ledger", "sends.db", name],
    ["ledger", "sends.db", "status", `--${name}`],
    ["fake", "--host", "127.0.0.1", "--rate-limit", `--${name}`],
  ])("the command refuses a foreign name as wrong usage: %s %s %s %s %s", async (...args) => {
    expect(await main(args)).toBe(2);
  });
});
