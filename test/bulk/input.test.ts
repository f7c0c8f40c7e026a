// The misspelled options: cspell:ignore concurency timout
import {
  memoryLedger,
  previewMany,
  type RcsMessage,
  sendMany,
} from "messaging-service-client/bulk";
import { describe, expect, test, vi } from "vitest";
import { createFake, rcsOf } from "../support/fakes/fake-service.ts";
import { BATCH, collect, messages, messageTo, phone, watched } from "./batches.ts";

const tick = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("the input of a run", () => {
  test.each([
    ["an array", () => messages(5)],
    ["a Set", () => new Set(messages(5))],
    ["a generator", () => messages(5).values()],
    [
      "an async generator",
      async function* () {
        yield* messages(5);
      },
    ],
    ["promises", () => messages(5).map((message) => Promise.resolve(message))],
  ] as const)("the input of a run may be %s", async (_, items) => {
    const service = createFake();
    const options = { batch: BATCH, ledger: memoryLedger() };
    const run = sendMany(rcsOf(service), items() as Iterable<RcsMessage>, options);
    expect(await run).toMatchObject({ done: 5, accepted: 5 });
  });

  test.each([1, 2, 7])(
    "the input of a run is read at most `concurrency` items ahead of the results that were read (concurrency %i)",
    async (concurrency) => {
      const { input, seen } = watched(messages(60));
      const options = { batch: BATCH, ledger: memoryLedger(), concurrency };
      let taken = 0;
      let ahead = 0;
      for await (const _ of sendMany(rcsOf(createFake()), input, options)) {
        taken += 1;
        ahead = Math.max(ahead, seen.read - taken);
        await tick();
        ahead = Math.max(ahead, seen.read - taken);
      }
      expect(taken).toBe(60);
      expect(ahead).toBeLessThanOrEqual(concurrency);
    },
    30_000,
  );

  test("the input of an awaited run is read no faster than items end", async () => {
    const { input, seen } = watched(messages(40));
    let done = 0;
    let ahead = 0;
    await sendMany(rcsOf(createFake()), input, {
      batch: BATCH,
      ledger: memoryLedger(),
      concurrency: 3,
      onProgress: (progress) => {
        done = progress.done;
        ahead = Math.max(ahead, seen.read - done);
      },
    });
    expect([done, seen.closed]).toEqual([40, true]);
    expect(ahead).toBeLessThanOrEqual(3);
  });

  test.each([
    ["ends", undefined, 0],
    ["throws", new Error("the file ended early"), 0],
    ["does not end before the run stops", "stop", 1],
  ])("an input that %s is closed only if it has not ended", async (_, end, closings) => {
    const stop = new AbortController();
    const close = vi.fn(async () => ({ done: true as const, value: undefined }));
    const rest = messages(2);
    const next = async (): Promise<IteratorResult<RcsMessage>> => {
      const value = rest.shift();
      if (value) return { done: false, value };
      if (end instanceof Error) throw end;
      if (end) stop.abort();
      return end ? { done: false, value: messageTo(phone(9)) } : { done: true, value: undefined };
    };
    const items = { [Symbol.asyncIterator]: () => ({ next, return: close }) };
    const options = { batch: BATCH, ledger: memoryLedger(), stop: stop.signal };
    const [outcome] = await Promise.allSettled([
      sendMany<RcsMessage>(rcsOf(createFake()), items, options),
    ]);
    expect(outcome.status).toBe(end instanceof Error ? "rejected" : "fulfilled");
    expect(close).toHaveBeenCalledTimes(closings);
  });

  test("a run has at most `concurrency` items under way", async () => {
    const service = createFake();
    let underWay = 0;
    let most = 0;
    const fetch: typeof service.fetch = async (...args) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await tick();
      underWay -= 1;
      return service.fetch(...args);
    };
    const rcs = rcsOf(service, { fetch });
    await sendMany(rcs, messages(30), { batch: BATCH, ledger: memoryLedger() });
    expect(most).toBe(4);
  });

  test("concurrent next() calls of a run receive each result once, and then the end", async () => {
    const run = sendMany(rcsOf(createFake()), messages(3), {
      batch: BATCH,
      ledger: memoryLedger(),
      concurrency: 1,
    });
    const iterator = run[Symbol.asyncIterator]();
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => iterator.next()));
    expect(results.map(({ value }) => value?.key)).toEqual([
      phone(0),
      phone(1),
      phone(2),
      undefined,
      undefined,
    ]);
    expect(results.map(({ done }) => done)).toEqual([false, false, false, true, true]);
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(iterator[Symbol.asyncIterator]()).toBe(iterator);
  });

  test("each item becomes a message once, even if the ledger or a pause delays it", async () => {
    const service = createFake();
    service.failNext({ status: 429 });
    const asked: number[] = [];
    const toMessage = (n: number) => {
      asked.push(n);
      return messageTo(phone(n));
    };
    await sendMany(rcsOf(service), [1, 2, 3], { batch: BATCH, ledger: memoryLedger(), toMessage });
    expect(asked).toEqual([1, 2, 3]);
  });
});

describe("misuse of a run", () => {
  const options = () => ({ batch: BATCH, ledger: memoryLedger() });

  test.each([
    ["batch", { batch: null }],
    ["batch", { batch: "" }],
    ["batch", { batch: 5 }],
    ["ledger", { ledger: undefined }, "a ledger, such as memoryLedger() or sqliteLedger(path)"],
    ["ledger", { ledger: new Map() }],
    ["ledger", { ledger: { find: async () => undefined } }],
    ["concurrency", { concurrency: 0 }],
    ["concurrency", { concurrency: 1.5 }],
    ["toMessage", { toMessage: {} }],
    ["keyOf", { keyOf: "id" }],
    ["skip", { skip: true }],
    ["stop", { stop: new AbortController() }],
    ["signal", { signal: {} }],
    ["deadline", { deadline: "tomorrow" }, "a valid Date"],
    ["deadline", { deadline: new Date("never") }],
    ["stopAfterFailures", { stopAfterFailures: 0 }],
    ["stopAfterFailures", { stopAfterFailures: true }],
    ["ledgerTimeout", { ledgerTimeout: 0 }, "milliseconds above 0 and at most 2147483647"],
    ["ledgerTimeout", { ledgerTimeout: "500" }],
    ["ledgerTimeout", { ledgerTimeout: 2 ** 31 }],
    ["ledgerTimeout", { ledgerTimeout: Number.POSITIVE_INFINITY }],
    ["maxPause", { maxPause: -1 }],
    ["total", { total: -1 }],
    ["onProgress", { onProgress: "log" }],
    ["timeout", { timeout: "30s" }],
    ["retry", { retry: -1 }],
    ["headers", { headers: 5 }],
  ])(
    "a run with the %s %o rejects with a TypeError that names the option, before it reads the input",
    async (name, wrong, right = "") => {
      const service = createFake();
      const { input, seen } = watched(messages(3));
      const given = { ...options(), ...wrong } as never;
      const run = sendMany(rcsOf(service), input, given);
      await expect(run).rejects.toThrow(TypeError);
      await expect(run).rejects.toThrow(`option \`${name}`);
      await expect(run).rejects.toThrow(`must be ${right}`);
      await expect(collect(sendMany(rcsOf(service), input, given))).rejects.toThrow(TypeError);
      expect([seen.read, service.requests.length]).toEqual([0, 0]);
    },
  );

  test.each([
    ["options", undefined],
    ["options", "batch"],
  ])("a run with the %s %o rejects with a TypeError", async (name, wrong) => {
    const run = sendMany(rcsOf(createFake()), messages(1), wrong as never);
    await expect(run).rejects.toThrow(`option \`${name}\` must be an object`);
  });

  test.each([undefined, null, 5, "+12065550123", {}])(
    "a run over the items %o rejects with a TypeError",
    async (items) => {
      const run = sendMany(rcsOf(createFake()), items as unknown as RcsMessage[], options());
      await expect(run).rejects.toThrow(/option `items` must be an iterable/);
    },
  );

  test.each([
    ["concurency", "concurrency"],
    ["timout", "timeout"],
  ])(
    "a run with the misspelled option %s rejects with a TypeError that suggests %s",
    async (name, meant) => {
      const given = { ...options(), [name]: 5 } as never;
      for (const run of [
        sendMany(rcsOf(createFake()), messages(1), given),
        previewMany(messages(1), given),
      ]) {
        await expect(run).rejects.toThrow(TypeError);
        await expect(run).rejects.toThrow(
          `option \`${name}\` does not exist: did you mean \`${meant}\`?`,
        );
      }
    },
  );

  test("a run rejects a client of another package before it reads the input", async () => {
    const { input, seen } = watched(messages(3));
    const run = sendMany({ sendRcsText: async () => ({}) } as never, input, options());
    await expect(run).rejects.toThrow(/option `client` must be a TransactionalClient/);
    expect(seen.read).toBe(0);
  });

  test("options of a run that are undefined count as not given", async () => {
    const names =
      "concurrency keyOf skip stop deadline stopAfterFailures maxPause total ledgerTimeout onProgress toMessage timeout signal headers";
    const none = Object.fromEntries(names.split(" ").map((name) => [name, undefined]));
    const run = sendMany(rcsOf(createFake()), messages(1), { ...none, ...options() });
    expect(await run).toMatchObject({ accepted: 1 });
  });
});
