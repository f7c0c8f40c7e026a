/** Parts of the response that an error was made from. */
export interface ResponseDetails {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: Headers;
  /** Body of the response: parsed JSON, or a string. */
  readonly body: unknown;
  /** The service's id of the request, if it sent one. */
  readonly requestId?: string | undefined;
}
