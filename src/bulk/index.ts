/**
 * Durable sends: sends one message or many, each key at most once in a batch, across crashes and machines.
 *
 * @module messaging-service-client/bulk
 */

export { LedgerError } from "../errors.ts";
export type { BulkRun } from "./bulk-run.ts";
export type { Items } from "./input.ts";
export type {
  ForgetFilter,
  Ledger,
  LedgerClaim,
  LedgerEntry,
  LedgerFilter,
  LedgerResult,
  LedgerState,
} from "./ledgers/ledger.ts";
export { memoryLedger } from "./ledgers/memory-ledger.ts";
export type { PostgresLedgerOptions, Queryable } from "./ledgers/postgres-ledger.ts";
export { postgresLedger } from "./ledgers/postgres-ledger.ts";
export type { SqliteLedgerOptions } from "./ledgers/sqlite-ledger.ts";
export { sqliteLedger } from "./ledgers/sqlite-ledger.ts";
export type { MessageContext, RcsMessage, ToMessage } from "./message.ts";
export type {
  DuplicateRow,
  FallbackSize,
  InvalidRow,
  Preview,
  PreviewManyOptions,
} from "./preview-many.ts";
export { previewMany } from "./preview-many.ts";
export type { RemoveManyOptions } from "./remove-many.ts";
export { removeMany } from "./remove-many.ts";
export type { RunOptions, SkipNote } from "./run-options.ts";
export type {
  ItemOutcome,
  ItemResult,
  ItemState,
  RunCounts,
  RunProgress,
  RunSummary,
  SkipCounts,
  SkipReason,
  StopReason,
} from "./run-result.ts";
export type { MayHaveToMessage, MessageOption, SendManyOptions } from "./send-many.ts";
export { sendMany } from "./send-many.ts";
export type { SendOnceOptions, SentOnce } from "./send-once.ts";
export { sendOnce } from "./send-once.ts";
