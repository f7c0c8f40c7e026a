import {
  type ClientEvent,
  checkFile,
  createThrottle,
  type ListCreate,
  type RequestOptions,
  type RetryOptions,
  type Throttle,
  TransactionalClient,
  type TransactionalClientOptions,
  throttleFrom,
  V2Client,
  type V2ClientOptions,
} from "messaging-service-client";
import type { Headers as UndiciHeaders } from "undici";
import { describe, expectTypeOf, test } from "vitest";

declare const v2: V2Client;
declare const rcs: TransactionalClient;
declare const undiciHeaders: UndiciHeaders;

/** Every property of `T` as `undefined`, as in `{ timeout: config.timeout }` without a configured timeout. */
type AllUndefined<T> = { [K in keyof Required<T>]: undefined };

describe("undefined options", () => {
  test("every option of a client may be undefined", () => {
    expectTypeOf<AllUndefined<V2ClientOptions>>().toExtend<V2ClientOptions>();
    expectTypeOf<AllUndefined<TransactionalClientOptions>>().toExtend<TransactionalClientOptions>();
    expectTypeOf(V2Client).toBeConstructibleWith({});
    expectTypeOf(V2Client).toBeConstructibleWith();
    expectTypeOf(TransactionalClient).toBeConstructibleWith();
  });

  test("every option of a call may be undefined", () => {
    expectTypeOf<AllUndefined<RequestOptions>>().toExtend<RequestOptions>();
    expectTypeOf<AllUndefined<RetryOptions>>().toExtend<RetryOptions>();
    type ListOptions = NonNullable<Parameters<V2Client["lists"]["list"]>[1]>;
    expectTypeOf<AllUndefined<ListOptions>>().toExtend<ListOptions>();
    expectTypeOf<{ prefetch: true }>().toExtend<ListOptions>();
    type WaitOptions = NonNullable<Parameters<V2Client["momtReports"]["waitUntilFinished"]>[1]>;
    expectTypeOf<AllUndefined<WaitOptions>>().toExtend<WaitOptions>();
    type SendOptions = NonNullable<Parameters<TransactionalClient["sendRcsFile"]>[1]>;
    expectTypeOf<AllUndefined<SendOptions>>().toExtend<SendOptions>();
    v2.accounts.me({
      retry: { limit: undefined, backoff: { initial: undefined, max: undefined } },
    });
    v2.accounts.me({ headers: { "x-trace": undefined } });
  });

  test("every field of a query and of a new list may be undefined", () => {
    v2.lists.list({ page: undefined, per_page: undefined, include_deleted: undefined });
    v2.scheduledMessages.list(17, {
      start_date: undefined,
      end_date: undefined,
      page: undefined,
      per_page: undefined,
    });
    expectTypeOf<AllUndefined<ListCreate>>().toExtend<ListCreate>();
  });

  test("every option of a standalone function may be undefined", () => {
    checkFile("https://example.com/menu.pdf", {
      fetch: undefined,
      signal: undefined,
      timeout: undefined,
    });
    createThrottle({ limit: 1, interval: 3_000, maxWait: undefined });
  });
});

describe("types of options", () => {
  test("options of a client have their documented types", () => {
    expectTypeOf(V2Client).toBeConstructibleWith({
      baseUrl: "https://app.example.com",
      email: "owner@example.com",
      apiKey: "key",
      throttle: { limit: 1200, interval: 3_600_000 },
      timeout: 30_000,
      totalTimeout: false,
      retry: { limit: 2, maxRetryAfter: 60_000, backoff: { initial: 500, max: 8_000 } },
      headers: {},
      fetch: globalThis.fetch,
      validateRequests: true,
      responseValidation: "warn",
      allowInsecureHttp: false,
      onEvent: (event) => expectTypeOf(event).toEqualTypeOf<ClientEvent>(),
    });
    expectTypeOf<V2ClientOptions["throttle"]>().extract<false>().toEqualTypeOf<false>();
    // @ts-expect-error: the transactional API has no e-mail
    new TransactionalClient({ email: "owner@example.com" });
    // @ts-expect-error: a misspelled option
    new V2Client({ baseURL: "https://app.example.com" });
    // @ts-expect-error: there is no such mode
    new V2Client({ responseValidation: "loud" });
    // @ts-expect-error: a signal is for one call
    new V2Client({ signal: new AbortController().signal });
  });

  test("options of a call have their documented types", () => {
    v2.accounts.me({ retry: 0, timeout: false, totalTimeout: 5_000, headers: new Headers() });
    rcs.request({ method: "GET", path: "/status" }, { signal: AbortSignal.timeout(5) });
    v2.accounts.me({ headers: new Map([["x-trace", "1"]]) });
    v2.accounts.me({ headers: new URLSearchParams("x-trace=1") });
    v2.accounts.me({ headers: [["x-trace", "1"]] });
    v2.accounts.me({ headers: undiciHeaders });
    // @ts-expect-error: the value of a header is a string
    v2.accounts.me({ headers: [["x-trace", 1]] });
    // @ts-expect-error: headers are not one string
    v2.accounts.me({ headers: "x-trace: 1" });
    // @ts-expect-error: prefetch is for lists
    v2.accounts.me({ prefetch: true });
    // @ts-expect-error: contentType is for files
    v2.accounts.me({ contentType: "image/png" });
  });

  test("days may be strings or dates", () => {
    v2.scheduledMessages.list(17, { start_date: "20260101", end_date: new Date() });
    // @ts-expect-error: days are not numbers
    v2.scheduledMessages.list(17, { start_date: 20260101 });
  });

  test("a new list has its fields without a wrapper", () => {
    v2.lists.create({ name: "VIP", email_subscribe: true });
    // @ts-expect-error: the client wraps it
    v2.lists.create({ list: { name: "VIP" } });
    // @ts-expect-error: the field is documented as a string, not null
    v2.lists.create({ name: null });
  });
});

describe("types of a throttle", () => {
  test("any object with acquire is a throttle", () => {
    const own = { acquire: async () => {} } satisfies Throttle;
    expectTypeOf<{ throttle: typeof own }>().toExtend<V2ClientOptions>();
    expectTypeOf(createThrottle({ limit: 1, interval: 3_000 })).toExtend<Throttle>();
    expectTypeOf(throttleFrom).returns.toExtend<Throttle>();
  });

  test("snapshot() of a throttle has its documented type", () => {
    expectTypeOf(createThrottle({ limit: 1, interval: 3_000 }).snapshot()).toEqualTypeOf<{
      readonly used: number;
      readonly remaining: number;
      readonly queued: number;
      readonly nextSlotAt: number | null;
    }>();
  });
});

test("the type of an event narrows it", () => {
  const event = {} as ClientEvent;
  expectTypeOf(event.callId).toEqualTypeOf<string>();
  expectTypeOf(event.endpoint).toEqualTypeOf<string>();
  expectTypeOf(event.type).toEqualTypeOf<
    | "request"
    | "response"
    | "retry"
    | "queued"
    | "throttled"
    | "response_mismatch"
    | "succeeded"
    | "failed"
  >();
  if (event.type === "response") expectTypeOf(event.durationMs).toEqualTypeOf<number>();
  if (event.type === "queued")
    expectTypeOf(event.expectedWaitMs).toEqualTypeOf<number | undefined>();
  if (event.type === "throttled") expectTypeOf(event.waitMs).toEqualTypeOf<number>();
  // @ts-expect-error: only some events have a status
  event.status;
});
