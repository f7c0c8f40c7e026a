import { type CallContext, hasCode, MessagingServiceError } from "./base.ts";

/** Outcome and message of each reason. */
const REASONS = {
  in_doubt: {
    outcome: "unknown",
    what: "an earlier or concurrent attempt with this key may have been sent; a webhook confirms it, or `ledger.resolve` decides",
  },
  rejected_before: {
    outcome: "rejected",
    what: "the service refused this same message under this key before",
  },
  changed: {
    outcome: "not_sent",
    what: "this key was used for another message; a new message needs a new key",
  },
  unavailable: { outcome: "not_sent", what: "the ledger failed" },
} as const;

/** Reason why a ledger prevented a send. */
export type LedgerErrorReason = keyof typeof REASONS;

/** Returns the code of a database's error, such as `SQLITE_BUSY`, if it is too short to hold personal data. */
const codeOf = (cause: unknown): string => {
  const { code } = Object(cause);
  return typeof code === "string" && /^[\w-]{1,40}$/.test(code) ? ` (${code})` : "";
};

/**
 * Error for a send that the ledger prevented: the key is in doubt, was refused or was used for another message, or the
 * ledger failed.
 */
export class LedgerError extends MessagingServiceError {
  /** Always `"LedgerError"`. */
  override get name() {
    return "LedgerError" as const;
  }
  readonly code = "ledger";
  /**
   * Reason: `in_doubt`, the message may have been sent; `rejected_before`, the service refused it before; `changed`,
   * the key was used for another message; `unavailable`, the ledger failed.
   */
  readonly reason: LedgerErrorReason;
  readonly #cause: unknown;

  constructor(
    reason: LedgerErrorReason,
    details: { readonly cause?: unknown } = {},
    context?: CallContext,
  ) {
    const { outcome, what } = REASONS[reason];
    super(what + codeOf(details.cause), outcome, context);
    this.reason = reason;
    this.#cause = details.cause;
  }
  /** Error that the ledger threw. Not shown by `console.log`: a database's error may quote keys, which may be phone numbers. */
  override get cause(): unknown {
    return this.#cause;
  }
  static override is(value: unknown): value is LedgerError {
    return hasCode(value, "ledger");
  }
}
