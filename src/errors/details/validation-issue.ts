import type { PhoneReason } from "./phone-reason.ts";

/** Issue of one field, in the shape in which the service reports it (specification: "Validation error"). */
export interface ValidationIssue {
  /** Kind of failure: `too_big`, `too_small`, `invalid_string`, `invalid_type`, `custom`, … */
  readonly code: string;
  /** Description for people: what is wrong and what would be right. It never holds the value itself. */
  readonly message: string;
  /** Keys and indexes that lead to the field in the caller's own argument. */
  readonly path: readonly (string | number)[];
  /** Format that did not match: `url`, `phone`, `regex`, … */
  readonly validation?: string;
  /** Reason why a phone number was refused here, for programs; set if `validation` is `phone`. */
  readonly reason?: PhoneReason;
  /** Smallest allowed length or value. */
  readonly minimum?: number;
  /** Largest allowed length or value. */
  readonly maximum?: number;
  /** Type that was expected. */
  readonly type?: string;
  /** Whether `minimum` or `maximum` itself is allowed. */
  readonly inclusive?: boolean;
  /** Whether the length or value must be exactly `minimum` or `maximum`. */
  readonly exact?: boolean;
}
