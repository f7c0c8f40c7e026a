// A real failure produces each message of docs/guides/error-messages.md.
import { fetchFrom, throttleFrom, V2Client } from "messaging-service-client";
import {
  type Ledger,
  memoryLedger,
  postgresLedger,
  sendMany,
  sendOnce,
  sqliteLedger,
} from "messaging-service-client/bulk";
import type { NextFailure } from "messaging-service-client/testing";
import { Agent, RetryAgent } from "undici";
import { expect, test, vi } from "vitest";
import { createFake, rcsOf, rcsText, v2Of } from "../support/fakes/fake-service.ts";
import { REFUSED_URL, respond, startLoopback } from "../support/servers/loopback.ts";
import { readPage } from "./pages.ts";

const never = () => new Promise<never>(() => {});

/** Creates a client with valid settings, overridden by `options`. */
const newClient = (options: object) =>
  v2Of(createFake(), { baseUrl: "https://app.example.com", apiKey: "key", ...options });

const send = (message: object) => rcsOf(createFake()).sendRcsText({ ...rcsText, ...message });

const fail = (failure: NextFailure) => {
  const service = createFake();
  service.failNext(failure);
  return v2Of(service, { responseValidation: "warn" }).accounts.me();
};

const once = (ledger: Ledger, message = rcsText) =>
  sendOnce(rcsOf(createFake()), message, { ledger, key: "order-17", wait: 0 });

/** Returns a ledger in which a different process has claimed the key. */
const claimed = async (): Promise<Ledger> => {
  const ledger = memoryLedger();
  const [id, batch, key, digest, ref, owner] = ["1", "once", "order-17", "2", "3", "4"];
  await ledger.claim({ id, batch, key, digest, ref, owner } as Parameters<Ledger["claim"]>[0]);
  return ledger;
};

/** Failures that produce the messages of the page, in its order. Each rejects, throws or warns. */
const FAILURES: readonly (() => unknown)[] = [
  () => new V2Client({ email: "owner@example.com", apiKey: "key" }),
  () => newClient({ apiKey: '"key"' }),
  () => newClient({ baseUrl: "https://app.example.com/api/v2" }),
  () => newClient({ baseUrl: "http://app.example.com" }),
  () => newClient({ timeouts: 1 }),

  () => send({ phoneNumber: "555-123-4567" }),
  () => send({ smsFailover: "It’s ready" }),
  () => send({ webhookUrl: "http://example.com" }),

  () => v2Of(createFake(), { apiKey: "wrong" }).accounts.me(),
  () => fail({ status: 404, body: "<h1>Not found</h1>" }),
  () => fail({ status: 302, headers: { location: "https://login.example.com/" } }),
  () => fail({ fault: "html" }),
  () => newClient({ baseUrl: REFUSED_URL, fetch: undefined }).accounts.me(),
  () => fail({ fault: "dropped" }),
  () => newClient({ timeout: 1, fetch: never }).accounts.me(),
  () => newClient({ totalTimeout: 1, fetch: never }).accounts.me(),
  () => fail({ status: 429, headers: { "retry-after": "3000" } }),
  async () => {
    const v2 = v2Of(createFake(), { throttle: { limit: 1, interval: 60_000, maxWait: 0 } });
    await v2.accounts.me();
    await v2.accounts.me();
  },
  () => {
    const consume = () => Promise.reject(new Error("the table is missing"));
    return newClient({ throttle: throttleFrom({ consume }, { key: "account" }) }).accounts.me();
  },
  () => rcsOf(createFake(), { allowRecipient: () => false }).sendRcsText(rcsText),
  async () => {
    await using server = await startLoopback(respond(503));
    const { baseUrl } = server;
    const retrying = new RetryAgent(new Agent(), { minTimeout: 1 });
    const fetch = fetchFrom({
      dispatch: (options, handler) => retrying.dispatch(options as never, handler),
    });
    await newClient({ baseUrl, fetch }).accounts.me();
  },
  () => fail({ fault: "drift" }),

  async () => {
    const ledger = await claimed();
    await ledger.settle(
      { id: "1", batch: "once", key: "order-17", digest: "2", ref: "3", owner: "4" },
      { state: "unknown" },
    );
    await once(ledger);
  },
  async () => once(await claimed()),
  async () => {
    const ledger = memoryLedger();
    await once(ledger);
    await once(ledger, { ...rcsText, smsFailover: "Your room is ready" });
  },
  () => once({ ...memoryLedger(), find: () => Promise.reject(new Error("no disk")) }),
  () => sqliteLedger("/none/of/these/exists.db", { create: false }),
  () => postgresLedger({ query: async () => [[], {}] }).find("batch", "key"),
  () => {
    const rcs = rcsOf(createFake());
    rcs.sendRcsText = vi.fn();
    return sendOnce(rcs, rcsText, { ledger: memoryLedger(), key: "order-17" });
  },
  () => {
    const options = { batch: "reminders", ledger: memoryLedger() };
    const items = [rcsText, rcsText].values();
    return sendMany(rcsOf(createFake()), items, options);
  },
];

const ROW = /^\| (`{1,2})(.+?)\1 \|/gm;
const messages = [...readPage("docs/guides/error-messages.md").matchAll(ROW)].map(
  ([, , message = ""]) => message.trim(),
);

const toPattern = (message: string): RegExp =>
  new RegExp(message.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&").replaceAll("…", ".*"));

test("the page of error messages has a row for each failure of this table", () => {
  expect(messages).toHaveLength(FAILURES.length);
});

test.each(messages.map((message, index) => [message, FAILURES[index]] as const))(
  "a real failure has the message %j",
  async (message, failure) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const seen: unknown[] = [];
    try {
      await failure?.();
    } catch (error) {
      seen.push(error instanceof Error && error.message);
    }
    seen.push(...warn.mock.calls.flat());
    expect(seen.join("\n")).toMatch(toPattern(message));
  },
);
