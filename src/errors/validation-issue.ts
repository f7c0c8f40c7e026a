import type { PhoneReason } from "./phone-reason.ts";

/** One field that broke a rule, in the shape in which the service reports it (specification: "Validation error"). */
export interface ValidationIssue {
  /** The kind of failure: `too_big`, `too_small`, `invalid_string`, `invalid_type`, `custom`, … */
  readonly code: string;
  /** What is wrong and what would be right, for people. Never holds the value itself. */
  readonly message: string;
  /** Where: the keys and indexes that lead to the field in the caller's own argument. */
  readonly path: readonly (string | number)[];
  /** The format that did not match: `url`, `phone`, `regex`, … */
  readonly validation?: string;
  /** Why a phone number was refused here, for programs: set where `validation` is `phone`. */
  readonly reason?: PhoneReason;
  /** The smallest allowed length or value. */
  readonly minimum?: number;
  /** The largest allowed length or value. */
  readonly maximum?: number;
  /** The type that was expected. */
  readonly type?: string;
  /** Whether `minimum` or `maximum` itself is allowed. */
  readonly inclusive?: boolean;
  /** Whether the length or value must be exactly the one told. */
  readonly exact?: boolean;
}
