/**
 * Durable sends: sends one message or many, each key at most once in a batch, across crashes and machines.
 *
 * @module messaging-service-client/bulk
 */

export { LedgerError } from "../core/errors.ts";
export type { BulkRun } from "./bulk-run.ts";
export type {
  Ledger,
  LedgerClaim,
  LedgerEntry,
  LedgerResult,
  LedgerState,
} from "./ledgers/ledger.ts";
export { memoryLedger } from "./ledgers/memory-ledger.ts";
export {
  type PostgresLedgerOptions,
  postgresLedger,
  type Queryable,
} from "./ledgers/postgres-ledger.ts";
export { type SqliteLedgerOptions, sqliteLedger } from "./ledgers/sqlite-ledger.ts";
export type { MessageContext, RcsMessage, ToMessage } from "./message.ts";
export {
  type Preview,
  type PreviewManyOptions,
  previewMany,
} from "./preview-many.ts";
export { type RemoveManyOptions, removeMany } from "./remove-many.ts";
export type { RunOptions } from "./run-options.ts";
export type {
  ItemResult,
  RunCounts,
  RunProgress,
  RunSummary,
  StopReason,
} from "./run-result.ts";
export {
  type SendManyOptions,
  sendMany,
} from "./send-many.ts";
export { type SendOnceOptions, type SentOnce, sendOnce } from "./send-once.ts";
