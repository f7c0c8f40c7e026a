/** Response whose body has been read. */
export interface Received {
  readonly response: Response;
  /** Body as a string, or as bytes if the endpoint asks for them; of an error, its first 64 KiB as a string. */
  readonly body: string | Uint8Array;
}

/** Longest part of a body that an error keeps, in bytes. */
export const MAX_KEPT_BODY = 65_536;

/** Returns the part of a body that an error keeps; a string is cut between two characters. */
export const keptPart = <Body extends string | Uint8Array>(body: Body): Body => {
  if (typeof body !== "string") return body.slice(0, MAX_KEPT_BODY) as Body;
  const { read } = new TextEncoder().encodeInto(body, new Uint8Array(MAX_KEPT_BODY));
  return body.slice(0, read) as Body;
};
