/** A response whose body has been read. */
export interface Received {
  readonly response: Response;
  /** The body as text, or as bytes where the endpoint asks for them; of an error, its first 64 KiB as text. */
  readonly body: string | Uint8Array;
}

/** The most of a body that an error keeps, in bytes or characters. */
export const MAX_KEPT_BODY = 65_536;
