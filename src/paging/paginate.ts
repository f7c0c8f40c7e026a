import type { ListRequestOptions, RequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
import {
  assertBoolean,
  assertOptions,
  assertSignal,
  type OptionNames,
  optionOr,
} from "../options.ts";
import type { Endpoint, EndpointInput } from "../wire/endpoint.ts";
import { resumeIssues } from "./check-resume.ts";
import type { PageData } from "./page.ts";
import { PagePromise } from "./page-promise.ts";
import type { PagedList, Position } from "./read-page.ts";

const LIST_OPTIONS: OptionNames<ListRequestOptions> = {
  prefetch: true,
  signal: true,
  timeout: true,
  totalTimeout: true,
  retry: true,
  headers: true,
  validateRequests: true,
  responseValidation: true,
  onEvent: true,
};

/** Filters that a position holds. Others are not documented, and their values may not be fit for an error or a log. */
const FILTERS: readonly string[] = ["include_deleted", "start_date", "end_date"];

const filtersOf = (query: object): PagedList<unknown>["filters"] =>
  Object.fromEntries(
    Object.entries(query).filter(([name, value]) => FILTERS.includes(name) && value !== undefined),
  );

const pathOf = ({ path }: Endpoint, params: object = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = (params as Record<string, unknown>)[name];
    // The request refuses an object later; an object without a prototype cannot even be converted to a string.
    return typeof value === "object" ? "" : String(value);
  });

/** Returns an endpoint that also refuses some pages. */
const refusingPages = <Input, T>(
  endpoint: Endpoint<Input, never, PageData<T>>,
  isRefused: (page: PageData<T>) => boolean,
): Endpoint<Input, never, PageData<T>> => ({
  ...endpoint,
  mismatch: (body, input) => {
    const mismatch = endpoint.mismatch?.(body, input);
    if (mismatch || !isRefused(endpoint.unwrap(body))) return mismatch;
    const message = "must be another page than the one before, whose items it repeats";
    return { code: "custom", path: ["page"], message };
  },
});

/** Arguments of a call at the time of the call. */
interface ListCall<Input> {
  readonly input: Input & EndpointInput;
  readonly position: Position;
  readonly signal: AbortSignal | undefined;
  readonly prefetch: boolean;
  /** Options of each request. */
  readonly options: RequestOptions;
}

const readCall = <Input>(
  toInput: () => Input & EndpointInput,
  options: ListRequestOptions = {},
): ListCall<Input> => {
  const { prefetch, ...others } = assertOptions("options", options, LIST_OPTIONS);
  const input = toInput();
  const { after, ...query }: Position = { ...input.query };
  return {
    input: { ...input, query },
    position: { page: query.page, per_page: query.per_page, after },
    signal: optionOr("signal", others.signal, undefined, assertSignal),
    prefetch: optionOr("prefetch", prefetch, false, assertBoolean),
    options: others,
  };
};

/** Returns a list whose call rejects with whatever was thrown, before anything is sent. */
const refusing = <Input, T>(
  send: Send,
  endpoint: Endpoint<Input, never, PageData<T>>,
  options: ListRequestOptions | undefined,
  thrown: unknown,
): PagedList<T> => {
  const { input: _, ...rest } = endpoint;
  const refused: Endpoint<unknown, never, PageData<T>> = {
    ...rest,
    params: {},
    refine: () => {
      throw thrown;
    },
  };
  // Goes through `send`, so that listeners receive this failure like any other.
  const onEvent = options?.onEvent;
  const listening = typeof onEvent === "function" ? { onEvent } : {};
  const list = { path: endpoint.path, filters: {} };
  return { ...list, send: () => send(refused, {}, listening).withResponse() };
};

/**
 * Returns the pages of an endpoint.
 *
 * @param toInput Makes the input of the endpoint. It runs at once; if it throws, the call rejects with that error.
 */
export const paginate = <Input, T>(
  send: Send,
  endpoint: Endpoint<Input, never, PageData<T>>,
  toInput: () => NoInfer<Input> & EndpointInput,
  options: ListRequestOptions | undefined,
): PagePromise<T> => {
  let call: ListCall<NoInfer<Input>>;
  try {
    call = readCall(toInput, options);
  } catch (thrown) {
    return new PagePromise(refusing(send, endpoint, options, thrown), {}, false);
  }
  const { input, position: start, signal: own, prefetch, options: each } = call;
  const path = pathOf(endpoint, input.params);
  const checked: typeof endpoint = {
    ...endpoint,
    refine: (given, validate) => [
      ...resumeIssues(start, path),
      ...(endpoint.refine?.(given, validate) ?? []),
    ],
  };
  const list: PagedList<T> = {
    path,
    filters: filtersOf(input.query ?? {}),
    send: async (position, ended, isRefused) => {
      // The first page is requested exactly as the caller wrote it.
      const page = Object.is(position.page, Number(start.page ?? 1)) ? start.page : position.page;
      const query = { ...input.query, page, per_page: position.per_page };
      const signal = own && ended ? AbortSignal.any([own, ended]) : (ended ?? own);
      return send(
        isRefused ? refusingPages(checked, isRefused) : checked,
        { ...input, query },
        ended ? { ...each, signal } : each,
      ).withResponse();
    },
  };
  return new PagePromise(list, start, prefetch);
};
