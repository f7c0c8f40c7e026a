// An application blocks its event loop for longer than `timeout`, while the service responds immediately. The service runs in its
// own thread.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryLedger, sendMany } from "../../../src/bulk/index.ts";
import { keepTickBusy } from "../../support/busy-tick.ts";
import {
  account,
  clientsOf,
  E164,
  errorOf,
  message,
  sleep,
  transaction,
} from "../../support/calls.ts";
import { ALL_CARRIERS } from "../../support/carriers.ts";

const SERVER = `
const { createServer } = require("node:http");
const { gzipSync } = require("node:zlib");
const { parentPort, workerData } = require("node:worker_threads");
const { counts, account, transaction } = workerData;
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    Atomics.add(counts, 0, 1);
    if (request.url.startsWith("/silent")) return;
    response.on("finish", () => Atomics.add(counts, 1, 1));
    setTimeout(() => {
      response.setHeader("content-type", "application/json");
      const body = request.method === "POST" ? transaction : account;
      response.setHeader("content-encoding", "gzip").end(gzipSync(JSON.stringify(body)));
    }, 30);
  });
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

/** How many requests the server has read, and how many responses it has written. */
const counts = new Int32Array(new SharedArrayBuffer(8));
const requests = () => Atomics.load(counts, 0);
const responses = () => Atomics.load(counts, 1);

let server: Worker;
let baseUrl: string;
beforeAll(async () => {
  server = new Worker(SERVER, { eval: true, workerData: { counts, account, transaction } });
  const [port] = await once(server, "message");
  baseUrl = `http://127.0.0.1:${port}`;
});
afterAll(() => server.terminate());

describe("calls while the event loop is blocked", () => {
  const BLOCKED_MS = 2500;
  const TIMEOUT_MS = 2000;

  interface Started {
    readonly answered: Promise<unknown>;
    readonly silent: Promise<unknown>;
  }

  const started = new Map<string, Started>();
  // All calls go out at once, so the loop is blocked only once.
  beforeAll(async () => {
    const clients = ALL_CARRIERS.map(({ carrier, fetch, onEvent }) => {
      const options = { fetch, onEvent, timeout: TIMEOUT_MS, retry: 0 } as const;
      const silent = clientsOf({ baseUrl: `${baseUrl}/silent` }, options).v2;
      return { carrier, silent, ...clientsOf({ baseUrl }, options) };
    });
    await Promise.all(clients.map(({ v2 }) => v2.accounts.me()));
    const read = requests();
    const written = responses();
    for (const { carrier, silent, v2, rcs } of clients) {
      const calls = [
        v2.accounts.me(),
        rcs.sendRcsText(message),
        v2.accounts.me({ totalTimeout: TIMEOUT_MS - 100 }),
      ];
      started.set(carrier, {
        answered: Promise.all(calls).catch((error: unknown) => error),
        silent: errorOf(silent.accounts.me()),
      });
    }
    while (requests() < read + 4 * clients.length) await sleep(1);
    keepTickBusy(BLOCKED_MS);
    const giveUpAt = performance.now() + 20_000;
    while (responses() < written + 3 * clients.length && performance.now() < giveUpAt);
  });

  describe.each(ALL_CARRIERS)("carried by $carrier", ({ carrier }) => {
    test("a response that arrived while the loop was blocked counts", async () => {
      expect(await started.get(carrier)?.answered).toEqual([
        account.account,
        transaction,
        account.account,
      ]);
    });

    test("a call without a response ends soon after the loop was blocked", async () => {
      const timeout = { code: "timeout", phase: "attempt", timeoutMs: TIMEOUT_MS };
      expect(await started.get(carrier)?.silent).toMatchObject(timeout);
    });
  });
});

test("a call without a response ends even if the loop is blocked again and again", async () => {
  const { v2 } = clientsOf({ baseUrl: `${baseUrl}/silent` }, { timeout: 200, retry: 0 });
  let hasEnded = false;
  const failed = errorOf(v2.accounts.me()).finally(() => {
    hasEnded = true;
  });
  for (let blocks = 0; blocks < 8; blocks += 1) {
    await sleep(5);
    keepTickBusy(400);
  }
  expect(hasEnded).toBe(true);
  expect(await failed).toMatchObject({ code: "timeout", timeoutMs: 200, outcome: "unknown" });
});

test("a run whose toMessage blocks the event loop leaves nobody in doubt", async () => {
  const { rcs } = clientsOf({ baseUrl }, { timeout: 400 });
  const summary = await sendMany(
    rcs,
    Array.from({ length: 40 }, (_, index) => index),
    {
      batch: "blocked",
      ledger: memoryLedger(),
      keyOf: String,
      toMessage: (index) => {
        if (index % 10 === 9) keepTickBusy(700);
        return { ...message, phoneNumber: E164 };
      },
    },
  );
  expect(summary).toMatchObject({ accepted: 40, inDoubt: 0 });
});
