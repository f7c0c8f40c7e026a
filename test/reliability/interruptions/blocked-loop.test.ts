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
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    if (request.url.startsWith("/silent")) return;
    const body = request.method === "POST" ? workerData.transaction : workerData.account;
    setTimeout(() => {
      response.setHeader("content-type", "application/json");
      response.setHeader("content-encoding", "gzip").end(gzipSync(JSON.stringify(body)));
    }, 30);
  });
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

let server: Worker;
let baseUrl: string;
beforeAll(async () => {
  server = new Worker(SERVER, { eval: true, workerData: { account, transaction } });
  const [port] = await once(server, "message");
  baseUrl = `http://127.0.0.1:${port}`;
});
afterAll(() => server.terminate());

describe.each(ALL_CARRIERS)(
  "calls while the event loop is blocked, carried by $carrier",
  ({ fetch, onEvent }) => {
    const options = { fetch, onEvent, timeout: 400, retry: 0 } as const;

    test("a response that arrived while the loop was blocked counts", async () => {
      const { v2, rcs } = clientsOf({ baseUrl }, options);
      await v2.accounts.me();
      const calls = [
        v2.accounts.me(),
        rcs.sendRcsText(message),
        v2.accounts.me({ totalTimeout: 300 }),
      ];
      // The requests have been written, and the responses are on their way.
      await sleep(10);
      keepTickBusy(700);
      await Promise.all(calls);
    });

    test("a call without a response ends soon after the loop was blocked", async () => {
      const { v2 } = clientsOf({ baseUrl: `${baseUrl}/silent` }, options);
      const failed = errorOf(v2.accounts.me());
      await sleep(10);
      keepTickBusy(700);
      const at = performance.now();
      expect(await failed).toMatchObject({ code: "timeout", phase: "attempt", timeoutMs: 400 });
      expect(performance.now() - at).toBeLessThan(10_000);
    });
  },
);

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
