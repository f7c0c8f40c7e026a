// Error trackers group errors by stack, so every error contains a line of the caller in its stack, as with a plain `throw`.
import {
  memoryLedger,
  previewMany,
  removeMany,
  sendMany,
  sendOnce,
} from "messaging-service-client/bulk";
import { type DownloadedReport, downloadReport } from "messaging-service-client/reports";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkFile, createThrottle } from "../../../src/index.ts";
import { type Clients, clientsOf, message, PHONE } from "../../support/calls.ts";
import { itemsOf, pageBody, pagedBy } from "../../support/pages.ts";
import { linkTo, serve } from "../../support/servers/file-host.ts";
import {
  hang,
  type Responder,
  resetBeforeReading,
  respond,
  startLoopback,
} from "../../support/servers/loopback.ts";
import { useTurningClock } from "../../support/turning-clock.ts";

type Call = (clients: Clients, signal?: AbortSignal) => PromiseLike<unknown>;

/** Reading calls of API version 2, all made from this file. */
const READS: Readonly<Record<string, Call>> = {
  "a call": async ({ v2 }, signal) => await v2.lists.retrieve(17, { signal }),
  "withResponse()": async ({ v2 }, signal) => await v2.accounts.me({ signal }).withResponse(),
  "request()": async ({ v2 }, signal) =>
    await v2.request({ method: "GET", path: "/any" }, { signal }),
  "a page": async ({ v2 }, signal) => await v2.lists.list({}, { signal }),
  "an iteration": async ({ v2 }, signal) => {
    for await (const _ of v2.lists.list({}, { signal }));
  },
  "an iteration with prefetch": async ({ v2 }, signal) => {
    for await (const _ of v2.lists.list({}, { signal, prefetch: true }));
  },
  "toArray()": async ({ v2 }, signal) => await v2.lists.list({}, { signal }).toArray(),
  "pages()": async ({ v2 }, signal) => {
    for await (const _ of v2.scheduledMessages.list(17, {}, { signal }).pages());
  },
  "waitUntilFinished()": async ({ v2 }, signal) =>
    await v2.momtReports.waitUntilFinished(3, { interval: 1, signal }),
};
const options = () => ({ ledger: memoryLedger(), key: "one" });
const SENDS: Readonly<Record<string, Call>> = {
  "a send": async ({ rcs }, signal) => await rcs.sendRcsText(message, { signal }),
  "sendOnce()": async ({ rcs }, signal) => await sendOnce(rcs, message, { ...options(), signal }),
};
const errorOfItem = async (run: AsyncIterable<{ readonly error?: unknown }>) => {
  for await (const { error } of run) throw error;
};
const errorOfSummary = async (run: PromiseLike<{ readonly error?: unknown }>) => {
  throw (await run).error;
};
const batch = () => ({ ledger: memoryLedger(), batch: "one", stopAfterFailures: 1 });
/** Bulk runs, which report errors in an item or in the summary instead of throwing them. */
const REMOVALS: Readonly<Record<string, Call>> = {
  "an item of removeMany()": ({ v2 }, signal) =>
    errorOfItem(removeMany(v2, [PHONE], { ...batch(), listId: 17, signal })),
  "the summary of removeMany()": ({ v2 }, signal) =>
    errorOfSummary(removeMany(v2, [PHONE], { ...batch(), listId: 17, signal })),
};
const RUNS: Readonly<Record<string, Call>> = {
  "an item of sendMany()": ({ rcs }, signal) =>
    errorOfItem(sendMany(rcs, [message], { ...batch(), signal })),
  "the summary of sendMany()": ({ rcs }, signal) =>
    errorOfSummary(sendMany(rcs, [message], { ...batch(), signal })),
};
const ALL = { ...READS, ...SENDS, ...REMOVALS, ...RUNS };

/** Failures by the names of their errors. */
const FAILURES: readonly (readonly [
  name: string,
  calls: Readonly<Record<string, Call>>,
  responder: Responder,
  options?: Parameters<typeof clientsOf>[1],
])[] = [
  ["AuthenticationError", ALL, respond(401, "")],
  ["ServerError", ALL, respond(500, "")],
  ["RateLimitError", READS, respond(429, "")],
  ["ResponseValidationError", ALL, respond(200, "<html>")],
  ["ConnectionError", ALL, resetBeforeReading],
  ["TimeoutError", ALL, hang, { timeout: 30 }],
  ["TimeoutError", { ...READS, "a send": SENDS["a send"] as Call }, hang, { totalTimeout: 30 }],
  [
    "ThrottleError",
    { ...READS, ...REMOVALS },
    respond(200, ""),
    { throttle: { acquire: rejecting } },
  ],
  ["RecipientError", { "a send": SENDS["a send"] as Call }, hang, { allowRecipient: () => false }],
];

const URL = "https://example.com/menu.pdf";
const never = () => new Promise<never>(() => {});

async function rejecting(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  throw new Error("no slot");
}

const stackOf = async (call: PromiseLike<unknown>): Promise<string> => {
  try {
    await call;
  } catch (error) {
    return String((error as Error).stack);
  }
  return "no error";
};

const { v2, rcs } = clientsOf({ baseUrl: "http://127.0.0.1:9" });

describe("the stack of an error leads to the caller", () => {
  useTurningClock();

  test.each(
    FAILURES.flatMap(([name, calls, responder, given]) =>
      Object.keys(calls).map(
        (kind) => [name, kind, calls[kind] as Call, responder, given] as const,
      ),
    ),
  )("%s of %s", async (name, _kind, call, responder, given) => {
    await using server = await startLoopback(responder);
    const stack = await stackOf(call(clientsOf(server, { retry: 0, ...given })));
    expect(stack).toContain(name);
    expect(stack.split("\n").slice(1).join("\n")).toContain("stacks.test.ts");
  });

  test.each(Object.entries({ ...READS, "a send": SENDS["a send"] as Call }))(
    "AbortError of %s",
    async (_kind, call) => {
      await using server = await startLoopback(hang);
      const stack = await stackOf(call(clientsOf(server), AbortSignal.timeout(30)));
      expect(stack).toContain("AbortError");
      expect(stack.split("\n").slice(1).join("\n")).toContain("stacks.test.ts");
    },
  );

  test.each(Object.entries({ ...READS, ...SENDS, ...REMOVALS, ...RUNS }))(
    "TypeError of %s, about an option",
    async (_kind, call) => {
      const stack = await stackOf(call({ v2, rcs }, {} as never));
      expect(stack).toMatch(/^TypeError: option `signal`/);
      expect(stack.split("\n").slice(1).join("\n")).toContain("stacks.test.ts");
    },
  );

  test.each<[name: string, run: () => AsyncIterable<{ readonly error?: unknown }>]>([
    ["sendMany", () => sendMany(rcs, [{ ...message, phoneNumber: "911" }], batch())],
    [
      "previewMany",
      async function* () {
        yield* (await previewMany([{ ...message, phoneNumber: "911" }])).invalidItems;
      },
    ],
    ["removeMany", () => removeMany(v2, ["\ud800"], { ...batch(), listId: 17 })],
  ])("a ValidationError of an item of %s", async (_, run) => {
    const stack = await stackOf(errorOfItem(run()));
    expect(stack).toMatch(/^ValidationError: /);
    expect(stack).toContain("stacks.test.ts");
  });

  test.each<[name: string, read: (file: DownloadedReport) => Promise<unknown>]>([
    ["bytes()", async (file) => await file.bytes()],
    ["text()", async (file) => await file.text()],
  ])("errors of a download, by %s", async (_, read) => {
    const options = { retry: 0, stallTimeout: 200 };
    for (const responder of [hang, respond(500, "")]) {
      await using host = await startLoopback(responder);
      const stack = await stackOf(downloadReport({ s3_url: linkTo(host) }, options));
      expect(stack).toContain("stacks.test.ts");
    }
    for (const ending of ["stall", "break"] as const) {
      await using host = await startLoopback(serve(Buffer.alloc(100), { pieces: [9], ending }));
      const file = await downloadReport({ s3_url: linkTo(host) }, options);
      expect(await stackOf(read(file))).toContain("stacks.test.ts");
    }
  });

  test("the stack of an item's error has the error's message where stacks have no lines", async () => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    onTestFinished(() => {
      Error.stackTraceLimit = stackTraceLimit;
    });
    const run = sendMany(rcs, [{ ...message, phoneNumber: "911" }], batch());
    expect(await stackOf(errorOfItem(run))).toMatch(/^ValidationError: .*phoneNumber/);
  });

  test.each<[name: string, call: Call]>([
    ["retrieve(0)", async ({ v2 }) => await v2.lists.retrieve(0)],
    ["list({ page: 0 })", async ({ v2 }) => await v2.lists.list({ page: 0 })],
    ["checkFile() that ends late", async () => await checkFile(URL, { timeout: 30, fetch: never })],
    [
      "checkFile() that is aborted",
      async () => await checkFile(URL, { signal: AbortSignal.timeout(30), fetch: never }),
    ],
    [
      "a throttle",
      async () => {
        const throttle = createThrottle({ limit: 1, interval: 60_000, maxWait: 1 });
        for (;;) await throttle.acquire();
      },
    ],
    [
      "a page that was read ahead",
      async () => {
        const { lists } = pagedBy((asked) =>
          asked.page === 1 ? pageBody(asked, itemsOf(1, 20)) : new Response("", { status: 500 }),
        );
        for await (const _ of lists.list({ per_page: 10 }, { prefetch: true }));
      },
    ],
    ["timeout: -1", async ({ rcs }) => await rcs.sendRcsText(message, { timeout: -1 })],
  ])("an error of %s", async (_, call) => {
    const stack = await stackOf(call(clientsOf({ baseUrl: "http://127.0.0.1:9" })));
    expect(stack.split("\n").slice(1).join("\n")).toContain("stacks.test.ts");
  });
});
