import type * as z from "zod/mini";
import { customIssue, type PagePosition } from "../errors.ts";
import type { ApiResponse } from "../http/api-promise.ts";
import { copyQuery } from "../http/build-request.ts";
import type { RequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
import { DEFAULT_PER_PAGE, maxPageSize } from "../schemas/page.ts";
import type { Endpoint, EndpointInput } from "../wire/endpoint.ts";
import {
  afterLastKnown,
  earliestPage,
  hasSameIds,
  hasShrunk,
  idOf,
  idsOf,
  isPageSize,
  isRepeated,
  isResumed,
  type ResumedPosition,
  stateAfter,
  unknownOf,
  type WalkState,
} from "./list-changes.ts";
import { copyState, type PageData, type PlainPage, type Position, positionIssues } from "./page.ts";

/** Returns the filters that a position includes. Undocumented filters are left out: their values may not belong in an error or a log. */
const filtersOf = (
  query: object,
  { query: toSchema }: Endpoint,
): Omit<PagePosition, "page" | "per_page" | "after"> => {
  const { shape = {} } = (toSchema?.() ?? {}) as Partial<z.ZodMiniObject>;
  return Object.fromEntries(
    Object.entries(query).filter(
      ([name, value]) => Object.hasOwn(shape, name) && value !== undefined,
    ),
  );
};

const pathOf = ({ path }: Endpoint, params: object = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = (params as Record<string, unknown>)[name];
    // The request rejects an object later. `String` would throw for an object without a prototype.
    return typeof value === "object" ? "" : String(value);
  });

/** Endpoint that returns a page. */
export type PagedEndpoint<Input, T> = Endpoint<Input, never, PageData<T>>;

type KnownIds = Set<WalkState["ids"][number]>;

/** Reads the pages of a list by their positions. */
export class PageReader<T> {
  readonly #send: Send;
  readonly #endpoint: PagedEndpoint<unknown, T>;
  readonly #input: EndpointInput;
  readonly #options: RequestOptions;
  readonly #path: string;
  readonly #filters: ReturnType<typeof filtersOf>;
  /** State after the page that was read last, and its ids as a set. */
  #latest: { readonly after: WalkState; readonly known: KnownIds } | undefined;
  /** Position that the caller passed. */
  readonly first: Position;

  /** @param input Input of the endpoint. Its query may be a position. */
  constructor(
    send: Send,
    endpoint: PagedEndpoint<unknown, T>,
    input: EndpointInput,
    options: RequestOptions,
  ) {
    const { page, per_page, after, ...query }: Position = copyQuery(Object(input.query));
    const path = pathOf(endpoint, input.params);
    this.first = { page, per_page, after: copyState(after) };
    this.#send = send;
    this.#endpoint = {
      ...endpoint,
      refine: (given, validate) => [
        ...positionIssues(this.first, path),
        ...(endpoint.refine?.(given, validate) ?? []),
      ],
    };
    this.#input = { ...input, query };
    this.#options = options;
    this.#path = path;
    this.#filters = filtersOf(query, endpoint);
  }

  /** Position at which a walk begins. */
  get start(): PagePosition {
    const { page, per_page = maxPageSize, after } = this.first;
    // If the rules are turned off, the page may be a string.
    return { ...this.#filters, page: Number(page ?? 1), per_page, ...(after && { after }) };
  }

  /**
   * Reads the page at a position. In a walk, it leaves out records that an earlier page held, and includes records that have
   * moved to an earlier page in the meantime. A page beyond the last page is empty.
   *
   * @param signal Signal that fires when the caller leaves the walk.
   */
  async read(position: Position, signal?: AbortSignal): Promise<ApiResponse<PlainPage<T>>> {
    const known = this.#takeKnown(position);
    const response = await this.#requestUnrepeated(position, known, signal);
    const page = Number(position.page ?? 1);
    // A service may send its last page if the list has become too short for the requested one.
    const onPage = response.data.page === page ? response.data.items : [];
    const found = isResumed(position)
      ? await this.#withShifted(response.data, onPage, position, known, signal)
      : onPage;
    const data = { ...response.data, page, items: unknownOf(found, known), next: null };
    if (page >= data.pages_count) return { ...response, data };
    const { per_page = isPageSize(data.per_page) ? data.per_page : DEFAULT_PER_PAGE } = position;
    const after = stateAfter(this.#path, response.data, known, idsOf(found), per_page);
    this.#latest = { after, known };
    const next = { ...this.#filters, page: page + 1, per_page, after };
    return { ...response, data: { ...data, next } };
  }

  /** Returns the ids that earlier pages held, as a set for one reading, which changes it. */
  #takeKnown({ after }: Position): KnownIds {
    const latest = this.#latest;
    this.#latest = undefined;
    return (latest?.after === after && latest?.known) || new Set(after?.ids);
  }

  /**
   * Requests the page at a position. If it looks like the previous page, the previous page is read again. If the two differ, new
   * records have shifted the list, and the page is valid. If not, the page is requested again, and rejected if it still repeats
   * the previous page.
   */
  async #requestUnrepeated(
    position: Position,
    known: KnownIds,
    signal: AbortSignal | undefined,
  ): Promise<ApiResponse<PageData<T>>> {
    const response = await this.#request(position, signal);
    if (!isResumed(position) || !isRepeated(response.data, position, known)) return response;
    const { page, per_page } = position;
    const before = (await this.#request({ page: page - 1, per_page }, signal)).data;
    const isRefused = (again: PageData<T>) => again.page === page && hasSameIds(again, before);
    return isRefused(response.data) ? this.#request(position, signal, isRefused) : response;
  }

  /** Returns the records of a page of a walk. Records that have moved to an earlier page come first. */
  async #withShifted(
    page: PageData<T>,
    items: readonly T[],
    position: ResumedPosition,
    known: KnownIds,
    signal: AbortSignal | undefined,
  ): Promise<readonly T[]> {
    const mayHaveShifted =
      hasShrunk(page, position.after) && afterLastKnown(items, known) === undefined;
    const shifted = mayHaveShifted ? await this.#readShifted(page, position, known, signal) : [];
    return shifted.length === 0
      ? items
      : [...shifted, ...unknownOf(items, new Set(idsOf(shifted)))];
  }

  /**
   * Reads the earlier pages again, from the last to the first, until one holds a known record: if a list shrinks, its records
   * move to earlier pages. Returns the records after the known record. If no known record is found, it returns nothing, because
   * the records may have been returned before.
   */
  async #readShifted(
    page: PageData<T>,
    position: ResumedPosition,
    known: KnownIds,
    signal: AbortSignal | undefined,
  ): Promise<readonly T[]> {
    const shifted: (readonly T[])[] = [];
    const { per_page } = position;
    const earliest = earliestPage(page, position);
    for (let at = Math.min(position.page - 1, page.pages_count); at >= earliest; at -= 1) {
      const again =
        at === page.page ? page : (await this.#request({ page: at, per_page }, signal)).data;
      // The list has become even shorter.
      if (again.page !== at) continue;
      const rest = afterLastKnown(again.items, known);
      shifted.unshift(rest ?? again.items);
      if (rest) return shifted.flat().filter((item) => idOf(item) !== undefined);
    }
    return [];
  }

  /** Requests the page at a position, as it is. */
  #request(
    { page, per_page }: Position,
    signal: AbortSignal | undefined,
    isRefused?: (page: PageData<T>) => boolean,
  ): Promise<ApiResponse<PageData<T>>> {
    const { first } = this;
    const endpoint = isRefused ? refusingPages(this.#endpoint, isRefused) : this.#endpoint;
    // The first page is requested exactly as the caller wrote it.
    const asGiven = Object.is(page, Number(first.page ?? 1)) ? first.page : page;
    const query = { page: asGiven, per_page, ...this.#input.query };
    const options = signal ? this.#withSignal(signal) : this.#options;
    return this.#send(endpoint, { ...this.#input, query }, options).withResponse();
  }

  #withSignal(signal: AbortSignal): RequestOptions {
    const callerSignal = this.#options.signal;
    // Without `any`, a page under way does not end with the walk.
    const anySignal = callerSignal && (AbortSignal.any?.([callerSignal, signal]) ?? callerSignal);
    return { ...this.#options, signal: anySignal ?? signal };
  }
}

/** Returns an endpoint that also rejects pages that repeat the previous page. */
const refusingPages = <T>(
  endpoint: PagedEndpoint<unknown, T>,
  isRefused: (page: PageData<T>) => boolean,
): PagedEndpoint<unknown, T> => ({
  ...endpoint,
  belongsToRequest: (body, input) => {
    const issue = endpoint.belongsToRequest?.(body, input);
    if (issue || !isRefused(endpoint.unwrap(body))) return issue;
    const message = "must not repeat the previous page";
    return customIssue(message, ["page"]);
  },
});
