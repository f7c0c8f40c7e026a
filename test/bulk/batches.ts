import {
  type BulkRun,
  type ItemResult,
  memoryLedger,
  type RcsMessage,
  type SendManyOptions,
  sendMany,
} from "messaging-service-client/bulk";
import { vi } from "vitest";
import { createFake, rcsOf, rcsText } from "../support/fakes/fake-service.ts";

export const BATCH = "reminders";
export const SEND = "POST /transactional_messages/send_rcs_text";

/** Body of a documented refusal (specification: "Validation error"). */
export const REFUSAL = {
  error: "Invalid request",
  errors: [{ code: "custom", message: "is not allowed", path: ["rcsPayload", "text"] }],
};

/** HTML error page of a gateway. */
export const HTML = {
  headers: { "content-type": "text/html" },
  body: "<html><h1>Not Found</h1></html>",
};

/** The n-th of two million valid phone numbers. */
export const phone = (n: number): string => `+1206${2_000_000 + n}`;

export const messageTo = (phoneNumber: string): RcsMessage => ({ ...rcsText, phoneNumber });

export const messages = (count: number, from = 0): RcsMessage[] =>
  Array.from({ length: count }, (_, index) => messageTo(phone(from + index)));

/** Returns a short form of the result of each item. */
export const inShort = ({ state, reason }: ItemResult<unknown>): string => reason ?? state;

/** Collects the results of a run in the order in which they arrive. */
export const collect = async <T>(run: AsyncIterable<T>): Promise<T[]> => {
  const results: T[] = [];
  for await (const result of run) results.push(result);
  return results;
};

/** An input that counts how many items were read, and records whether it was closed. */
export const watched = <Item>(items: Iterable<Item>) => {
  const seen = { read: 0, closed: false };
  async function* read(): AsyncGenerator<Item> {
    try {
      for (const item of items) {
        seen.read += 1;
        yield item;
      }
    } finally {
      seen.closed = true;
    }
  }
  const input: Iterable<Item> | AsyncIterable<Item> = read();
  return { input, seen };
};

/** Throws as `fetch` does if the host of an address does not exist. */
export const failUnknownHost = (address: unknown): never => {
  const { hostname } = new URL(String(address));
  const cause = { code: "ENOTFOUND", syscall: "getaddrinfo", hostname };
  throw new TypeError("fetch failed", { cause: Object.assign(new Error("no host"), cause) });
};

/** A promise that a test settles. */
export const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

/** Starts a run of twenty items over a watched input, with a concurrency of two. */
export const runOf = (
  options: Partial<SendManyOptions<RcsMessage>> = {},
  service = createFake(),
  { fetch = service.fetch } = {},
) => {
  const { input, seen } = watched(messages(20));
  const ledger = options.ledger ?? memoryLedger();
  const run = sendMany(rcsOf(service, { fetch }), input, {
    batch: BATCH,
    concurrency: 2,
    ...options,
    ledger,
  });
  const requests = () => service.requests.length;
  return { run, seen, ledger, service, requests };
};

/** Resolves after many turns of the event loop, when everything that needs no timer has happened. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Advances a fake clock until a promise has settled, whenever nothing else is left to run. */
export const fastForward = async (work: PromiseLike<unknown>): Promise<void> => {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) {
    await settle();
    if (!isOver && vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
  }
};

/** Collects the results of a run on a fake clock, each with its time. */
export const onFastClock = async <Item>(run: BulkRun<Item>) => {
  const begun = Date.now();
  const results: { readonly key: string; readonly end: string; readonly ms: number }[] = [];
  const collecting = (async () => {
    for await (const result of run) {
      results.push({ key: `${result.key}`, end: inShort(result), ms: Date.now() - begun });
    }
  })();
  await fastForward(collecting);
  await collecting;
  return { results, summary: await run, tookMs: Date.now() - begun };
};
