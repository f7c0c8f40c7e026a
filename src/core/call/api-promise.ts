import { type ResponseHead, toWhole } from "../responses/fetched-response.ts";

/** Result of `withResponse()`: the data of a call, the whole body, and the response. */
export interface ApiResponse<T> {
  /** Data that the call itself resolves to, such as a list. */
  readonly data: T;
  /** Whole body: parsed JSON; `undefined` if it was empty. */
  readonly body: unknown;
  /** `Response` with the status and the headers. Its body has already been read. */
  readonly response: Response;
}

/** Promise of a call's data. The call has already started. */
export interface ApiPromise<T> extends Promise<T> {
  /** Returns a promise of the data, the whole body and the response. It sends no second request. */
  withResponse(): Promise<ApiResponse<T>>;
}

/** Result of a call, with a response that becomes a complete `Response` only for `withResponse()`. */
export interface CallResult<T> extends Omit<ApiResponse<T>, "response"> {
  readonly response: ResponseHead;
}

export const toApiPromise = <T>(call: Promise<CallResult<T>>): ApiPromise<T> => {
  const data = call.then((result) => result.data);
  return Object.assign(data, {
    // Chained to `data`, so a rejection of `data` counts as handled, and its stack leads to the code that awaits this promise.
    withResponse: () =>
      data
        .then(() => call)
        .then(({ data: value, body, response }) => ({
          data: value,
          body,
          response: toWhole(response),
        })),
  });
};
