/** Converts an e-mail address and an API key to the value of an `Authorization` header (RFC 7617, UTF-8). */
export const toBasic = (email: string, apiKey: string): string => {
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
};
