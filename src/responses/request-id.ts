const NAMES = ["x-request-id", "x-amzn-requestid", "request-id"];

/** The service's own id of a request, where it sent one. */
export const requestIdOf = (headers: Headers): string | undefined => {
  for (const name of NAMES) {
    const id = headers.get(name);
    if (id) return id;
  }
  return undefined;
};
