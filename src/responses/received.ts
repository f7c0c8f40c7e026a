/** Response whose body has been read. */
export interface Received {
  readonly response: Response;
  /** Body as a string, or as bytes if the endpoint asks for them; of an error, its first 64 KiB as a string. */
  readonly body: string | Uint8Array;
}

/** Longest part of a body that an error keeps, in bytes or characters. */
export const MAX_KEPT_BODY = 65_536;
