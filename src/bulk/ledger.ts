/** States of an entry, in the order in which it passes through them. */
export const LEDGER_STATES = ["sending", "accepted", "rejected", "open", "unknown"] as const;

/**
 * State of a key in a ledger.
 *
 * - `sending`: a request may be on the wire now, or was when its process ended.
 * - `accepted`: the service accepted it.
 * - `rejected`: the service refused this exact content.
 * - `open`: nothing was sent, and it may be sent.
 * - `unknown`: it may have been sent.
 */
export type LedgerState = (typeof LEDGER_STATES)[number];

/** One key of one batch, as a ledger keeps it. It never holds the text of a message. */
export interface LedgerEntry {
  /** Name of the job. */
  readonly batch: string;
  /** Key within the batch: a phone number, unless the caller chooses another. */
  readonly key: string;
  /** State of the key. */
  readonly state: LedgerState;
  /** SHA-256 of the message without its `ref`, in hexadecimal. */
  readonly digest: string;
  /** Random part of the webhook's URL: 128 bits in base64url. */
  readonly ref: string;
  /** Id of the run that claimed the key last. */
  readonly owner: string;
  /** Time of the last claim, ISO 8601. */
  readonly at: string;
  /** The service's id of the message, if known. */
  readonly transactionId?: string | undefined;
  /** Code of the error, if the send failed. */
  readonly code?: string | undefined;
}

/** Claim of a key, made right before an attempt. */
export type LedgerClaim = Pick<LedgerEntry, "batch" | "key" | "digest" | "ref" | "owner" | "at">;

/** Result of a claim. */
export interface LedgerEnd extends Pick<LedgerEntry, "batch" | "key" | "owner"> {
  /** The `ref` of the claim that ended. Default: that of the owner's current claim. */
  readonly ref?: string | undefined;
  /** New state of the key. */
  readonly state: Exclude<LedgerState, "sending">;
  /** The service's id of the message, if it was accepted. */
  readonly transactionId?: string | undefined;
  /** Code of the error, if the send failed. */
  readonly code?: string | undefined;
}

/**
 * Record of the keys of a batch that were sent, across crashes and machines.
 *
 * Each method is one atomic step, and its effect is durable when its promise resolves.
 * `ledgerChecks` of `messaging-service-client/testing` verifies what each step does to an entry.
 */
export interface Ledger {
  /**
   * Resolves to the entry of a key, if there is one. A run calls this before it queues, so that a settled key takes no
   * slot of the throttle.
   */
  find(batch: string, key: string): Promise<LedgerEntry | undefined>;
  /**
   * Claims a key, atomically and durably. Resolves to `undefined` when this claim takes the key, or else to the entry
   * that stands in the way.
   */
  claim(claim: LedgerClaim): Promise<LedgerEntry | undefined>;
  /** Records the result of a claim of this owner. */
  settle(end: LedgerEnd): Promise<void>;
  /**
   * Records a person's decision about a key in doubt: it was sent, or it may be sent again. Resolves to whether there
   * was such a doubt.
   */
  resolve(batch: string, key: string, as: "accepted" | "open"): Promise<boolean>;
  /**
   * Records that a webhook arrived at the URL with this `ref`, which proves that the service accepted the message.
   * Resolves to its entry, if there is one.
   */
  confirm(
    ref: string,
    details?: { readonly transactionId?: string | undefined },
  ): Promise<LedgerEntry | undefined>;
  /** Iterates over the entries of a batch, or over those in one state. */
  entries(
    batch: string,
    options?: { readonly state?: LedgerState | undefined },
  ): AsyncIterable<LedgerEntry>;
  /** Counts the entries of a batch by state; a state without entries counts 0. */
  counts(batch: string): Promise<Record<LedgerState, number>>;
  /** Deletes a batch with its keys, which may be phone numbers. The batch can then be sent again. */
  forget(batch: string): Promise<void>;
  /** Closes what the ledger itself opened; a handle that was passed in stays open. */
  close(): Promise<void>;
}
