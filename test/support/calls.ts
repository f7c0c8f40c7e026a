// Both clients of a loopback server, one call of each kind, and successful responses.

import type { ApiPromise, MessagingServiceError, RequestOptions } from "../../src/index.ts";
import {
  TransactionalClient,
  type TransactionalClientOptions,
  V2Client,
  type V2ClientOptions,
} from "../../src/index.ts";
import { bareList, bareSubscriber } from "./tables/specification.ts";

export const EMAIL = "owner@example.com";
export const API_KEY = "key-5f3a9c71e2";
export const BASIC = Buffer.from(`${EMAIL}:${API_KEY}`).toString("base64");
export const PHONE = "(206) 555-0123";
export const E164 = "+12065550123";
export const TEXT = "Your table by the window is ready";
export const FALLBACK = "Your table is ready: come in";

export const message = {
  phoneNumber: PHONE,
  webhookUrl: "https://example.com/webhooks",
  rcsPayload: { text: TEXT },
  smsFailover: FALLBACK,
};
export const fileMessage = {
  ...message,
  rcsPayload: { file: { url: "https://example.com/menu.pdf" } },
};

export const account = { status: "OK", account: { id: 7, email: EMAIL, username: "owner" } };
export const list = {
  status: "The list was created",
  list: bareList,
};
export const page = {
  status: "OK",
  per_page: 10,
  count: 1,
  page: 1,
  pages_count: 1,
  lists: [list.list],
};
export const subscriber = {
  status: "The subscriber was unsubscribed",
  subscriber: { ...bareSubscriber, phone_number: E164, opted_out_at: "2026-02-01T00:00:00Z" },
};
export const singleOptIn = {
  opt_in_type: "single",
  first_optin_message: "Welcome!",
  second_optin_message: null,
} as const;
export const transaction = { message: "Accepted", transactionId: "0a1b2c3d" };

export interface Clients {
  readonly v2: V2Client;
  readonly rcs: TransactionalClient;
}

/** Retry options without noticeable pauses. */
export const QUICK = { backoff: { initial: 1, max: 2 } };

/** Returns both clients of a base URL. */
export const clientsOf = (
  { baseUrl }: { readonly baseUrl: string },
  options: Omit<V2ClientOptions & TransactionalClientOptions, "email" | "baseUrl"> = {},
): Clients => {
  const { allowRecipient, ...others } = options;
  const common = { baseUrl, apiKey: API_KEY, retry: QUICK, ...others };
  return {
    v2: new V2Client({ email: EMAIL, ...common }),
    rcs: new TransactionalClient({ ...common, allowRecipient }),
  };
};

/** One call of each kind, with its successful body. */
export interface Kind {
  readonly kind: string;
  /** Whether a retry could carry out the request twice. */
  readonly again: boolean;
  readonly endpoint: string;
  readonly success: object;
  call(clients: Clients, options?: RequestOptions): ApiPromise<unknown>;
}

export const KINDS: readonly Kind[] = [
  {
    kind: "GET",
    again: false,
    endpoint: "GET /api/v2/accounts/me",
    success: account,
    call: ({ v2 }, options) => v2.accounts.me(options),
  },
  {
    kind: "PUT",
    again: false,
    endpoint: "PUT /api/v2/lists/{ID}/opt_in_settings",
    success: singleOptIn,
    call: ({ v2 }, options) => v2.lists.configureOptIn(17, singleOptIn, options),
  },
  {
    kind: "DELETE",
    again: false,
    endpoint: "DELETE /api/v2/lists/{ID}/subscribers/{SUBSCRIBER_ID}",
    success: subscriber,
    call: ({ v2 }, options) => v2.subscribers.remove(17, PHONE, options),
  },
  {
    kind: "POST create",
    again: true,
    endpoint: "POST /api/v2/lists/",
    success: list,
    call: ({ v2 }, options) => v2.lists.create({ name: "VIP" }, options),
  },
  {
    kind: "POST send",
    again: true,
    endpoint: "POST /transactional_messages/send_rcs_text",
    success: transaction,
    call: ({ rcs }, options) => rcs.sendRcsText(message, options),
  },
];

/** Returns the error of a call, which must be an error of the package. */
export const errorOf = async <E = MessagingServiceError>(
  call: PromiseLike<unknown>,
): Promise<E> => {
  try {
    await call;
  } catch (error) {
    return error as E;
  }
  throw new Error("the call should have failed");
};

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
