import { describe, expect, test } from "vitest";
import { ResponseValidationError } from "../../../src/index.ts";
import { clientsOf, errorOf, KINDS } from "../../support/calls.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

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
});
