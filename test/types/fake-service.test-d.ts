import type { FakeEndpoint, FakeService, NextFailure } from "messaging-service-client/testing";
import { describe, expectTypeOf, test } from "vitest";

declare const service: FakeService;

describe("endpoint of a failure", () => {
  test("the endpoint of a failure is one of the service's endpoints", () => {
    expectTypeOf<
      | "GET /api/v2/lists/{ID}"
      | "DELETE /api/v2/lists/{ID}/subscribers/{SUBSCRIBER_ID}"
      | "POST /transactional_messages/send_rcs_file"
    >().toExtend<FakeEndpoint>();
    expectTypeOf<string>().not.toExtend<FakeEndpoint>();
    service.failNext({ status: 503, endpoint: "GET /api/v2/lists" });
  });

  test("a misspelled endpoint of a failure does not compile", () => {
    // @ts-expect-error -- "list" for "lists"
    service.failNext({ status: 503, endpoint: "GET /api/v2/list" });
    // @ts-expect-error -- POST of lists has a slash at its end
    service.failNext({ fault: "drift", endpoint: "POST /api/v2/lists" });
  });
});

test("a failure is a status or a fault", () => {
  expectTypeOf<{ status: 503; share: 0.1; seed: 1 }>().toExtend<NextFailure>();
  expectTypeOf<{ fault: "slow"; delayMs: 5; phone: string }>().toExtend<NextFailure>();
  // @ts-expect-error -- neither a status nor a fault
  service.failNext({ times: 2 });
  // @ts-expect-error -- there is no such fault
  service.failNext({ fault: "explode" });
});

test("a new list in the fake has the fields of a list and the fake's own", () => {
  service.addList({ name: "VIP", deleted: true, account_id: 2, opt_in_requests: [] });
  // @ts-expect-error -- a step has more fields
  service.addList({ opt_in_requests: [{ collected_data: "yes" }] });
  // @ts-expect-error -- not a boolean
  service.addList({ deleted: "yes" });
  // @ts-expect-error -- there is no such field
  service.addReport({ hours: 2 });
  expectTypeOf(service.addReport).toBeCallableWith({ minutes: null, total_rows: 5 });
});

test("requests and sends that the fake records have a body of any type", () => {
  expectTypeOf(service.requests).items.toHaveProperty("body").toBeUnknown();
  expectTypeOf(service.webhooks).items.toHaveProperty("body").toBeUnknown();
  // @ts-expect-error -- only a failure with a status has a body
  service.failNext({ status: undefined });
});
