// Lists that a service returns in pages, as a `fetch` whose responses are chosen by the test.
import { V2Client, type V2ClientOptions } from "../../src/index.ts";

/** Page that was requested. */
export interface Asked {
  readonly page: number;
  readonly perPage: number;
  readonly url: URL;
  readonly signal: AbortSignal | null | undefined;
}

export const itemsOf = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => ({ id: from + index }));

/** Returns the body of one page of the given items. */
export const pageBody = <T>(
  { page, perPage }: Pick<Asked, "page" | "perPage">,
  all: readonly T[],
) => ({
  status: "OK",
  page,
  per_page: perPage,
  count: all.length,
  pages_count: Math.ceil(all.length / perPage),
  lists: all.slice((page - 1) * perPage, page * perPage),
});

export const askedOf = (url: string | URL | Request, init?: RequestInit): Asked => {
  const asked = new URL(url instanceof Request ? url.url : url, "http://localhost");
  const page = Number(asked.searchParams.get("page") ?? 1);
  const perPage = Number(asked.searchParams.get("per_page") ?? 10);
  return { page, perPage, url: asked, signal: init?.signal };
};

/** Returns a client of a service whose pages come from a function of the request. */
export const pagedBy = (
  respond: (asked: Asked) => object | Promise<object>,
  options: V2ClientOptions = {},
) => {
  const asked: Asked[] = [];
  const v2 = new V2Client({
    ...{ baseUrl: "https://app.example.com", email: "owner@example.com", apiKey: "key-1" },
    fetch: async (url, init) => {
      const question = askedOf(url, init);
      asked.push(question);
      const body = await respond(question);
      return body instanceof Response ? body : Response.json(body);
    },
    responseValidation: "off",
    throttle: false,
    retry: 0,
    ...options,
  });
  return { v2, lists: v2.lists, asked, pagesAsked: () => asked.map(({ page }) => page) };
};

/** Returns a client of a service with a number of lists, whose ids start at 1. */
export const withLists = (count: number, options?: V2ClientOptions) =>
  pagedBy((asked) => pageBody(asked, itemsOf(1, count)), options);

export const idsOf = (items: readonly object[]) => items.map((item) => (item as { id: number }).id);
export const upTo = (count: number) => idsOf(itemsOf(1, count));

/** Collects everything that an iteration yields. */
export const collect = async <T>(items: AsyncIterable<T> | readonly T[]): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** Lists of a service that change before a page is first read. */
export const changingList = (start: readonly number[]) => {
  type Change = (ids: readonly number[]) => readonly number[];
  const changes = new Map<number, Change>();
  let due = new Map<number, Change>();
  let ids = start;
  const respond = (asked: Asked): object => {
    ids = due.get(asked.page)?.(ids) ?? ids;
    due.delete(asked.page);
    return pageBody(
      asked,
      ids.map((id) => ({ id })),
    );
  };
  return {
    beforePage: (page: number, change: Change): void => {
      changes.set(page, change);
      due.set(page, change);
    },
    now: () => ids,
    reset: (to: readonly number[]): void => {
      ids = to;
      due = new Map(changes);
    },
    respond,
    client: (options?: V2ClientOptions) => pagedBy(respond, options),
  };
};
