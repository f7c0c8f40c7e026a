/** Result of a call with everything that it received. */
export interface ApiResponse<T> {
  /** Data that the call itself resolves to. */
  readonly data: T;
  /** Whole body of the response. */
  readonly body: unknown;
  /** The `Response`, for its status and headers; its body is already read. */
  readonly response: Response;
}

/** Promise of the data of a call whose request has already started. */
export interface ApiPromise<T> extends Promise<T> {
  /** Returns a promise of the data together with the whole body and the response. */
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
