/**
 * Converts a body to a `Blob` in Deno, whose `fetch` sends any other again if the connection is lost: a text twice. A request that
 * must not be repeated then has a body even if it is empty.
 */
export const toUnrepeatableBody = (
  method: string,
  body: string | undefined,
): string | Blob | undefined => {
  if (!("Deno" in globalThis)) return body;
  const isRepeatable = body === undefined && method !== "POST" && method !== "PATCH";
  return isRepeatable ? undefined : new Blob([body ?? ""]);
};
