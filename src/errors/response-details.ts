/** Parts of the response that an error was made from. */
export interface ResponseDetails {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly requestId?: string | undefined;
}
