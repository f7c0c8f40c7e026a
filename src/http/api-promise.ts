/** The result of a call with everything that it received. */
export interface ApiResponse<T> {
  /** The data that the call itself resolves to. */
  readonly data: T;
  /** The endpoint's whole body. */
  readonly body: unknown;
  /** The `Response`, already read: for its status and headers. */
  readonly response: Response;
}

/** A promise of a call's data; the request has started. */
export interface ApiPromise<T> extends Promise<T> {
  /** Resolves to the data with the whole body and the response. */
  withResponse(): Promise<ApiResponse<T>>;
}

/** Converts the promise of a whole result into a native promise of its data. */
export const toApiPromise = <T>(call: Promise<ApiResponse<T>>): ApiPromise<T> => {
  const data = call.then((result) => result.data);
  return Object.assign(data, {
    withResponse() {
      // Callers of `withResponse()` may never observe `data`.
      data.catch(() => {});
      return call;
    },
  });
};
