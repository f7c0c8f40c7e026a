import type {
  AnyMessagingServiceError,
  RcsTextMessage,
  TransactionalClient,
  V2Client,
} from "messaging-service-client";
import {
  type BulkRun,
  type ItemResult,
  type Ledger,
  type LedgerEntry,
  type LedgerState,
  previewMany,
  type RunSummary,
  removeMany,
  sendMany,
  sendOnce,
} from "messaging-service-client/bulk";
import { describe, expectTypeOf, test } from "vitest";

declare const rcs: TransactionalClient;
declare const v2: V2Client;
declare const ledger: Ledger;
declare const message: RcsTextMessage;
declare const guests: AsyncIterable<{ readonly id: number; readonly phone: string }>;
const options = { batch: "b", ledger };
const toMessage = (guest: { readonly phone: string }) => ({
  ...message,
  phoneNumber: guest.phone,
});

describe("sendMany", () => {
  test("sendMany takes messages, or other items with toMessage", () => {
    expectTypeOf(sendMany(rcs, [message], options)).toEqualTypeOf<BulkRun<RcsTextMessage>>();
    const run = sendMany(rcs, guests, { ...options, toMessage });
    expectTypeOf(run).toEqualTypeOf<BulkRun<{ readonly id: number; readonly phone: string }>>();
    // @ts-expect-error: a guest is not a message
    sendMany(rcs, guests, options);
    // @ts-expect-error: a key is a string
    sendMany(rcs, guests, { ...options, toMessage, keyOf: (guest) => guest.id });
    // @ts-expect-error: the ledger is missing
    sendMany(rcs, [message], { batch: "b" });
    // @ts-expect-error: the client of the other API
    sendMany(v2, [message], options);
  });

  test("sendMany resolves to its summary and iterates over its results", async () => {
    const run = sendMany(rcs, [message], options);
    expectTypeOf(await run).toEqualTypeOf<RunSummary>();
    for await (const result of run) {
      expectTypeOf(result).toEqualTypeOf<ItemResult<RcsTextMessage>>();
      const { item, key, state, reason, transactionId, error } = result;
      expectTypeOf(item).toEqualTypeOf<RcsTextMessage>();
      expectTypeOf(key).toEqualTypeOf<string | undefined>();
      expectTypeOf(state).toEqualTypeOf<
        "accepted" | "rejected" | "not_sent" | "unknown" | "skipped"
      >();
      expectTypeOf(reason).toEqualTypeOf<
        | "accepted_before"
        | "rejected_before"
        | "duplicate"
        | "changed"
        | "in_doubt"
        | "excluded"
        | undefined
      >();
      expectTypeOf(transactionId).toEqualTypeOf<string | undefined>();
      expectTypeOf(error).toEqualTypeOf<AnyMessagingServiceError | undefined>();
    }
  });

  test("the summary of sendMany has the reason why it stopped", async () => {
    const { stopped } = await sendMany(rcs, [message], options);
    expectTypeOf(stopped).toEqualTypeOf<
      | "signal"
      | "deadline"
      | "credentials"
      | "unknown"
      | "rate_limit"
      | "ledger"
      | "left"
      | undefined
    >();
  });
});

test("sendOnce takes a message or a function of its ref", async () => {
  const sent = await sendOnce(rcs, ({ ref }) => ({ ...message, webhookUrl: ref }), {
    ledger,
    key: "k",
    timeout: 5000,
  });
  expectTypeOf(sent.transactionId).toEqualTypeOf<string | undefined>();
  expectTypeOf(sent.sentNow).toEqualTypeOf<boolean>();
  expectTypeOf(sent.recorded).toEqualTypeOf<boolean>();
  // @ts-expect-error: the key is missing
  await sendOnce(rcs, message, { ledger });
});

test("removeMany takes phones", () => {
  const run = removeMany(v2, ["+12065550123"], { ...options, listId: 17 });
  expectTypeOf(run).toEqualTypeOf<BulkRun<string>>();
  // @ts-expect-error: the list is missing
  removeMany(v2, ["+12065550123"], options);
});

test("previewMany needs neither batch nor ledger", async () => {
  const preview = await previewMany([message]);
  expectTypeOf(preview.sendable).toEqualTypeOf<number>();
  expectTypeOf(preview.duplicates).toExtend<readonly { index: number; key: string }[]>();
  // @ts-expect-error: a guest is not a message
  await previewMany(guests, {});
});

test("the state of a ledger entry narrows its type", () => {
  expectTypeOf<LedgerEntry["state"]>().toEqualTypeOf<LedgerState>();
  expectTypeOf<LedgerState>().toEqualTypeOf<
    "sending" | "accepted" | "rejected" | "open" | "unknown"
  >();
});
