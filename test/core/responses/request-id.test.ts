import { describe, expect, test } from "vitest";
import { requestIdOf } from "../../../src/core/responses/fetched-response.ts";
import { Redactor } from "../../../src/core/responses/redact.ts";

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
  ])("the request id of %j is %s", (headers, id) => {
    expect(requestIdOf(new Headers(headers as Record<string, string>), new Redactor([]))).toBe(id);
  });

  test("a request id contains no secret and no control character", () => {
    const headers = { get: () => "id-key-1234\u001b[31m\n9" } as unknown as Headers;
    expect(requestIdOf(headers, new Redactor(["key-1234"]))).toBe("id-[redacted][31m9");
  });
});
