// The calls that are tested, as the package exports them, each for one phone.
import {
  type Ledger,
  type RcsMessage,
  type RunSummary,
  removeMany,
  sendMany,
  sendOnce,
} from "../../../src/bulk/index.ts";
import {
  LedgerError,
  MessagingServiceError,
  TransactionalClient,
  V2Client,
} from "../../../src/index.ts";
import type { Report } from "./process.ts";
import { BASE_URL, PHONE } from "./service.ts";

/** Time limits in milliseconds, of an attempt and of a statement. */
const TIMEOUT_MS = 300;
const LEDGER_TIMEOUT_MS = 300;
/** Time in milliseconds that a call may take: the claim, the attempt and the record. */
export const CALL_MS = TIMEOUT_MS + 2 * LEDGER_TIMEOUT_MS;

/** The parts of its process that a run uses. */
export interface World {
  readonly ledger: Ledger;
  readonly batch: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
}

const client = { baseUrl: BASE_URL, apiKey: "key-5f3a9c71e2" };
const options = {
  timeout: TIMEOUT_MS,
  ledgerTimeout: LEDGER_TIMEOUT_MS,
  // No random pause before a retry.
  retry: { limit: 1, backoff: { initial: 0 } },
};

const messageWith = (ref: string, text: string): RcsMessage => ({
  phoneNumber: PHONE,
  webhookUrl: `https://example.com/hooks/${ref}`,
  rcsPayload: { text },
  smsFailover: text,
});

type Run = AsyncIterable<{
  readonly state: string;
  readonly reason?: string | undefined;
  readonly recorded?: false | undefined;
}> &
  PromiseLike<RunSummary>;

const DOUBTS = ["unknown", "in_doubt"];

/** Reads the result of the only item of a run. An item without a result was not sent. */
const reportOf = async (run: Run): Promise<Report> => {
  let report = { result: "not_sent", isRecorded: true };
  for await (const { state, reason, recorded } of run) {
    report = { result: reason ?? state, isRecorded: recorded !== false };
  }
  const { accepted, invalid, rejected, notSent, inDoubt, skippedBy, stopped } = await run;
  if (DOUBTS.includes(report.result) && inDoubt === 0) {
    // The summary counts what the ledger has learned since.
    const before = skippedBy.changed > 0 ? "changed" : "accepted_before";
    const refused = skippedBy.rejectedBefore > 0 ? "rejected_before" : before;
    report = { result: accepted > 0 ? "accepted" : refused, isRecorded: true };
  }
  const looksFine = invalid + rejected + notSent + inDoubt === 0 && stopped === undefined;
  return { ...(report as Pick<Report, "result" | "isRecorded">), looksFine };
};

const failureOf = (error: unknown): Report => {
  if (!MessagingServiceError.is(error)) throw error;
  const { outcome } = error;
  const result =
    LedgerError.is(error) && error.reason !== "unavailable"
      ? error.reason === "in_progress"
        ? "in_doubt"
        : error.reason
      : (outcome as "rejected" | "not_sent" | "unknown");
  // A rejection does not show whether the ledger has the result.
  return { result, isRecorded: false, looksFine: false };
};

const sendText =
  (text: string) =>
  ({ fetch, ...world }: World) =>
    reportOf(
      sendMany(new TransactionalClient({ ...client, fetch }), [PHONE], {
        ...{ ...options, ...world, stopAfterFailures: false },
        toMessage: (_, { ref }) => messageWith(ref, text),
      }),
    );

export const CALLS = {
  sendMany: sendText("See you tomorrow"),
  "sendMany with a different text": sendText("See you on Monday"),
  sendOnce: ({ fetch, ...world }: World) =>
    sendOnce(
      new TransactionalClient({ ...client, fetch }),
      ({ ref }) => messageWith(ref, "See you tomorrow"),
      { ...options, ...world, key: PHONE, wait: 2 * CALL_MS },
    ).then(
      ({ sentNow, recorded }): Report => ({
        result: sentNow ? "accepted" : "accepted_before",
        isRecorded: recorded,
        looksFine: true,
      }),
      failureOf,
    ),
  removeMany: ({ fetch, ...world }: World) =>
    reportOf(
      removeMany(new V2Client({ ...client, email: "owner@example.com", fetch }), [PHONE], {
        ...{ ...options, ...world, listId: 7, stopAfterFailures: false },
      }),
    ),
} satisfies Record<string, (world: World) => Promise<Report>>;

export type CallName = keyof typeof CALLS;
