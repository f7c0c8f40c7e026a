/** What is known of the answer that an error comes from. */
export interface ResponseDetails {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly requestId?: string | undefined;
}
