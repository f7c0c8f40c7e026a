import type {
  List,
  ListsQuery,
  MomtReport,
  OptInRequest,
  Page,
  PagePosition,
  ScheduledMessage,
  ScheduledMessagesQuery,
  Transaction,
  V2Client,
} from "messaging-service-client";
import { describe, expectTypeOf, test } from "vitest";
import type { ENDPOINTS, Results } from "../support/tables/specification.ts";

type Endpoints = typeof ENDPOINTS;
type Called = {
  readonly [Name in keyof Endpoints]: ReturnType<Endpoints[Name]["calls"][0]>;
};

declare const v2: V2Client;

test("each call resolves to its documented resource", () => {
  expectTypeOf<Called>().toEqualTypeOf<Results>();
  expectTypeOf(v2.momtReports.waitUntilFinished(3)).toEqualTypeOf<Promise<MomtReport>>();
});

test("a position has every documented filter of each list", () => {
  expectTypeOf<keyof PagePosition>().toEqualTypeOf<
    keyof ListsQuery | keyof ScheduledMessagesQuery
  >();
});

test("the position after the last page is null, and no list accepts null", () => {
  expectTypeOf<Page<List>["next"]>().toEqualTypeOf<PagePosition | null>();
  expectTypeOf(v2.lists.list).toBeCallableWith({} as PagePosition);
  // @ts-expect-error null is the position after the last page.
  v2.lists.list(null);
  // @ts-expect-error null is the position after the last page.
  v2.scheduledMessages.list(17, null);
});

describe("types of fields", () => {
  test("fields of a list have their documented types", () => {
    expectTypeOf<List["email_digest"]>().toEqualTypeOf<string | null>();
    expectTypeOf<List["email_subscribe"]>().toEqualTypeOf<boolean | null>();
    expectTypeOf<List["keyword_names"]>().toEqualTypeOf<string[]>();
    expectTypeOf<List["counts"]["cleaned"]>().toEqualTypeOf<number>();
    expectTypeOf<List["opt_in_requests"][number]>().toExtend<OptInRequest>();
  });
});

test("an open set accepts its known literals and any other string", () => {
  expectTypeOf<"single" | "double">().toExtend<List["opt_in_type"]>();
  expectTypeOf<string>().toExtend<List["opt_in_type"]>();
  expectTypeOf<Extract<List["opt_in_type"], "single" | "double">>().toEqualTypeOf<
    "single" | "double"
  >();
  expectTypeOf<Extract<ScheduledMessage["status"], "scheduled">>().toEqualTypeOf<"scheduled">();
  expectTypeOf<string>().toExtend<ScheduledMessage["status"]>();
  expectTypeOf<Extract<OptInRequest["collected_data"], "zip_code" | "yes">>().toEqualTypeOf<
    "zip_code" | "yes"
  >();
  expectTypeOf<Extract<OptInRequest["success_action"], "nextrequest" | null>>().toEqualTypeOf<
    "nextrequest" | null
  >();
});

test("fields of a report whose type is not documented are unknown", () => {
  expectTypeOf<MomtReport["campaign"]>().toBeUnknown();
  expectTypeOf<MomtReport["carrier"]>().toBeUnknown();
  expectTypeOf<MomtReport["phone_number"]>().toBeUnknown();
  expectTypeOf<MomtReport["direction"]>().toBeUnknown();
  expectTypeOf<MomtReport["status_array"]>().toBeUnknown();
  expectTypeOf<MomtReport["type"]>().toBeUnknown();
  expectTypeOf<MomtReport["message_type"]>().toBeUnknown();
  expectTypeOf<MomtReport["run_errors"]>().toBeUnknown();
  expectTypeOf<MomtReport["cancelled"]>().toBeUnknown();
  expectTypeOf<MomtReport["percent_complete"]>().toEqualTypeOf<number>();
  expectTypeOf<MomtReport["total_rows"]>().toEqualTypeOf<number | null>();
});

test("a misspelled field does not compile", async () => {
  const list = await v2.lists.retrieve(17);
  // @ts-expect-error
  list.nmae;
  // @ts-expect-error
  list.counts.subscriber;
  // @ts-expect-error
  list.opt_in_requests[0]?.retry_mesage;
  // @ts-expect-error
  (await v2.accounts.me()).userName;
  // @ts-expect-error
  (await v2.subscribers.remove(17, "+12065550123")).phone;
  // @ts-expect-error
  (await v2.momtReports.retrieve(3)).percent;
  // @ts-expect-error
  (await v2.scheduledMessages.list(17)).items[0]?.send_at;
  const sent = {} as Transaction;
  // @ts-expect-error
  sent.transaction_id;
});

test("a nullable field cannot be used without a null check", async () => {
  const list = await v2.lists.retrieve(17);
  // @ts-expect-error: it may be null
  list.message_help.length;
  // @ts-expect-error: there may be no such item
  list.keyword_names[0].length;
});
