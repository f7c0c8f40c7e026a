import { describe, expect, test } from "vitest";
import { ResponseValidationError } from "../../src/index.ts";
import { clientsOf, errorOf, KINDS, message, page, transaction } from "../support/calls.ts";
import { respond, startLoopback } from "../support/servers/loopback.ts";

const MODES = ["strict", "warn", "off"] as const;
const BODIES: readonly (readonly [name: string, body: string])[] = [
  ["an empty body", ""],
  ["HTML", "<!doctype html><title>Maintenance</title>"],
  ["{}", "{}"],
  ['{"status":"error"}', '{"status":"error","error":"no"}'],
  ["broken JSON", '{"status":"OK","account":{"id":1'],
  ["an array", "[]"],
  ["null", "null"],
  ["the resource missing", '{"status":"OK"}'],
];
const rows = MODES.flatMap((mode) =>
  KINDS.flatMap((kind) => BODIES.map(([name, body]) => ({ mode, kind, name, body }))),
);

describe("2xx responses without required fields", () => {
  test.each(rows)(
    "a $kind.kind that meets $name has the outcome unknown and is not retried in the mode $mode",
    async ({ mode, kind, body }) => {
      await using server = await startLoopback(respond(200, body));
      const error = await errorOf<ResponseValidationError>(
        kind.call(clientsOf(server, { responseValidation: mode })),
      );
      server.onlyRequest();
      expect(error).toBeInstanceOf(ResponseValidationError);
      expect(error).toMatchObject({
        code: "response_validation",
        name: "ResponseValidationError",
        outcome: "unknown",
        status: 200,
        attempts: 1,
        endpoint: kind.endpoint,
        body,
      });
      expect(error.message).toContain("200, but its body");
    },
  );

  test.each([
    ["page", { ...page, page: undefined }],
    ["pages_count", { ...page, pages_count: "1" }],
    ["lists", { ...page, lists: undefined }],
  ])("a page without its %s is rejected in every mode", async (field, body) => {
    await using server = await startLoopback(respond(200, body));
    for (const responseValidation of MODES) {
      const lists = clientsOf(server, { responseValidation }).v2.lists.list();
      const error = await errorOf<ResponseValidationError>(lists);
      expect(error).toMatchObject({ outcome: "unknown", issues: [{ path: [field] }] });
    }
  });

  test("a page with a number other than the requested one is rejected in every mode", async () => {
    await using server = await startLoopback(respond(200, { ...page, page: 1, pages_count: 9 }));
    for (const responseValidation of MODES) {
      const lists = clientsOf(server, { responseValidation }).v2.lists.list({ page: 2 });
      const error = await errorOf<ResponseValidationError>(lists);
      expect(error).toMatchObject({ code: "response_validation", issues: [{ path: ["page"] }] });
      expect(error.message).toContain("page");
    }
  });
});

describe("the body of a ResponseValidationError", () => {
  test("a ResponseValidationError keeps the first 64 KiB of the body, and its message does not quote them", async () => {
    const body = `<html>${"a".repeat(200_000)}`;
    await using server = await startLoopback(respond(200, body));
    const call = clientsOf(server).rcs.sendRcsText(message);
    const error = await errorOf<ResponseValidationError>(call);
    expect(error.body).toBe(body.slice(0, 65_536));
    expect(error.message.length).toBeLessThan(200);
    expect(JSON.stringify(error)).not.toContain("aaaa");
  });

  test("a successful body may be larger than 64 KiB", async () => {
    const large = { ...transaction, note: "b".repeat(300_000) };
    await using server = await startLoopback(respond(202, large));
    expect(await clientsOf(server).rcs.sendRcsText(message)).toEqual(large);
  });
});
