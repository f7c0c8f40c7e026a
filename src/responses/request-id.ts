import type { Redactor } from "./redact.ts";

const NAMES = ["x-request-id", "x-amzn-requestid", "request-id"];

/** Returns the service's own id of a request, if it sent one, without any string that the caller sent. */
export const requestIdOf = (headers: Headers, redactor: Redactor): string | undefined => {
  for (const name of NAMES) {
    const id = headers.get(name);
    if (id) return redactor.token(id);
  }
  return undefined;
};
