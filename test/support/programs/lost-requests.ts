// Calls over kept-alive connections that their services break, in any runtime. Each call has its own service.
import ky from "ky";
import type { FetchLike } from "../../../src/core/transport/transport.ts";
import {
  fetchFrom,
  MessagingServiceError,
  type RequestOptions,
  TransactionalClient,
  V2Client,
} from "../../../src/index.ts";

type Send = (input: string | Request, init?: RequestInit) => Promise<Response>;

/** Ways in which the application gives the client its `fetch`, around the runtime's. */
const WAYS = {
  "the default": () => undefined,
  "a wrapper around fetch": (send) => (url, init) => send(url, init),
  "a wrapper that makes a Request": (send) => (url, init) => send(new Request(url, init)),
  "a wrapper that reads the body": (send) => async (url, init) => {
    const { body = null } = init;
    return send(url, { ...init, body: body && (await new Response(body).text()) });
  },
  "an application's ky": () => fetchFrom(ky),
} satisfies Readonly<Record<string, (send: Send) => FetchLike | undefined>>;
export type Way = keyof typeof WAYS;
export const ways = Object.keys(WAYS) as readonly Way[];

const message = {
  phoneNumber: "+12065550123",
  webhookUrl: "https://example.com/webhooks",
  rcsPayload: { text: "Your table is ready" },
  smsFailover: "Your table is ready",
};

type Clients = { readonly v2: V2Client; readonly rcs: TransactionalClient };
const custom =
  (method: "POST" | "PUT" | "PATCH", json?: object) =>
  ({ rcs }: Clients, options: RequestOptions): PromiseLike<unknown> =>
    rcs.request({ method, path: "/tags", json }, options);

const CALLS = {
  GET: ({ v2 }, options) => v2.accounts.me(options),
  DELETE: ({ v2 }, options) => v2.subscribers.remove(17, message.phoneNumber, options),
  "PUT with a body": ({ v2 }, options) =>
    v2.lists.configureOptIn(17, { opt_in_type: "single" }, options),
  "PUT without a body": custom("PUT"),
  "POST with a body": ({ rcs }, options) => rcs.sendRcsText(message, options),
  "POST without a body": custom("POST"),
  "PATCH with a body": custom("PATCH", {}),
  "PATCH without a body": custom("PATCH"),
} satisfies Readonly<
  Record<string, (clients: Clients, options: RequestOptions) => PromiseLike<unknown>>
>;
export type CallName = keyof typeof CALLS;
export const callNames = Object.keys(CALLS) as readonly CallName[];

export interface LostRequest {
  readonly baseUrl: string;
  readonly way: Way;
  readonly call: CallName;
}

/** How a call ended: its outcome and its attempts; an empty object after a success. */
export interface CallEnd {
  readonly outcome?: string;
  readonly attempts?: number;
  readonly status?: number;
}

const lose = async ({ baseUrl, way, call }: LostRequest): Promise<CallEnd> => {
  const options = {
    baseUrl,
    apiKey: "key-5f3a9c71e2",
    fetch: WAYS[way]((...args) => fetch(...args)),
  };
  const clients = {
    v2: new V2Client({ ...options, email: "owner@example.com" }),
    rcs: new TransactionalClient(options),
  };
  // The connection of this request is kept alive. The next request can reuse it only when it is idle.
  await clients.v2.request({ method: "GET", path: "/warm" });
  await new Promise((resolve) => setTimeout(resolve, 50));
  try {
    await CALLS[call](clients, { retry: { backoff: { initial: 1 } }, timeout: 20_000 });
    return {};
  } catch (error) {
    if (!MessagingServiceError.is(error)) throw error;
    const { outcome, attempts, status } = error;
    return { outcome, attempts, ...(status !== undefined && { status }) };
  }
};

/** @param patch Function of the application that replaces `globalThis.fetch` during the calls. */
export const loseRequests = async (
  requests: readonly LostRequest[],
  patch: Way = "the default",
): Promise<readonly CallEnd[]> => {
  const { fetch } = globalThis;
  globalThis.fetch = (WAYS[patch](fetch) ?? fetch) as typeof fetch;
  try {
    return await Promise.all(requests.map(lose));
  } finally {
    globalThis.fetch = fetch;
  }
};
