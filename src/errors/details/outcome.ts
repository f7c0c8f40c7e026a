/**
 * State of a failed call, which says whether it may be sent again.
 *
 * - `not_sent`: nothing reached the service.
 * - `rejected`: the service responded that it did nothing.
 * - `unknown`: the service may or may not have done what was asked.
 * - `done`: the service certainly did what was asked; only the shape of its response was refused.
 */
export type Outcome = "not_sent" | "rejected" | "unknown" | "done";
