/** The states of an entry, in the order of its life. */
export const LEDGER_STATES = ["sending", "accepted", "rejected", "open", "unknown"] as const;

/**
 * What a ledger knows of a key.
 *
 * - `sending`: a request may be on the wire now, or was when its process ended.
 * - `accepted`: the service took it.
 * - `rejected`: the service refused this very content.
 * - `open`: nothing was sent, and it may be sent.
 * - `unknown`: it may have been sent.
 */
export type LedgerState = (typeof LEDGER_STATES)[number];

/** One key of one batch, as a ledger keeps it. It never holds the text of a message. */
export interface LedgerEntry {
  /** The name of the job. */
  readonly batch: string;
  /** The key within the batch: a phone number, unless the caller names another. */
  readonly key: string;
  /** What is known of it. */
  readonly state: LedgerState;
  /** SHA-256 of the message in hexadecimal, its `ref` left out. */
  readonly digest: string;
  /** The random part of the webhook's address: 128 bits in base64url. */
  readonly ref: string;
  /** The run that claimed it last. */
  readonly owner: string;
  /** When it was claimed last, in ISO 8601. */
  readonly at: string;
  /** The service's id of the message, where known. */
  readonly transactionId?: string | undefined;
  /** The code of the error that ended it, where it failed. */
  readonly code?: string | undefined;
}

/** A request for a key, made right before an attempt. */
export type LedgerClaim = Pick<LedgerEntry, "batch" | "key" | "digest" | "ref" | "owner" | "at">;

/** The end of a claim. */
export interface LedgerEnd extends Pick<LedgerEntry, "batch" | "key" | "owner"> {
  /** The `ref` of the claim that has ended. Default: that of the owner's present claim. */
  readonly ref?: string | undefined;
  /** What is known of it now. */
  readonly state: Exclude<LedgerState, "sending">;
  /** The service's id of the message, where it was accepted. */
  readonly transactionId?: string | undefined;
  /** The code of the error that ended it, where it failed. */
  readonly code?: string | undefined;
}

/**
 * Remembers which keys of a batch were sent, across crashes and machines.
 *
 * Each method is one atomic step, and what it did is durable when its promise resolves.
 * `transitions.ts` states what each step makes of an entry; `ledgerChecks` of `…/testing` verifies it.
 */
export interface Ledger {
  /** Returns what is known of a key. A run asks before it queues, so that a settled key costs no slot of the throttle. */
  find(batch: string, key: string): Promise<LedgerEntry | undefined>;
  /** Takes a key, atomically and durably. Resolves to the entry that stands in the way, or to `undefined` when the key is taken. */
  claim(claim: LedgerClaim): Promise<LedgerEntry | undefined>;
  /** Records the end of a claim of this owner. */
  settle(end: LedgerEnd): Promise<void>;
  /** Records a person's decision about a key in doubt: it was sent, or it may be sent again. Resolves to whether there was such a doubt. */
  resolve(batch: string, key: string, as: "accepted" | "open"): Promise<boolean>;
  /** Records that a webhook arrived at the address with this `ref`, which proves that the service took the message. Resolves to its entry, if there is one. */
  confirm(
    ref: string,
    details?: { readonly transactionId?: string | undefined },
  ): Promise<LedgerEntry | undefined>;
  /** Iterates over the entries of a batch, of one state where it is given. */
  entries(
    batch: string,
    options?: { readonly state?: LedgerState | undefined },
  ): AsyncIterable<LedgerEntry>;
  /** Counts the entries of a batch by state; a state without entries counts 0. */
  counts(batch: string): Promise<Record<LedgerState, number>>;
  /** Deletes a batch with its keys (phone numbers of people). It could then be sent again. */
  forget(batch: string): Promise<void>;
  /** Releases what the ledger itself opened; a handle that it was given stays open. */
  close(): Promise<void>;
}
