/** Parts of the response that an error was made from. */
export interface ResponseDetails {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: Headers;
  /** Body of the response: parsed JSON, or text. */
  readonly body: unknown;
  /** The service's id of the request, where it sent one. */
  readonly requestId?: string | undefined;
}
