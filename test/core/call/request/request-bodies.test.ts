import { describe, expect, test } from "vitest";
import type { ValidationError } from "../../../../src/index.ts";
import { clientsOf, errorOf, fileMessage, message, transaction } from "../../../support/calls.ts";
import { respond, startLoopback } from "../../../support/servers/loopback.ts";
import { step } from "../../../support/tables/specification.ts";

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
    const settings = { opt_in_type: "double", opt_in_requests: [step, step] };
    await expect(v2.lists.configureOptIn(17, settings as never)).rejects.toThrow("404");
    expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([file, settings]);
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

  test("a value that cannot be a path or JSON is refused even if validation is off", async () => {
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
