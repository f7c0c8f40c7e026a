import type {
  Account,
  ApiPromise,
  List,
  Page,
  PagePromise,
  V2Client,
} from "messaging-service-client";
import { describe, expectTypeOf, test } from "vitest";

declare const v2: V2Client;
declare const call: ApiPromise<Account>;
declare const lists: PagePromise<List>;

describe("ApiPromise", () => {
  test("an ApiPromise is a promise of the data", async () => {
    expectTypeOf(call).toExtend<Promise<Account>>();
    expectTypeOf(await call).toEqualTypeOf<Account>();
    expectTypeOf(await Promise.all([call, v2.lists.retrieve(17)])).toEqualTypeOf<[Account, List]>();
    expectTypeOf(await call.then(({ email }) => email)).toEqualTypeOf<string>();
    expectTypeOf(await call.catch(() => undefined)).toEqualTypeOf<Account | undefined>();
    expectTypeOf(await call.finally(() => {})).toEqualTypeOf<Account>();
  });

  test("withResponse() has the data, body and response", async () => {
    const { data, body, response } = await call.withResponse();
    expectTypeOf(data).toEqualTypeOf<Account>();
    expectTypeOf(body).toBeUnknown();
    expectTypeOf(response).toEqualTypeOf<Response>();
  });
});

describe("PagePromise", () => {
  test("an awaited PagePromise is one page", async () => {
    const page = await lists;
    expectTypeOf(page).toEqualTypeOf<Page<List>>();
    expectTypeOf(page.items).toEqualTypeOf<readonly List[]>();
    expectTypeOf(page.page).toEqualTypeOf<number>();
    expectTypeOf(page.per_page).toEqualTypeOf<number>();
    expectTypeOf(page.count).toEqualTypeOf<number>();
    expectTypeOf(page.pages_count).toEqualTypeOf<number>();
    expectTypeOf(page.hasNextPage()).toEqualTypeOf<boolean>();
    expectTypeOf(await page.getNextPage()).toEqualTypeOf<Page<List>>();
    // @ts-expect-error: a page is read-only
    page.items.push(page.items[0] as List);
  });

  test("a PagePromise and a page iterate over items", async () => {
    for await (const list of lists) expectTypeOf(list).toEqualTypeOf<List>();
    for await (const list of await lists) expectTypeOf(list).toEqualTypeOf<List>();
    for await (const page of lists.pages()) expectTypeOf(page).toEqualTypeOf<Page<List>>();
    expectTypeOf(await lists.toArray()).toEqualTypeOf<List[]>();
    expectTypeOf(await lists.toArray({ limit: 5_000 })).toEqualTypeOf<List[]>();
    expectTypeOf(await lists.toArray({ limit: undefined })).toEqualTypeOf<List[]>();
    // @ts-expect-error: a page promise starts nothing until it is awaited or iterated asynchronously
    [...lists];
  });

  test("a PagePromise has then, catch, finally and withResponse()", async () => {
    expectTypeOf(lists).toExtend<PromiseLike<Page<List>>>();
    expectTypeOf(await lists.then(({ count }) => count)).toEqualTypeOf<number>();
    expectTypeOf(await lists.catch(() => undefined)).toEqualTypeOf<Page<List> | undefined>();
    expectTypeOf(await lists.finally(() => {})).toEqualTypeOf<Page<List>>();
    expectTypeOf((await lists.withResponse()).data).toEqualTypeOf<Page<List>>();
    expectTypeOf(await Promise.all([lists, call])).toEqualTypeOf<[Page<List>, Account]>();
  });
});
