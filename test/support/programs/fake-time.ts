// Waits of the package under fake timers, for any test runner. Each scenario advances the time by exactly as much as it needs.

import { memoryLedger, removeMany, sendMany, sendOnce } from "../../../src/bulk/index.ts";
import {
  createThrottle,
  type Throttle,
  TransactionalClient,
  throttleFrom,
  V2Client,
} from "../../../src/index.ts";
import { createFakeService } from "../../../src/testing/index.ts";

/** Advances the fake time, and lets all promises settle. */
export type Advance = (ms: number) => Promise<void>;

const SEND = "POST /transactional_messages/send_rcs_text";
const REMOVAL = "DELETE /api/v2/lists/{ID}/subscribers/{SUBSCRIBER_ID}";

const message = {
  phoneNumber: "+12065550123",
  webhookUrl: "https://example.com/webhooks/messages",
  rcsPayload: { text: "Your table is ready" },
  smsFailover: "Your table is ready",
};

const open = (throttle?: Throttle | { limit: number; interval: number }) => {
  const service = createFakeService();
  const { email, apiKey } = service.account;
  const { fetch } = service;
  return {
    service,
    v2: new V2Client({ baseUrl: service.v2BaseUrl, email, apiKey, fetch, throttle }),
    rcs: new TransactionalClient({ baseUrl: service.transactionalBaseUrl, apiKey, fetch }),
  };
};

const DONE = { isDone: true };
const callOf = (v2: V2Client, options = {}) => v2.accounts.me(options).then(() => DONE);

/** Returns how a promise has ended, or "pending". */
const endOf = async (promise: Promise<unknown>): Promise<unknown> => {
  const ended = promise.then(
    (value) => value,
    (error: unknown) => error,
  );
  let end: unknown = "pending";
  ended.then((value) => {
    end = value;
  });
  for (let step = 0; step < 50; step += 1) await undefined;
  return end;
};

const expectPending = async (promise: Promise<unknown>): Promise<void> => {
  const end = await endOf(promise);
  if (end !== "pending") throw new Error(`ended too early: ${JSON.stringify(end)}`);
};

/** Expects that a promise has ended with an object that has these fields. */
const expectEnd = async (promise: Promise<unknown>, fields: object): Promise<void> => {
  const end = await endOf(promise);
  for (const [name, value] of Object.entries(fields)) {
    if ((end as Record<string, unknown>)?.[name] === value) continue;
    throw new Error(`${name} should be ${value}: ${end === "pending" ? end : JSON.stringify(end)}`);
  }
};

/** Expects that a promise is pending until the last second of a wait. */
const expectEndAfter = async (
  promise: Promise<unknown>,
  ms: number,
  fields: object,
  advance: Advance,
): Promise<void> => {
  await advance(ms - 100);
  await expectPending(promise);
  await advance(100);
  await expectEnd(promise, fields);
};

export const scenarios: Readonly<Record<string, (advance: Advance) => Promise<void>>> = {
  "a call after a 429 waits for Retry-After, and its throttle does not hold it twice": async (
    advance,
  ) => {
    const { service, v2 } = open();
    service.failNext({ status: 429, headers: { "retry-after": "30" } });
    const call = callOf(v2);
    await advance(0);
    await expectEndAfter(call, 30_000, DONE, advance);
  },
  "a call after two 429s waits for each": async (advance) => {
    const { service, v2 } = open({ limit: 1, interval: 2_000 });
    service.failNext({ status: 429, headers: { "retry-after": "30" }, times: 2 });
    const call = callOf(v2);
    await advance(0);
    await advance(30_000);
    await expectEndAfter(call, 30_000, DONE, advance);
  },
  "throttled calls start one after the other": async (advance) => {
    const { v2 } = open({ limit: 1, interval: 2_000 });
    const calls = [1, 2, 3].map(() => callOf(v2));
    await advance(0);
    for (const [index, call] of calls.entries()) {
      // A window has a margin of 2 ms. A fraction of a millisecond may require a second timer.
      if (index > 0) await advance(2_005);
      await expectEnd(call, DONE);
      await Promise.all(calls.slice(index + 1).map(expectPending));
    }
  },
  "a hold of a throttle ends": async (advance) => {
    const throttle = createThrottle({ limit: 1, interval: 1_000 });
    throttle.holdUntil(Date.now() + 60_000);
    const acquired = throttle.acquire().then(() => DONE);
    await expectEndAfter(acquired, 60_000, DONE, advance);
  },
  "a throttle over a limiter waits for as long as the limiter asks": async (advance) => {
    let isFree = false;
    const consume = async () => {
      if (!isFree) throw { msBeforeNext: 5_000 };
    };
    const throttle = throttleFrom({ consume }, { key: "account-1" });
    const acquired = throttle.acquire().then(() => DONE);
    await advance(0);
    isFree = true;
    await expectEndAfter(acquired, 5_000, DONE, advance);
  },
  "totalTimeout ends a wait for the throttle": async (advance) => {
    const { v2 } = open({ limit: 1, interval: 3_600_000 });
    const options = { totalTimeout: 5_000 };
    const first = callOf(v2);
    await advance(0);
    await expectEnd(first, DONE);
    await expectEndAfter(callOf(v2, options), 5_000, { phase: "total" }, advance);
  },
  "a run that a 429 pauses goes on, and pauses again": async (advance) => {
    const { service, rcs } = open();
    service.failNext({ status: 429, headers: { "retry-after": "30" }, times: 2, endpoint: SEND });
    const run = sendMany(rcs, [message], { batch: "reminders", ledger: memoryLedger() });
    const summary = Promise.resolve(run);
    await advance(0);
    await advance(30_000);
    await expectEndAfter(summary, 30_000, { accepted: 1, notSent: 0 }, advance);
  },
  "a run whose throttle is held by its own 429 is not held twice": async (advance) => {
    const { service, v2 } = open();
    const { id: listId } = service.addList();
    const { phone_number: phone } = service.addSubscriber(listId);
    service.failNext({ status: 429, headers: { "retry-after": "30" }, endpoint: REMOVAL });
    const options = { listId, batch: "removals", ledger: memoryLedger() };
    const summary = Promise.resolve(removeMany(v2, [phone], options));
    await advance(0);
    await expectEndAfter(summary, 30_000, { accepted: 1, notSent: 0 }, advance);
  },
  "the deadline of a run ends its pause": async (advance) => {
    const { service, rcs } = open();
    service.failNext({ status: 429, headers: { "retry-after": "3000" }, endpoint: SEND });
    const options = { batch: "reminders", ledger: memoryLedger() };
    const deadline = new Date(Date.now() + 60_000);
    const summary = Promise.resolve(sendMany(rcs, [message], { ...options, deadline }));
    await advance(0);
    await expectEndAfter(summary, 60_000, { stopped: "deadline", accepted: 0 }, advance);
  },
  "sendOnce waits for a second process no longer than it may": async (advance) => {
    const { rcs } = open();
    const ledger = memoryLedger();
    const theirs = { id: "theirs", ref: "theirs", owner: "theirs" };
    await ledger.claim({ batch: "once", key: "order-17", digest: "theirs", ...theirs });
    const call = sendOnce(rcs, message, { ledger, key: "order-17", wait: 3_000 });
    await advance(0);
    await expectEndAfter(call, 3_000, { reason: "in_progress" }, advance);
  },
};
