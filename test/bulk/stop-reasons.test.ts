// Runs that stop because every further item would fail. `run-tally.test.ts` tests the decision itself.
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { TransactionalClient } from "messaging-service-client";
import {
  type Ledger,
  LedgerError,
  memoryLedger,
  removeMany,
  sendMany,
} from "messaging-service-client/bulk";
import { describe, expect, test } from "vitest";
import { createFake, rcsOf, v2Of } from "../support/fakes/fake-service.ts";
import { BATCH, collect, gate, HTML, messages, phone, REFUSAL, runOf, SEND } from "./batches.ts";

describe("wrong credentials in a run", () => {
  test.each([401, 403])("a %i stops the run and leaves the key open", async (status) => {
    const service = createFake();
    service.failNext({ status, times: 99 });
    const { run, ledger, requests, seen } = runOf({}, service);
    const summary = await run;
    expect(summary).toMatchObject({ stopped: "credentials", error: { status }, accepted: 0 });
    expect(summary.rejected).toBe(requests());
    expect(requests()).toBeLessThanOrEqual(2);
    expect(seen.closed).toBe(true);
    expect(await ledger.counts(BATCH)).toMatchObject({ open: requests(), rejected: 0 });
  });
});

test("one text that a firewall refuses with an HTML 403 stops no run in which an item was accepted", async () => {
  const service = createFake();
  const fetch: typeof service.fetch = async (...args) => {
    if (String(args[1]?.body).includes(phone(4))) {
      return new Response("<html>Forbidden</html>", { ...HTML, status: 403 });
    }
    return service.fetch(...args);
  };
  const { run, ledger } = runOf({ concurrency: 1 }, service, { fetch });
  const summary = await run;
  expect(summary).toMatchObject({ done: 20, accepted: 19, rejected: 1 });
  expect(summary).not.toHaveProperty("stopped");
  expect(await ledger.counts(BATCH)).toMatchObject({ open: 1, rejected: 0 });
});

test("a run keeps the first reason to stop, whatever the requests on the wire then end as", async () => {
  const service = createFake();
  const { open, opened } = gate();
  const stop = new AbortController();
  service.failNext({ status: 401, times: 99 });
  const { run } = runOf({ concurrency: 1, stop: stop.signal }, service, {
    fetch: async (...args) => {
      stop.abort();
      await opened;
      return service.fetch(...args);
    },
  });
  setTimeout(open, 20);
  const summary = await run;
  expect(summary).toMatchObject({ done: 1, rejected: 1, stopped: "signal" });
  expect(summary).not.toHaveProperty("error");
});

describe("a wrong base URL in a run", () => {
  test.each([
    ["404 of a load balancer", { status: 404, ...HTML }],
    ["405", { status: 405, ...HTML }],
    ["410", { status: 410 }],
    ["404 in JSON", { status: 404, body: { error: "Not Found" } }],
    ["404 in the shape of a documented refusal", { status: 404, body: REFUSAL }],
    ["redirect", { status: 302, headers: { location: "https://example.com/login" } }],
  ])("a %s stops the run at once, and the next run sends everything", async (_, failure) => {
    const service = createFake();
    const ledger = memoryLedger();
    service.failNext({ ...failure, times: 99 });
    const { status } = failure;
    const wrong = await runOf({ ledger, concurrency: 1 }, service).run;
    expect(wrong).toMatchObject({ stopped: "endpoint", done: 1, rejected: 1, error: { status } });
    expect(await ledger.counts(BATCH)).toMatchObject({ open: 1, rejected: 0 });
    const right = createFake();
    expect(await runOf({ ledger }, right).run).toMatchObject({ done: 20, accepted: 20 });
    expect(right.outbox).toHaveLength(20);
  });

  test("a 404 after an accepted send counts as a failure, and leaves its key open", async () => {
    const service = createFake();
    await rcsOf(service).sendRcsText(messages(1)[0] as never);
    const { run, ledger } = runOf({ concurrency: 1 }, service, {
      fetch: async (...args) => {
        // From the fourth request on, a different version of the service responds.
        if (service.requests.length > 3) service.failNext({ status: 404, ...HTML });
        return service.fetch(...args);
      },
    });
    expect(await run).toMatchObject({ stopped: "failures", accepted: 3, rejected: 5 });
    expect(await ledger.counts(BATCH)).toMatchObject({ accepted: 3, open: 5, rejected: 0 });
  });
});

describe("consecutive failures in a run", () => {
  type Failure = Parameters<ReturnType<typeof createFake>["failNext"]>[0];
  const failing = (failure: Failure, times = 99) => {
    const service = createFake();
    service.failNext({ ...failure, times, endpoint: SEND });
    return service;
  };

  test.each([
    ["a 503", { status: 503 }, { unknown: 5 }],
    ["a lost response", { fault: "dropped" }, { unknown: 5 }],
    ["a 200 with HTML", { fault: "html" }, { unknown: 5 }],
    ["a 413 of a gateway", { status: 413, ...HTML }, { rejected: 5 }],
    ["a 400 of a load balancer", { status: 400, ...HTML }, { rejected: 5 }],
  ] as const)(
    "five consecutive items with %s stop the run by default",
    async (_, failure, counts) => {
      const { run, requests, ledger } = runOf({ concurrency: 1 }, failing(failure));
      expect(await run).toMatchObject({ stopped: "failures", done: 5, ...counts });
      expect((await run).error).toBeInstanceOf(Error);
      expect(requests()).toBe(5);
      expect(await ledger.counts(BATCH)).toMatchObject({ rejected: 0 });
    },
  );

  test("five items that are on the wire together and all fail stop the run", async () => {
    const service = failing({ fault: "dropped" });
    const { open, opened } = gate();
    let started = 0;
    const { run, requests } = runOf({ concurrency: 5 }, service, {
      fetch: async (...args) => {
        started += 1;
        if (started === 5) open();
        await opened;
        return service.fetch(...args);
      },
    });
    expect(await run).toMatchObject({ stopped: "failures", unknown: 5, done: 5 });
    expect(requests()).toBe(5);
  });

  test("an unreachable service stops the run", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, "close");
    const rcs = new TransactionalClient({
      ...{ baseUrl: `http://127.0.0.1:${port}`, apiKey: "key" },
      retry: { limit: 1, backoff: { initial: 1 } },
    });
    const ledger = memoryLedger();
    const summary = await sendMany(rcs, messages(475), { batch: BATCH, ledger });
    expect(summary).toMatchObject({
      stopped: "failures",
      unknown: 0,
      error: { code: "connection" },
    });
    expect(summary.notSent).toBeGreaterThanOrEqual(5);
    expect(summary.notSent).toBeLessThanOrEqual(8);
    // An item that was waiting for its retry has no result.
    const { open, ...others } = await ledger.counts(BATCH);
    expect(open).toBeGreaterThanOrEqual(summary.notSent);
    expect(others).toEqual({ sending: 0, accepted: 0, rejected: 0, unknown: 0 });
  });

  test("invalid phone numbers do not count as failures", async () => {
    const service = createFake();
    const bad = messages(30).map((message) => ({ ...message, phoneNumber: "555 123 4567" }));
    const options = { batch: BATCH, ledger: memoryLedger() };
    const summary = await sendMany(rcsOf(service), [...bad, ...messages(2)], options);
    expect(summary).toMatchObject({ done: 32, invalid: 30, notSent: 0, accepted: 2 });
    expect(summary).not.toHaveProperty("stopped");
  });

  test("stopAfterFailures sets the number of failures that stop a run, and `false` never stops it", async () => {
    const failure = { status: 503 };
    const two = runOf({ concurrency: 1, stopAfterFailures: 2 }, failing(failure));
    expect(await two.run).toMatchObject({
      stopped: "failures",
      unknown: 2,
      error: { status: 503 },
    });
    const never = runOf({ stopAfterFailures: false }, failing(failure));
    expect(await never.run).toMatchObject({ done: 20, unknown: 20, inDoubt: 20 });
    expect(await never.run).not.toHaveProperty("stopped");
  });

  test("a response, but not a skipped item, resets the count of failures", async () => {
    const service = failing({ status: 503 }, 4);
    expect(await runOf({ concurrency: 1 }, service).run).toMatchObject({ unknown: 4, done: 20 });
    const documented = createFake();
    const run = runOf({ concurrency: 1 }, documented, {
      fetch: async (...args) => {
        const isFifth = documented.requests.length % 5 === 4;
        documented.failNext(isFifth ? { status: 400, body: REFUSAL } : { status: 503 });
        return documented.fetch(...args);
      },
    });
    expect(await run.run).toMatchObject({ done: 20, unknown: 16, rejected: 4 });
    const skipping = runOf(
      { concurrency: 1, skip: ({ phoneNumber }) => (/[13579]$/.test(phoneNumber) ? "odd" : "") },
      failing({ status: 503 }),
    );
    expect(await skipping.run).toMatchObject({ stopped: "failures", unknown: 5, skipped: 4 });
  });

  test("a throttle that fails stops the run", async () => {
    const throttle = { acquire: () => Promise.reject(new Error("redis is down")) };
    const rcs = rcsOf(createFake(), { throttle });
    const options = { batch: BATCH, ledger: memoryLedger(), concurrency: 1 };
    expect(await sendMany(rcs, messages(20), options)).toMatchObject({
      ...{ stopped: "failures", notSent: 5, error: { code: "throttle", reason: "unavailable" } },
    });
  });
});

test("removals behind a load balancer that responds 404 stop the run, and no opt-out is settled", async () => {
  const balancer = createHttpServer((_, response) => {
    response.writeHead(404, { "content-type": "text/html" }).end(HTML.body);
  }).listen(0, "127.0.0.1");
  await once(balancer, "listening");
  const { port } = balancer.address() as { port: number };
  const service = createFake();
  const { id: listId } = service.addList();
  const phones = Array.from({ length: 50 }, (_, n) => phone(n));
  for (const phone_number of phones) service.addSubscriber(listId, { phone_number });
  const options = { listId, batch: BATCH, ledger: memoryLedger(), concurrency: 1 };
  const wrong = v2Of(service, { baseUrl: `http://127.0.0.1:${port}`, fetch });
  const summary = await removeMany(wrong, phones, options);
  expect(summary).toMatchObject({ stopped: "failures", rejected: 5, error: { status: 404 } });
  balancer.close();
  const right = v2Of(service, { responseValidation: "warn" });
  expect(await removeMany(right, phones, options)).toMatchObject({ accepted: 50 });
  expect((await right.lists.retrieve(listId)).counts.subscribers).toBe(0);
});

describe("a failing ledger in a run", () => {
  const failingAt = (method: "find" | "claim" | "settle", nth = 1): Ledger => {
    const ledger = memoryLedger();
    let calls = 0;
    return {
      ...ledger,
      [method]: async (...args: never[]) => {
        calls += 1;
        if (calls >= nth)
          throw Object.assign(new Error(`at ${phone(1)}`), { code: "SQLITE_IOERR" });
        return (ledger[method] as (...given: never[]) => unknown)(...args);
      },
    };
  };

  test.each(["find", "claim"] as const)(
    "a ledger that fails at %s stops the run before anything is sent",
    async (at) => {
      const { run, requests, seen } = runOf({ ledger: failingAt(at) });
      const results = await collect(run);
      for (const { state, error } of results) {
        expect(state).toBe("not_sent");
        expect(error).toMatchObject({ code: "ledger", reason: "unavailable", outcome: "not_sent" });
      }
      expect(results.length).toBeGreaterThan(0);
      expect(requests()).toBe(0);
      expect(seen.closed).toBe(true);
      const { stopped, error } = await run;
      expect(stopped).toBe("ledger");
      expect(LedgerError.is(error) && error.message).toMatch(/the ledger failed \(SQLITE_IOERR\)$/);
      expect(JSON.stringify([results[0]?.error, error])).not.toContain(phone(1));
    },
  );

  test("a ledger that fails to record a result stops the run, and the result has `recorded: false`", async () => {
    const { run, ledger, requests } = runOf({ ledger: failingAt("settle"), concurrency: 1 });
    const results = await collect(run);
    expect(results).toEqual([expect.objectContaining({ state: "accepted", recorded: false })]);
    expect(await run).toMatchObject({ stopped: "ledger", accepted: 1, error: { code: "ledger" } });
    expect(requests()).toBe(1);
    expect(await ledger.counts(BATCH)).toMatchObject({ sending: 1 });
  });

  test("a ledger that throws synchronously, or returns an entry that allows the claim, counts as failing", async () => {
    const thrower = {
      ...memoryLedger(),
      find: () => {
        throw new Error("now");
      },
    } as Ledger;
    expect(await runOf({ ledger: thrower }).run).toMatchObject({ stopped: "ledger", accepted: 0 });
    const confused: Ledger = {
      ...memoryLedger(),
      claim: async (claim) => ({
        ...claim,
        state: "open",
        at: "2026-01-01T00:00:00.000Z",
        ageMs: 9e9,
      }),
    };
    const { run, requests } = runOf({ ledger: confused });
    expect(await run).toMatchObject({ stopped: "ledger", accepted: 0 });
    expect(requests()).toBe(0);
  });
});
