// Makes the same calls to the same server in several ways.
import ky from "ky";
import { type FetchOption, TransactionalClient, V2Client } from "messaging-service-client";
import {
  accountSchema,
  listSchema,
  pageSchema,
  rcsTextMessageSchema,
  transactionSchema,
} from "messaging-service-client/schemas";
import pThrottle from "p-throttle";
import { request } from "undici";
import { array, extend, object } from "zod/mini";

export interface Contender {
  readonly name: string;
  /** Changes the process until the end of a run. */
  readonly prepare?: () => Disposable;
  readonly make: (baseUrl: string) => {
    account(): Promise<unknown>;
    send(): Promise<unknown>;
    /** Number of lists found by iterating over all of them. */
    countLists(perPage: number): Promise<number>;
  };
}

const headers = {
  authorization: `Basic ${btoa("owner@example.com:key")}`,
  accept: "application/json",
  "content-type": "application/json",
};
export const message = {
  phoneNumber: "+12065550123",
  webhookUrl: "https://example.com/webhooks/messages",
  rcsPayload: { text: "Your table is ready" },
  smsFailover: "Your table is ready",
};
export const SEND_PATH = "/transactional_messages/send_rcs_text";

interface ListPage {
  readonly lists: readonly unknown[];
  readonly pages_count: number;
}

/** Reads all pages of lists, and returns the number of lists. */
export const countPages = async (
  getPage: (number: number) => Promise<unknown>,
): Promise<number> => {
  let count = 0;
  for (let number = 1, pages = 1; number <= pages; number += 1) {
    const page = (await getPage(number)) as ListPage;
    pages = page.pages_count;
    for (const _ of page.lists) count += 1;
  }
  return count;
};

/** Creates the smallest possible client, without timeouts, retries or checks. */
const rawFetch: Contender = {
  name: "raw fetch",
  make: (baseUrl) => {
    const get = async (path: string) => (await fetch(baseUrl + path, { headers })).json();
    return {
      account: () => get("/api/v2/accounts/me"),
      send: async () => {
        const body = JSON.stringify(message);
        return (await fetch(baseUrl + SEND_PATH, { method: "POST", headers, body })).json();
      },
      countLists: (perPage) =>
        countPages((number) => get(`/api/v2/lists?page=${number}&per_page=${perPage}`)),
    };
  },
};

/** Makes the requests that no client can avoid, and nothing else. */
const floor: Contender = {
  name: "the floor",
  make: (baseUrl) => {
    const call = async (path: string, init: Parameters<typeof request>[1] = {}) =>
      JSON.parse(await (await request(baseUrl + path, { ...init, headers })).body.text());
    return {
      account: () => call("/api/v2/accounts/me"),
      send: () => call(SEND_PATH, { method: "POST", body: JSON.stringify(message) }),
      countLists: (perPage) =>
        countPages((number) => call(`/api/v2/lists?page=${number}&per_page=${perPage}`)),
    };
  },
};

/** Composes the packages as they are. ky makes and retries requests, p-throttle paces its attempts, and zod checks each body. */
const composed: Contender = {
  name: "ky, zod and p-throttle, composed",
  make: (baseUrl) => {
    const throttle = pThrottle({ limit: 1_000_000, interval: 3_600_000, strict: true });
    const paced = throttle((request: RequestInfo | URL, init?: RequestInit) =>
      fetch(request, init),
    );
    const options = { prefix: baseUrl, headers, timeout: 30_000, retry: { limit: 2 } };
    const api = ky.create({ ...options, fetch: paced });
    const accountBody = object({ account: accountSchema });
    const listsBody = extend(pageSchema, { lists: array(listSchema) });
    return {
      account: async () => accountBody.parse(await api.get("api/v2/accounts/me").json()),
      send: async () => {
        const json = rcsTextMessageSchema.parse(message);
        return transactionSchema.parse(await api.post(SEND_PATH, { json }).json());
      },
      countLists: (per_page) =>
        countPages(async (page) =>
          listsBody.parse(
            await api.get("api/v2/lists", { searchParams: { page, per_page } }).json(),
          ),
        ),
    };
  },
};

/** Creates clients of this package with the given fetch function. */
const thisPackageWith = (name: string, fetch: FetchOption | undefined): Contender => ({
  name,
  make: (baseUrl) => {
    // All options have their defaults, except for a rate limit that the benchmark does not reach.
    const throttle = { limit: 1_000_000, interval: 3_600_000 };
    const common = { baseUrl, apiKey: "key", fetch };
    const v2 = new V2Client({ ...common, email: "owner@example.com", throttle });
    const rcs = new TransactionalClient(common);
    return {
      account: () => v2.accounts.me(),
      send: () => rcs.sendRcsText(message),
      countLists: async (per_page) => {
        let count = 0;
        for await (const _ of v2.lists.list({ per_page })) count += 1;
        return count;
      },
    };
  },
});

/** Replaces `globalThis.fetch`, as tools that watch requests do. */
const patchFetch = (): Disposable => {
  const { fetch } = globalThis;
  globalThis.fetch = (...args) => fetch(...args);
  return {
    [Symbol.dispose]() {
      globalThis.fetch = fetch;
    },
  };
};

export const contenders: readonly Contender[] = [
  rawFetch,
  floor,
  thisPackageWith("this package", undefined),
  { ...thisPackageWith("this package, `fetch` patched", undefined), prepare: patchFetch },
  thisPackageWith("this package, `fetch: globalThis.fetch`", globalThis.fetch),
  composed,
];
