import type { ListCreate } from "messaging-service-client";
import { describe, expect, test } from "vitest";
import { createFake, v2Of } from "../../support/fakes/fake-service.ts";

const open = (count = 0) => {
  const service = createFake();
  for (let index = 1; index <= count; index += 1) service.addList({ name: `List ${index}` });
  return { service, lists: v2Of(service).lists };
};
const queries = ({ requests }: ReturnType<typeof createFake>) => requests.map(({ query }) => query);

describe("lists.list", () => {
  test("lists.list includes deleted lists unless include_deleted is false", async () => {
    const { service, lists } = open(2);
    service.addList({ name: "Old", deleted: true });
    const namesOf = async (params = {}) =>
      (await lists.list(params).toArray()).map(({ name }) => name);
    expect(await namesOf()).toEqual(["List 1", "List 2", "Old"]);
    expect(await namesOf({ include_deleted: false })).toEqual(["List 1", "List 2"]);
    expect(queries(service).at(-1)).toEqual({ per_page: "1000", include_deleted: "false" });
  });
});

describe("lists.retrieve", () => {
  test("lists.retrieve rejects with a NotFoundError that names the path template if there is no such list", async () => {
    const { lists } = open();
    await expect(lists.retrieve(404)).rejects.toMatchObject({
      name: "NotFoundError",
      message: expect.stringMatching(/^GET \/api\/v2\/lists\/\{ID\}: 404: List not found$/),
    });
  });
});

describe("lists.create", () => {
  const fields: Required<ListCreate> = {
    name: "VIP",
    message_yes: "Yes!",
    message_help: "Call us.",
    message_stop: "Bye.",
    message_reply: "Nobody reads this.",
    message_already_subscribed: "You are here.",
    first_optin_message: "Welcome!",
    second_optin_message: "Welcome back!",
    email_digest: "owner@example.com",
    email_subscribe: true,
    email_unsubscribe: false,
  };

  test("lists.create sends every documented field wrapped in `list`, and resolves to the list", async () => {
    const { service, lists } = open();
    const list = await lists.create(fields);
    expect(list).toMatchObject({ ...fields, opt_in_type: "single" });
    expect(service.requests).toMatchObject([
      { method: "POST", path: "/api/v2/lists/", query: {}, body: { list: fields } },
    ]);
    expect(await lists.retrieve(list.id)).toEqual(list);
  });

  test("lists.create copies a list without its response-only fields", async () => {
    const service = createFake();
    const original = service.addList({
      name: "VIP",
      keyword_names: ["VIP"],
      opt_in_requests: [
        {
          collected_data: "yes",
          request_message: "Reply YES to join.",
          retry_message: "Reply YES to join.",
          follow_up: false,
          success_action: "optinsubscriber",
        },
      ],
    });
    const { lists } = v2Of(service);
    const list = { ...(await lists.retrieve(original.id)), plan: "gold" };
    const before = structuredClone(list);
    const copy = await lists.create(list);
    expect(copy).toMatchObject({ name: "VIP", keyword_names: [], opt_in_type: "single" });
    expect(copy.id).not.toBe(original.id);
    expect(list).toEqual(before);
    const { id, keyword_names, counts, opt_in_type, opt_in_requests, ...settings } = list;
    expect(service.requests.at(-1)?.body).toEqual({ list: settings });
  });

  test("lists.create sends a list exactly as given if validation is off", async () => {
    const service = createFake();
    const original = service.addList({ name: "VIP" });
    await v2Of(service).lists.create(original, { validateRequests: false });
    expect(service.requests.at(-1)?.body).toEqual({ list: original });
  });

  test("lists.create requires no field", async () => {
    const { service, lists } = open();
    expect((await lists.create({})).id).toEqual(expect.any(Number));
    expect(service.requests[0]?.body).toEqual({ list: {} });
  });

  test("lists.create names an invalid field as the caller wrote it", async () => {
    const { service, lists } = open();
    await expect(lists.create({ name: 5 } as never)).rejects.toMatchObject({
      errors: [{ path: ["name"], code: "invalid_type", type: "string" }],
    });
    expect(service.requests).toEqual([]);
  });
});
