// Runs that stop because every remaining item would fail.
import { TransactionalClient } from "messaging-service-client";
import {
  type Ledger,
  LedgerError,
  memoryLedger,
  type RcsMessage,
  removeMany,
  sendMany,
} from "messaging-service-client/bulk";
import { describe, expect, test } from "vitest";
import { createFake, rcsOf, v2Of } from "../support/fakes/fake-service.ts";
import { REFUSED_URL } from "../support/servers/loopback.ts";
import {
  BATCH,
  collect,
  failUnknownHost,
  gate,
  HTML,
  messages,
  phone,
  REFUSAL,
  runOf,
  SEND,
} from "./batches.ts";

/** A response, or an item for which no request is made. */
type Step = number | "refusal" | "unreachable" | "skipped" | "invalid";

/** A service that gives the responses in order. For a 202, it gives the fake's own response. */
const playing = (steps: readonly Step[]) => {
  const service = createFake();
  const left = steps.filter((step) => step !== "skipped" && step !== "invalid");
  const fetch: typeof service.fetch = async (...args) => {
    const step = left.shift();
    if (step === 202) return service.fetch(...args);
    if (step === "refusal") return Response.json(REFUSAL, { status: 422 });
    if (step === 0) return Response.error();
    if (step === 304) return new Response(null, { status: step });
    if (typeof step === "number") return new Response(HTML.body, { ...HTML, status: step });
    return failUnknownHost(args[0]);
  };
  return { service, fetch };
};

const OPTIONS = { batch: BATCH, concurrency: 1, stopAfterFailures: 3, retry: 0 } as const;

/** Expects that a run ends at its last step for the given reason, and that only a documented refusal settles a key. */
const expectStop = async (steps: readonly Step[], stopped: string | undefined) => {
  const { service, fetch } = playing(steps);
  const ledger = memoryLedger();
  const items = [...steps, ...(stopped ? [202 as const] : [])].map((step, n) => ({
    ...(messages(1, n)[0] as RcsMessage),
    ...(step === "invalid" && { phoneNumber: "555 123 4567" }),
    ...(step === "skipped" && { smsFailover: "skipped" }),
  }));
  const skip = ({ smsFailover }: RcsMessage) => smsFailover === "skipped" && "opted out";
  const rcs = rcsOf(service, { fetch });
  const summary = await sendMany(rcs, items, { ...OPTIONS, ledger, skip });
  expect([summary.done, summary.stopped]).toEqual([steps.length, stopped]);
  const { rejected } = await ledger.counts(BATCH);
  expect(rejected).toBe(steps.filter((step) => step === "refusal").length);
};

describe("the reason to stop a run", () => {
  test.each<[name: string, steps: readonly Step[], stopped: string | undefined]>([
    ["consecutive undocumented refusals", [413, 402, 400], "failures"],
    ["failures of different kinds", [503, "unreachable", 409], "failures"],
    ["a 304 for every item, which is not a redirect", [304, 304, 304], "failures"],
    ["failures after an accepted send", [503, 503, 202, 503, 503, 503], "failures"],
    ["failures that a documented refusal interrupts", [503, 503, "refusal", 503, 503], undefined],
    ["failures and items without a request", [503, "skipped", 503, "invalid", 503], "failures"],
    ["documented refusals", ["refusal", "refusal", "refusal", "refusal"], undefined],
    ["a 401 after an accepted send", [202, 401], "credentials"],
    ["a 403 before any send was accepted", [503, 403], "credentials"],
    ["a 403 after an accepted send", [202, 403, 202], undefined],
    ["a 403 for every item after an accepted send", [202, 403, 403, 403], "failures"],
  ])("the reason to stop a run is right after %s", (_, steps, stopped) =>
    expectStop(steps, stopped),
  );

  test.each([0, 301, 302, 303, 307, 308, 404, 405, 410])(
    "a %i before the first accepted send means a wrong base URL; later, it counts as a failure",
    async (status) => {
      await expectStop([status], "endpoint");
      await expectStop(["skipped", "invalid", status], "endpoint");
      await expectStop(["refusal", status], "endpoint");
      await expectStop([202, status, status, status], "failures");
    },
  );

  test("a run that is stopped by its last item reports the reason", async () => {
    const rcs = rcsOf(createFake(), { fetch: playing([401]).fetch });
    const options = { ...OPTIONS, ledger: memoryLedger() };
    expect(await sendMany(rcs, messages(1), options)).toMatchObject({ stopped: "credentials" });
  });

  test.each<[steps: readonly Step[], stopped: string | undefined]>([
    [[404, 404, 404], "failures"],
    [[202, 404, 404, 404, 404, 404], undefined],
    [[202, 503, 404, 503, 404, 503], "failures"],
    [[405], "endpoint"],
  ])(
    "a 404 of a removal is a failure until a removal has succeeded, and then concerns that phone only: %j",
    async (steps, stopped) => {
      const { service, fetch } = playing(steps);
      const { id: listId } = service.addList();
      const phones = Array.from({ length: steps.length + (stopped ? 1 : 0) }, (_, n) => phone(n));
      for (const phone_number of phones) service.addSubscriber(listId, { phone_number });
      const options = { ...OPTIONS, ledger: memoryLedger(), listId };
      const v2 = v2Of(service, { fetch, responseValidation: "warn" });
      const summary = await removeMany(v2, phones, options);
      expect([summary.done, summary.stopped]).toEqual([steps.length, stopped]);
    },
  );
});

test("a run keeps the first reason to stop, however the requests on the wire end", async () => {
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

test("a 404 in the shape of a documented refusal stops the run at once, and the next run sends everything", async () => {
  const service = createFake();
  const ledger = memoryLedger();
  service.failNext({ status: 404, body: REFUSAL, times: 99 });
  const wrong = await runOf({ ledger, concurrency: 1 }, service).run;
  expect(wrong).toMatchObject({
    stopped: "endpoint",
    done: 1,
    rejected: 1,
    error: { status: 404 },
  });
  expect(await ledger.counts(BATCH)).toMatchObject({ open: 1, rejected: 0 });
  const right = createFake();
  expect(await runOf({ ledger }, right).run).toMatchObject({ done: 20, accepted: 20 });
  expect(right.outbox).toHaveLength(20);
});

describe("consecutive failures in a run", () => {
  type Failure = Parameters<ReturnType<typeof createFake>["failNext"]>[0];
  const failing = (failure: Failure, times = 99) => {
    const service = createFake();
    service.failNext({ ...failure, times, endpoint: SEND });
    return service;
  };

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
    const rcs = new TransactionalClient({
      ...{ baseUrl: REFUSED_URL, apiKey: "key" },
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
    // An item that was waiting for a retry has no result.
    const { open, ...others } = await ledger.counts(BATCH);
    expect(open).toBeGreaterThanOrEqual(summary.notSent);
    expect(others).toEqual({ sending: 0, accepted: 0, rejected: 0, unknown: 0 });
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

  test("a throttle that fails stops the run", async () => {
    const throttle = { acquire: () => Promise.reject(new Error("redis is down")) };
    const rcs = rcsOf(createFake(), { throttle });
    const options = { batch: BATCH, ledger: memoryLedger(), concurrency: 1 };
    expect(await sendMany(rcs, messages(20), options)).toMatchObject({
      ...{ stopped: "failures", notSent: 5, error: { code: "throttle", reason: "unavailable" } },
    });
  });
});

describe("a failing ledger in a run", () => {
  const failingAt = (method: "find" | "claim"): Ledger => {
    const fail = async () => {
      throw Object.assign(new Error(`at ${phone(1)}`), { code: "SQLITE_IOERR" });
    };
    return { ...memoryLedger(), [method]: fail };
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
