// Arguments of invalid types reject before anything is sent, in every method.
import { describe, expect, test } from "vitest";
import { errorOf } from "../support/calls.ts";
import { createFake, v2Of } from "../support/fakes/fake-service.ts";

type V2 = ReturnType<typeof v2Of>;
type Call = (v2: V2, given: never) => PromiseLike<unknown>;
type Use = readonly [how: string, call: Call];

const ODD = [null, "x", true, [], () => {}, Symbol("x")];
const shown = (value: unknown) =>
  typeof value === "object" ? JSON.stringify(value) : String(value);

const open = () => {
  const service = createFake();
  const { id } = service.addList();
  const report = service.addReport({ minutes: 0 });
  return { service, v2: v2Of(service), ids: [id, report.id] };
};

describe.each<Use>([
  ["accounts.me", ({ accounts }, options) => accounts.me(options)],
  ["lists.list", ({ lists }, options) => lists.list({}, options)],
  ["lists.retrieve", ({ lists }, options) => lists.retrieve(1, options)],
  ["lists.create", ({ lists }, options) => lists.create({}, options)],
  [
    "lists.configureOptIn",
    ({ lists }, options) => lists.configureOptIn(1, { opt_in_type: "single" }, options),
  ],
  ["subscribers.remove", ({ subscribers }, options) => subscribers.remove(1, "1", options)],
  [
    "scheduledMessages.list",
    ({ scheduledMessages }, options) => scheduledMessages.list(1, {}, options),
  ],
  ["momtReports.retrieve", ({ momtReports }, options) => momtReports.retrieve(1, options)],
  [
    "momtReports.waitUntilFinished",
    ({ momtReports }, options) => momtReports.waitUntilFinished(1, options),
  ],
])("%s", (_, call) => {
  test.each([...ODD, 5].map((options) => [shown(options), options]))(
    "a call with the options %s rejects with a TypeError and sends nothing",
    async (_shown, options) => {
      const { service, v2 } = open();
      const error = await errorOf(call(v2, options as never));
      expect(error).toEqual(new TypeError("option `options` must be an object"));
      expect(service.requests).toEqual([]);
    },
  );
});

describe.each<readonly [how: string, field: string, call: Call]>([
  ["lists.retrieve", "listId", ({ lists }, id) => lists.retrieve(id)],
  [
    "lists.configureOptIn",
    "listId",
    ({ lists }, id) => lists.configureOptIn(id, { opt_in_type: "single" }),
  ],
  ["subscribers.remove", "listId", ({ subscribers }, id) => subscribers.remove(id, "1")],
  ["scheduledMessages.list", "listId", ({ scheduledMessages }, id) => scheduledMessages.list(id)],
  ["momtReports.retrieve", "reportId", ({ momtReports }, id) => momtReports.retrieve(id)],
  [
    "momtReports.waitUntilFinished",
    "reportId",
    ({ momtReports }, id) => momtReports.waitUntilFinished(id),
  ],
])("%s", (_, field, call) => {
  test.each([...ODD, undefined, 0, -1, 1.5, 2 ** 53].map((id) => [shown(id), id]))(
    "a call with the id %s rejects with a ValidationError and sends nothing",
    async (_shown, id) => {
      const { service, v2 } = open();
      const error = await errorOf(call(v2, id as never));
      expect(error).toMatchObject({ code: "validation", source: "client", outcome: "not_sent" });
      expect(error).toMatchObject({ errors: [{ path: [field] }] });
      expect(service.requests).toEqual([]);
    },
  );
});

describe.each<Use>([
  ["lists.create", ({ lists }, body) => lists.create(body)],
  ["lists.configureOptIn", ({ lists }, body) => lists.configureOptIn(1, body)],
])("%s", (_, call) => {
  test.each([...ODD, 5, undefined].map((body) => [shown(body), body]))(
    "a call with the settings %s rejects with a ValidationError and sends nothing",
    async (_shown, body) => {
      const { service, v2 } = open();
      const error = await errorOf(call(v2, body as never));
      expect(error).toMatchObject({ code: "validation", source: "client", outcome: "not_sent" });
      expect(error.message).toContain("must be an object");
      expect(service.requests).toEqual([]);
    },
  );
});

test.each([...ODD, 5].map((params) => [shown(params), params]))(
  "scheduledMessages.list with the params %s rejects with a TypeError and sends nothing",
  async (_shown, params) => {
    const { service, v2, ids } = open();
    const error = await errorOf(v2.scheduledMessages.list(ids[0] ?? 0, params as never));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(/^option `params` must be an object/);
    expect(service.requests).toEqual([]);
  },
);
