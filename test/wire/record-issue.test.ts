import { describe, expect, test } from "vitest";
import type { V2Client } from "../../src/index.ts";
import { clientsOf, errorOf } from "../support/calls.ts";
import { respond, startLoopback } from "../support/servers/loopback.ts";
import * as fixtures from "../support/tables/response-fixtures.ts";

const PHONE = "+12065550123";
const DOUBLE = { opt_in_type: "double", opt_in_requests: [] } as const;

const list = (id: unknown) => ({ status: "OK", list: { ...fixtures.list, id } });
const report = (id: unknown) => ({ status: "OK", momt_report: { ...fixtures.report, id } });
const subscriber = (phone_number: unknown) => ({
  status: "unsubscribed",
  subscriber: { ...fixtures.subscriber, phone_number },
});
const steps = (...listIds: readonly unknown[]) => ({
  ...fixtures.doubleResult,
  opt_in_requests: listIds.map((list_id) => ({ ...fixtures.step, list_id })),
});

interface Case {
  readonly field: string;
  readonly call: (v2: V2Client) => Promise<unknown>;
  /** Response with the requested record. */
  readonly right: object;
  /** Responses with a different record. */
  readonly wrong: readonly object[];
}

/** Every call whose response contains the id in its path. */
const CASES: Readonly<Record<string, Case>> = {
  "lists.retrieve": {
    field: "list.id",
    call: (v2) => v2.lists.retrieve(5),
    right: list(5),
    wrong: [list(6), list(55), list(0)],
  },
  "momtReports.retrieve": {
    field: "momt_report.id",
    call: (v2) => v2.momtReports.retrieve(5),
    right: report(5),
    wrong: [report(6)],
  },
  "momtReports.waitUntilFinished": {
    field: "momt_report.id",
    call: (v2) => v2.momtReports.waitUntilFinished(5, { isFinished: () => true }),
    right: report(5),
    wrong: [report(6)],
  },
  "subscribers.remove": {
    field: "subscriber.phone_number",
    call: (v2) => v2.subscribers.remove(5, PHONE),
    right: subscriber(PHONE),
    wrong: [subscriber("+12065550124"), subscriber("206-555-0124"), subscriber("5550123")],
  },
  "lists.configureOptIn": {
    field: "opt_in_requests[].list_id",
    call: (v2) => v2.lists.configureOptIn(5, DOUBLE, { validateRequests: false }),
    right: steps(5, 5),
    wrong: [steps(6), steps(5, 6)],
  },
};

describe.each(Object.entries(CASES))("%s", (_, { field, call, right, wrong }) => {
  test.each(["strict", "warn", "off"] as const)(
    "a call with responseValidation %j rejects a record other than the requested one",
    async (responseValidation) => {
      for (const body of wrong) {
        await using server = await startLoopback(respond(200, body));
        const error = await errorOf(call(clientsOf(server, { responseValidation }).v2));
        expect(error).toMatchObject({ name: "ResponseValidationError", outcome: "unknown" });
        expect(error.message).toContain(`200, but its \`${field}\` must match the request`);
        expect(server.requests).toHaveLength(1);
      }
    },
  );

  test("a call resolves to the requested record", async () => {
    await using server = await startLoopback(respond(200, right));
    await call(clientsOf(server, { responseValidation: "strict" }).v2);
  });
});

describe("ids with drift", () => {
  test.each([undefined, null, true, {}, "", "5", "6"])(
    "a record whose id is %j has drift and is accepted",
    async (id) => {
      await using server = await startLoopback(respond(200, list(id)));
      const { v2 } = clientsOf(server, { responseValidation: "off" });
      expect(await v2.lists.retrieve(5)).toMatchObject({ name: fixtures.list.name });
    },
  );

  test("a step without a list_id has drift and is accepted", async () => {
    await using server = await startLoopback(respond(200, steps(undefined)));
    const { v2 } = clientsOf(server, { responseValidation: "off", validateRequests: false });
    expect(await v2.lists.configureOptIn(5, DOUBLE)).toMatchObject({ opt_in_type: "double" });
  });
});

test.each(["2065550123", "(206) 555-0123", "12065550123", "1-206-555-0123"])(
  "a subscriber whose phone number the service formats as %s is the requested one",
  async (formatted) => {
    await using server = await startLoopback(respond(200, subscriber(formatted)));
    const { v2 } = clientsOf(server);
    expect(await v2.subscribers.remove(5, PHONE)).toMatchObject({ phone_number: formatted });
  },
);

test.each([
  [PHONE, "unknown"],
  ["unknown", PHONE],
])(
  "the phone numbers %s and %s, one of which has no digits, are not compared",
  async (...phones) => {
    const [requested, returned] = phones;
    await using server = await startLoopback(respond(200, subscriber(returned)));
    const { v2 } = clientsOf(server, { validateRequests: false });
    expect(await v2.subscribers.remove(5, requested)).toMatchObject({ phone_number: returned });
  },
);

test("a path without a number, sent without validation, accepts any record", async () => {
  await using server = await startLoopback(respond(200, list(6)));
  const { v2 } = clientsOf(server, { validateRequests: false });
  expect(await v2.lists.retrieve("newest" as never)).toMatchObject({ id: 6 });
});

test("the error for a different subscriber quotes neither phone number", async () => {
  await using server = await startLoopback(respond(200, subscriber("+12065550199")));
  const error = await errorOf(clientsOf(server).v2.subscribers.remove(5, PHONE));
  expect(`${error.message} ${JSON.stringify(error)}`).not.toMatch(/20655501/);
});
