// A child process that sends many items, and reports its memory use during the run.
import type { Ledger } from "../../../src/bulk/ledgers/ledger.ts";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { sendMany } from "../../../src/bulk/send-many.ts";
import { TransactionalClient } from "../../../src/core/clients/transactional-client.ts";

/** Report of the process. */
export interface ScaleReport {
  readonly accepted: number;
  readonly seconds: number;
  /** Bytes in use after each twentieth of the items. */
  readonly heaps: readonly number[];
  /** Maximum number of items that had been read and had no result yet. */
  readonly mostAhead: number;
}

/** A ledger that accepts every key and keeps nothing, so only the run itself can use more memory. */
const noLedger: Ledger = {
  find: async () => undefined,
  claim: async () => undefined,
  settle: async () => true,
  resolve: async () => false,
  confirm: async () => undefined,
  async *entries() {},
  counts: async () => ({ sending: 0, accepted: 0, rejected: 0, open: 0, unknown: 0 }),
  forget: async () => 0,
  close: async () => {},
};

const [, , count = "", concurrency = "", path = "", keeps = ""] = process.argv;
const ledger = path === "" ? noLedger : sqliteLedger(path);
const items = Number(count);

let read = 0;
let taken = 0;
let mostAhead = 0;
async function* phones(): AsyncGenerator<string> {
  while (read < items) {
    read += 1;
    mostAhead = Math.max(mostAhead, read - taken);
    yield `+1206${2_000_000 + read}`;
  }
}

const rcs = new TransactionalClient({
  baseUrl: "https://rcs.example.com",
  apiKey: "key-5f3a9c71e2",
  fetch: async () => Response.json({ message: "Accepted", transactionId: "t-1" }, { status: 202 }),
});
const run = sendMany(rcs, phones(), {
  batch: "scale",
  ledger,
  concurrency: Number(concurrency),
  toMessage: (phoneNumber, { ref }) => ({
    phoneNumber,
    webhookUrl: `https://example.com/hooks/${ref}`,
    rcsPayload: { text: "See you tomorrow" },
    smsFailover: "See you tomorrow",
  }),
});

const heaps: number[] = [];
const kept: unknown[] = [];
let accepted = 0;
const start = performance.now();
for await (const result of run) {
  taken += 1;
  if (result.state === "accepted") accepted += 1;
  if (keeps !== "") kept.push(result);
  if (taken % (items / 20) === 0) {
    globalThis.gc?.();
    heaps.push(process.memoryUsage().heapUsed);
  }
}
const seconds = (performance.now() - start) / 1_000;
await ledger.close();
const report: ScaleReport = { accepted, seconds, heaps, mostAhead };
console.log(JSON.stringify(report));
