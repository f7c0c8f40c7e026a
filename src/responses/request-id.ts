import type { Redactor } from "./redact.ts";

const NAMES = ["x-request-id", "x-amzn-requestid", "request-id"];

/** Returns the service's own id of a request, where it sent one; it never repeats what the caller sent. */
export const requestIdOf = (headers: Headers, redactor: Redactor): string | undefined => {
  for (const name of NAMES) {
    const id = headers.get(name);
    if (id) return redactor.token(id);
  }
  return undefined;
};
