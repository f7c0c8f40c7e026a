import { describe, expect, test } from "vitest";
import { requestIdOf } from "../../src/responses/request-id.ts";

describe("requestIdOf", () => {
  test.each([
    [{ "x-request-id": "a" }, "a"],
    [{ "X-Amzn-RequestId": "b" }, "b"],
    [{ "Request-Id": "c" }, "c"],
    [{ "request-id": "c", "x-request-id": "a", "x-amzn-requestid": "b" }, "a"],
    [{ "request-id": "c", "x-amzn-requestid": "b" }, "b"],
    [{ "request-id": "c", "x-request-id": "" }, "c"],
    [{ "x-trace-id": "d" }, undefined],
    [{}, undefined],
  ])("of %j is %s", (headers, id) => {
    expect(requestIdOf(new Headers(headers as Record<string, string>))).toBe(id);
  });
});
