import { describe, expect, test } from "vitest";
import type { ValidationError } from "../../../src/index.ts";
import {
  clientsOf,
  E164,
  errorOf,
  fileMessage,
  list,
  message,
  PHONE,
  singleOptIn,
  transaction,
} from "../../support/calls.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

const step = {
  collected_data: "yes",
  request_message: "Reply YES",
  retry_message: "Please reply YES",
  follow_up: false,
  success_action: "optinsubscriber",
} as const;
const stepOfService = {
  ...step,
  id: 4,
  list_id: 17,
  created_at: "2026-01-01",
  updated_at: "2026-01-01",
};

describe("request bodies", () => {
  test("a new list is wrapped in `list`", async () => {
    await using server = await startLoopback(respond(200, list));
    await clientsOf(server).v2.lists.create({ name: "VIP", email_subscribe: true });
    expect(server.onlyRequest().body).toBe('{"list":{"name":"VIP","email_subscribe":true}}');
  });

  test("fields that are undefined are left out of the body", async () => {
    await using server = await startLoopback(respond(200, list));
    await clientsOf(server).v2.lists.create({ name: undefined, message_help: "Help" });
    expect(server.onlyRequest().body).toBe('{"list":{"message_help":"Help"}}');
  });

  test("opt-in settings are sent unchanged, with undocumented keys", async () => {
    await using server = await startLoopback(respond(200, singleOptIn));
    const settings = { ...singleOptIn, new_key: [1] };
    await clientsOf(server).v2.lists.configureOptIn(17, settings);
    expect(JSON.parse(server.onlyRequest().body)).toEqual(settings);
  });

  test("an opt-in step from a response is sent without its response-only fields", async () => {
    await using server = await startLoopback(respond(503));
    const settings = { opt_in_type: "double", opt_in_requests: [stepOfService] } as const;
    const before = structuredClone(settings);
    const { v2 } = clientsOf(server, { retry: 0 });
    await expect(v2.lists.configureOptIn(17, settings as never)).rejects.toThrow("503");
    expect(JSON.parse(server.onlyRequest().body).opt_in_requests).toEqual([step]);
    expect(settings).toEqual(before);
  });

  test("the phone number of a message is sent in E.164, and its texts verbatim", async () => {
    await using server = await startLoopback(respond(202, transaction));
    const given = {
      ...message,
      rcsPayload: { text: "  two\n\tspaces 🎉 " },
      smsFailover: " padded ",
    };
    await clientsOf(server).rcs.sendRcsText(given);
    expect(JSON.parse(server.onlyRequest().body)).toEqual({ ...given, phoneNumber: E164 });
    expect(given.phoneNumber).toBe(PHONE);
  });

  test("the content type of a file is checked but not sent", async () => {
    await using server = await startLoopback(respond(202, transaction));
    await clientsOf(server).rcs.sendRcsFile(fileMessage, { contentType: "application/pdf" });
    const { body, headers } = server.onlyRequest();
    expect(JSON.parse(body)).toEqual({ ...fileMessage, phoneNumber: E164 });
    expect(headers["content-type"]).toBe("application/json");
  });

  test("a retry sends the same body even if the argument has changed", async () => {
    await using server = await startLoopback(respond(429), respond(200, list));
    const params = { name: "before" };
    const call = clientsOf(server).v2.lists.create(params);
    params.name = "after";
    await call;
    expect(server.requests.map(({ body }) => body)).toEqual(
      Array(2).fill('{"list":{"name":"before"}}'),
    );
  });
});

describe("`validateRequests: false`", () => {
  const wrong = {
    phoneNumber: "  call me ",
    webhookUrl: 5,
    rcsPayload: { other: [null] },
    extra: 1,
  };

  test("`validateRequests: false` sends a message exactly as given", async () => {
    await using server = await startLoopback(respond(202, transaction));
    await clientsOf(server, { validateRequests: false }).rcs.sendRcsText(wrong as never);
    expect(server.onlyRequest().body).toBe(JSON.stringify(wrong));
  });

  test("validateRequests of a call overrides the client's validateRequests", async () => {
    await using server = await startLoopback(respond(202, transaction));
    const { rcs } = clientsOf(server, { validateRequests: false });
    const checked = rcs.sendRcsText(wrong as never, { validateRequests: true });
    await expect(checked).rejects.toMatchObject({ code: "validation", source: "client" });
    expect(server.requests).toEqual([]);
    await clientsOf(server).rcs.sendRcsText(wrong as never, { validateRequests: false });
    expect(server.onlyRequest().body).toBe(JSON.stringify(wrong));
  });

  test("`validateRequests: false` keeps the phone number as given and skips the rules of files and steps", async () => {
    await using server = await startLoopback(respond(404));
    const { v2, rcs } = clientsOf(server, { validateRequests: false });
    const file = { ...fileMessage, rcsPayload: { file: { url: "https://example.com/virus.exe" } } };
    await expect(rcs.sendRcsFile(file)).rejects.toThrow("404");
    const settings = { opt_in_type: "double", opt_in_requests: [stepOfService, stepOfService] };
    await expect(v2.lists.configureOptIn(17, settings as never)).rejects.toThrow("404");
    expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([file, settings]);
  });

  test("`validateRequests: false` still wraps a new list", async () => {
    await using server = await startLoopback(respond(200, list));
    await clientsOf(server).v2.lists.create({ name: 5 } as never, { validateRequests: false });
    expect(server.onlyRequest().body).toBe('{"list":{"name":5}}');
  });
});

describe("issues of an input", () => {
  test("all issues of an input are reported together, at the names of the caller's arguments", async () => {
    const { v2, rcs } = clientsOf({ baseUrl: "https://app.example.com" });
    const query = { page: 0, per_page: 1001, start_date: "2027", end_date: "20270230" };
    const rows: readonly (readonly [call: PromiseLike<unknown>, ...paths: string[]])[] = [
      [v2.subscribers.remove(0, ""), "listId", "phoneNumber"],
      [v2.scheduledMessages.list(-1, query), "listId", ...Object.keys(query)],
      [rcs.sendRcsText({} as never), ...Object.keys(message)],
      [v2.lists.create(undefined as never), ""],
      [v2.lists.create([] as never), ""],
      [v2.lists.create({ name: 5, email_subscribe: "yes" } as never), "name", "email_subscribe"],
      [rcs.sendRcsFile(fileMessage, { contentType: "text/html" }), "contentType"],
    ];
    for (const [call, ...paths] of rows) {
      const { errors, ...error } = await errorOf<ValidationError>(call);
      expect(error).toMatchObject({ source: "client", outcome: "not_sent", attempts: 0 });
      expect(errors.map(({ path }) => path.join("."))).toEqual(paths);
    }
  });

  test("what cannot be a path or JSON is refused even if validation is off", async () => {
    const { v2 } = clientsOf({ baseUrl: "https://app.example.com" }, { validateRequests: false });
    const phones = ["", ".", "..", "\ud83d", "a\udc00"];
    const throwing = () => Object(undefined).a.b;
    for (const call of [
      ...phones.map((phone) => v2.subscribers.remove(17, phone)),
      ...[5n, { toJSON: throwing }].map((name) => v2.lists.create({ name } as never)),
    ]) {
      expect(await errorOf(call)).toMatchObject({ code: "validation", outcome: "not_sent" });
    }
  });
});
