/**
 * Outcome of a failed call, which determines whether the call may be sent again.
 *
 * - `not_sent`: nothing reached the service.
 * - `rejected`: the service responded that it did nothing.
 * - `unknown`: the service may or may not have carried out the request.
 * - `done`: the service certainly carried out the request; only the shape of its response was refused.
 */
export type Outcome = "not_sent" | "rejected" | "unknown" | "done";
