/** What a call gives besides its data. */
export interface ApiResponse<T> {
  /** What the call itself resolves to. */
  readonly data: T;
  /** The endpoint's whole body. */
  readonly body: unknown;
  /** The `Response`, already read: for status and headers. */
  readonly response: Response;
}

/** A promise of a call's data; the request has started. */
export interface ApiPromise<T> extends Promise<T> {
  /** The data with the whole body and the response. */
  withResponse(): Promise<ApiResponse<T>>;
}

/** A native promise of the data of a call, which can also tell the rest. */
export const toApiPromise = <T>(call: Promise<ApiResponse<T>>): ApiPromise<T> => {
  const data = call.then((answer) => answer.data);
  return Object.assign(data, {
    withResponse() {
      // Who asks for this may not look at the other promise.
      data.catch(() => {});
      return call;
    },
  });
};
