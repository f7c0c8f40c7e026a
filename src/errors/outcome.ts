/**
 * The answer to "may I send this again?".
 *
 * - `not_sent`: nothing reached the service.
 * - `rejected`: the service answered that it did not do it.
 * - `unknown`: it may or may not have been done.
 * - `done`: the service did it and proved it; only the shape of its answer was refused.
 */
export type Outcome = "not_sent" | "rejected" | "unknown" | "done";
