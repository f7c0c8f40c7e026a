// A worker whose requests share their clients, their throttle and their ledgers, which it makes in global scope.

import { type Ledger, memoryLedger, sendOnce } from "../../../src/bulk/index.ts";
import { onFirstUse } from "../../../src/bulk/ledgers/sql-database.ts";
import {
  type ClientEvent,
  createThrottle,
  TransactionalClient,
  throttleFrom,
  V2Client,
} from "../../../src/index.ts";

/** Values that the bundler writes into the program. */
declare const SETTINGS: {
  readonly v2BaseUrl: string;
  readonly transactionalBaseUrl: string;
  readonly email: string;
  readonly apiKey: string;
  readonly limit: number;
  readonly interval: number;
  /** Whether the throttle is a limiter, whose first reply never arrives. */
  readonly isLimiter: boolean;
  /** Ledger of the sends. The first use of a lazy ledger, and the first claim of a slow one, never end. */
  readonly ledger: "memory" | "lazy" | "slow";
};

const never = new Promise<never>(() => {});
const { email, apiKey, limit, interval } = SETTINGS;

let replies = 0;
const limiter = {
  async consume() {
    replies += 1;
    if (replies === 1) await never;
    return { msBeforeNext: interval };
  },
};
const window = createThrottle({ limit, interval });
const throttle = SETTINGS.isLimiter ? throttleFrom(limiter, { key: "account-1" }) : window;
const v2 = new V2Client({ baseUrl: SETTINGS.v2BaseUrl, email, apiKey, throttle, retry: 1 });
const rcs = new TransactionalClient({ baseUrl: SETTINGS.transactionalBaseUrl, apiKey, throttle });

const memory = memoryLedger();
let claims = 0;
let uses = 0;
const open = onFirstUse(async () => {
  uses += 1;
  if (uses === 1) await never;
  return memory;
});
const ledgers = {
  memory: () => memory,
  slow: () => ({
    ...memory,
    async claim(claim: Parameters<typeof memory.claim>[0]) {
      claims += 1;
      if (claims === 1) await never;
      return memory.claim(claim);
    },
  }),
  lazy: (): Ledger => ({
    ...memory,
    find: async (...key) => (await open()).find(...key),
    claim: async (claim) => (await open()).claim(claim),
    settle: async (...result) => (await open()).settle(...result),
  }),
};
const ledger = ledgers[SETTINGS.ledger]();

const message = {
  phoneNumber: "+12065550123",
  webhookUrl: "https://example.com/webhooks/messages",
  rcsPayload: { text: "Your table is ready" },
  smsFailover: "Your table is ready",
};

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Work = (query: URLSearchParams, onEvent: (event: ClientEvent) => void) => Promise<unknown>;

const works: Record<string, Work> = {
  call: async (_, onEvent) => typeof (await v2.accounts.me({ onEvent })).id,
  send: (query) =>
    sendOnce(rcs, message, {
      ledger,
      key: query.get("key") ?? "",
      wait: Number(query.get("wait") ?? 0),
      timeout: 2_000,
      ledgerTimeout: 2_000,
    }),
  state: async () => {
    (globalThis as { gc?(): void }).gc?.();
    return window.snapshot();
  },
};

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    let onRequest = () => {};
    const isOnWire = new Promise<void>((resolve) => {
      onRequest = resolve;
    });
    const onEvent = ({ type }: ClientEvent) => {
      if (type === "request") onRequest();
    };
    const work = works[pathname.slice(1)]?.(searchParams, onEvent).then(
      (value) => ({ value }),
      ({ name, code, reason, outcome }) => ({ error: { name, code, reason, outcome } }),
    );
    const leavesAfter = searchParams.get("leavesAfter");
    // The handler responds before its work has finished. The runtime then ends the work's timers and promises.
    if (searchParams.has("onWire")) await isOnWire;
    if (leavesAfter !== null) await sleep(Number(leavesAfter));
    return Response.json(leavesAfter === null ? await work : "left");
  },
};
