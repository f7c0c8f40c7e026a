// Mocks of `fetch` that an application installs after it has created a client, and later removes.
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { expect, test, vi } from "vitest";
import { account, clientsOf } from "../../support/calls.ts";
import { importFrom, installFixture } from "../../support/fixture.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

interface Nock {
  (origin: string): { get(path: string): { reply(status: number, body: object): unknown } };
  activate(): void;
  restore(): void;
}
interface FetchMock {
  mockGlobal(): { get(url: string, response: object): unknown };
  unmockGlobal(): void;
}

const fixture = installFixture("second-ring");
const { default: nock } = await importFrom<{ default: Nock }>(fixture, "nock");
// Importing it already replaces `fetch`.
nock.restore();
const { default: fetchMock } = await importFrom<{ default: FetchMock }>(fixture, "fetch-mock");

const PATH = "/api/v2/accounts/me";
const mocked = { status: "OK", account: { ...account.account, username: "mocked" } };

/** Functions that mock the account of a service and return a function that removes the mock. */
const MOCKS: readonly (readonly [name: string, mock: (baseUrl: string) => () => void])[] = [
  [
    "msw",
    (baseUrl) => {
      const server = setupServer(http.get(baseUrl + PATH, () => HttpResponse.json(mocked)));
      server.listen();
      return () => server.close();
    },
  ],
  [
    "nock",
    (baseUrl) => {
      nock.activate();
      nock(baseUrl).get(PATH).reply(200, mocked);
      return () => nock.restore();
    },
  ],
  [
    "fetch-mock",
    (baseUrl) => {
      fetchMock.mockGlobal().get(baseUrl + PATH, mocked);
      return () => fetchMock.unmockGlobal();
    },
  ],
  [
    "vi.spyOn",
    () => {
      const spy = vi.spyOn(globalThis, "fetch");
      spy.mockImplementation(async () => Response.json(mocked));
      return () => spy.mockRestore();
    },
  ],
];

test.each(MOCKS)(
  "%s responds to a client that was created before it, until it is removed",
  async (_, mock) => {
    await using server = await startLoopback(respond(200, account));
    const { v2 } = clientsOf(server, { retry: 0 });
    const { fetch } = globalThis;
    const usernames: string[] = [];
    const call = async () => {
      const { data, response } = await v2.accounts.me().withResponse();
      usernames.push(
        `${data.username}, ${response.body === null ? "by the dispatcher" : "by fetch"}`,
      );
    };
    await call();
    const end = mock(server.baseUrl);
    await call().finally(end);
    await call();
    const own = `${account.account.username}, by the dispatcher`;
    expect(usernames).toEqual([own, "mocked, by fetch", own]);
    expect(server.requests).toHaveLength(2);
    expect(globalThis.fetch).toBe(fetch);
  },
);
