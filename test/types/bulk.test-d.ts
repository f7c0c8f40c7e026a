import type {
  AnyMessagingServiceError,
  RcsTextMessage,
  TransactionalClient,
  V2Client,
  ValidationError,
  ValidationIssue,
} from "messaging-service-client";
import {
  type BulkRun,
  type ItemResult,
  type Ledger,
  type LedgerEntry,
  type LedgerState,
  previewMany,
  type RunCounts,
  type RunSummary,
  removeMany,
  type StopReason,
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
  test("sendMany accepts messages, or other items with toMessage", () => {
    expectTypeOf(sendMany(rcs, [message], options)).toEqualTypeOf<BulkRun<RcsTextMessage>>();
    const run = sendMany(rcs, guests, { ...options, toMessage });
    expectTypeOf(run).toEqualTypeOf<BulkRun<{ readonly id: number; readonly phone: string }>>();
    // @ts-expect-error: a key is a string
    sendMany(rcs, guests, { ...options, toMessage, keyOf: (guest) => guest.id });
  });

  test("sendMany resolves to its summary and iterates over its results", async () => {
    const run = sendMany(rcs, [message], options);
    expectTypeOf(await run).toEqualTypeOf<RunSummary>();
    for await (const result of run) {
      expectTypeOf(result).toEqualTypeOf<ItemResult<RcsTextMessage>>();
      // Every field can be read from every result.
      const { item, key, state, reason, note, at, transactionId, error, recorded } = result;
      expectTypeOf(item).toEqualTypeOf<RcsTextMessage>();
      expectTypeOf(key).toEqualTypeOf<string | undefined>();
      expectTypeOf(state).toEqualTypeOf<
        "accepted" | "rejected" | "invalid" | "not_sent" | "unknown" | "skipped"
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
      expectTypeOf(note).toEqualTypeOf<string | undefined>();
      expectTypeOf(at).toEqualTypeOf<string | undefined>();
      expectTypeOf(transactionId).toEqualTypeOf<string | undefined>();
      expectTypeOf(error).toEqualTypeOf<AnyMessagingServiceError | undefined>();
      expectTypeOf(recorded).toEqualTypeOf<false | undefined>();
      expectTypeOf(`${reason ?? state}`).toExtend<string>();
    }
  });

  test("a result narrows by state", async () => {
    for await (const result of sendMany(rcs, [message], options)) {
      switch (result.state) {
        case "accepted":
          expectTypeOf(result.transactionId).toEqualTypeOf<string | undefined>();
          expectTypeOf(result.reason).toEqualTypeOf<undefined>();
          break;
        case "invalid":
          expectTypeOf(result.error).toEqualTypeOf<ValidationError>();
          expectTypeOf(result.error.errors).toEqualTypeOf<readonly ValidationIssue[]>();
          break;
        case "rejected":
        case "not_sent":
        case "unknown":
          expectTypeOf(result.error).toEqualTypeOf<AnyMessagingServiceError>();
          expectTypeOf(result.transactionId).toEqualTypeOf<undefined>();
          break;
        case "skipped":
          expectTypeOf(result.reason).toEqualTypeOf<NonNullable<ItemResult<unknown>["reason"]>>();
          expectTypeOf(result.error).toEqualTypeOf<undefined>();
          break;
      }
    }
  });

  test("only a skipped result has a reason, and narrows by it", async () => {
    for await (const result of sendMany(rcs, [message], options)) {
      switch (result.reason) {
        case "excluded":
          expectTypeOf(result.state).toEqualTypeOf<"skipped">();
          expectTypeOf(result.note).toEqualTypeOf<string>();
          break;
        case "in_doubt":
          expectTypeOf(result.at).toEqualTypeOf<string>();
          break;
        case "accepted_before":
        case "changed":
          expectTypeOf(result.transactionId).toEqualTypeOf<string | undefined>();
          break;
        case undefined:
          expectTypeOf(result.state).toEqualTypeOf<
            Exclude<ItemResult<unknown>["state"], "skipped">
          >();
          break;
      }
    }
  });

  test("a result still narrows after it was destructured", async () => {
    for await (const { state, reason, note, error } of sendMany(rcs, [message], options)) {
      if (reason === "excluded") expectTypeOf(note).toEqualTypeOf<string>();
      if (state === "invalid") expectTypeOf(error).toEqualTypeOf<ValidationError>();
    }
  });

  test("the summary of sendMany has the counts, and the reason why it stopped", async () => {
    const summary = await sendMany(rcs, [message], options);
    expectTypeOf(summary.stopped).toEqualTypeOf<StopReason | undefined>();
    expectTypeOf<StopReason>().toEqualTypeOf<
      | "signal"
      | "deadline"
      | "left"
      | "credentials"
      | "endpoint"
      | "failures"
      | "rate_limit"
      | "ledger"
    >();
    expectTypeOf(summary).toExtend<RunCounts>();
    expectTypeOf(summary.inDoubt).toEqualTypeOf<number>();
    expectTypeOf(summary.skippedBy.inDoubt).toEqualTypeOf<number>();
  });

  test("the options of sendMany have no undocumented name", () => {
    sendMany(rcs, [message], {
      ...options,
      ledgerTimeout: 5_000,
      stopAfterFailures: false,
      onProgress: ({ done, total, inDoubt, pausedUntil }) => {
        expectTypeOf(done).toEqualTypeOf<number>();
        expectTypeOf(total).toEqualTypeOf<number | undefined>();
        expectTypeOf(inDoubt).toEqualTypeOf<number>();
        expectTypeOf(pausedUntil).toEqualTypeOf<Date | undefined>();
      },
    });
  });
});

test("sendOnce accepts a message or a function of its ref", async () => {
  const sent = await sendOnce(rcs, ({ ref }) => ({ ...message, webhookUrl: ref }), {
    ledger,
    key: "k",
    timeout: 5000,
    wait: 2000,
    ledgerTimeout: 1000,
  });
  expectTypeOf(sent.transactionId).toEqualTypeOf<string | undefined>();
  expectTypeOf(sent.sentNow).toEqualTypeOf<boolean>();
  expectTypeOf(sent.recorded).toEqualTypeOf<boolean>();
  // @ts-expect-error: the key is missing
  await sendOnce(rcs, message, { ledger });
});

test("removeMany accepts phone numbers", () => {
  const run = removeMany(v2, ["+12065550123"], { ...options, listId: 17 });
  expectTypeOf(run).toEqualTypeOf<BulkRun<string>>();
  // @ts-expect-error: the list is missing
  removeMany(v2, ["+12065550123"], options);
});

test("previewMany needs neither batch nor ledger", async () => {
  const preview = await previewMany([message]);
  expectTypeOf(preview.sendable).toEqualTypeOf<number>();
  expectTypeOf(preview).toExtend<RunCounts>();
  expectTypeOf(preview.duplicateItems).toExtend<
    readonly { index: number; item: typeof message; key: string }[]
  >();
  expectTypeOf(preview.invalidItems[0]?.item).toEqualTypeOf<typeof message | undefined>();
  expectTypeOf(preview.invalidItems[0]?.error).toEqualTypeOf<ValidationError | undefined>();
  expectTypeOf(preview.invalidItems[0]?.key).toEqualTypeOf<string | undefined>();
  expectTypeOf(preview.fallback.segments).toEqualTypeOf<number>();
  // `previewMany` and `sendMany` accept the same options object.
  const both = { ...options, toMessage, concurrency: 2 };
  await previewMany(guests, both);
  sendMany(rcs, guests, both);
  // @ts-expect-error: a guest is not a message
  await previewMany(guests, {});
});

test("the state of a ledger entry narrows its type", () => {
  expectTypeOf<LedgerEntry["state"]>().toEqualTypeOf<LedgerState>();
  expectTypeOf<LedgerState>().toEqualTypeOf<
    "sending" | "accepted" | "rejected" | "open" | "unknown"
  >();
});
