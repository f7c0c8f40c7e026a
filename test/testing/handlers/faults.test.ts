import type { Fault } from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import { createFake, rcsFile, rcsOf, rcsText, v2Of } from "../../support/fakes/fake-service.ts";

/** A fault, the error of a send that meets it, and whether the phone received the text. */
type Row = readonly [Fault, { readonly code: string; readonly outcome: string }, texted: boolean];

const rows: readonly Row[] = [
  ["network", { code: "connection", outcome: "unknown" }, false],
  ["hang", { code: "timeout", outcome: "unknown" }, false],
  ["stalled_body", { code: "timeout", outcome: "unknown" }, true],
  ["truncated", { code: "response_validation", outcome: "unknown" }, true],
  ["html", { code: "response_validation", outcome: "unknown" }, false],
  ["dropped", { code: "connection", outcome: "unknown" }, true],
  ["slow", { code: "timeout", outcome: "unknown" }, true],
  ["drift", { code: "response_validation", outcome: "done" }, true],
];

describe("faults in a send", () => {
  test.each(rows)(
    "a send that meets the fault %s has the right error and effect",
    async (fault, error, texted) => {
      const service = createFake();
      service.failNext({ fault });
      const rcs = rcsOf(service, { timeout: 60, retry: 2 });
      await expect(rcs.sendRcsText(rcsText)).rejects.toMatchObject({ ...error, attempts: 1 });
      expect(service.outbox).toHaveLength(texted ? 1 : 0);
      // Only one send meets the fault.
      await rcs.sendRcsText(rcsText);
    },
  );
});

describe("faults in a walk through pages", () => {
  test("a walk that meets the fault wrong_page receives no item of this page", async () => {
    const service = createFake();
    for (let index = 0; index < 3; index += 1) service.addList();
    const walk = v2Of(service).lists.list({ per_page: 1 });
    const seen: number[] = [];
    const walking = (async () => {
      for await (const { id } of walk) {
        seen.push(id);
        service.failNext({ fault: "wrong_page" });
      }
    })();
    await expect(walking).rejects.toMatchObject({
      code: "response_validation",
      resume: { page: 2, per_page: 1 },
    });
    expect(seen).toHaveLength(1);
  });

  test("drift is ignored with validation off, and rejected in strict mode", async () => {
    const service = createFake();
    const { name } = service.addList();
    const mismatches: unknown[] = [];
    const { lists } = v2Of(service, {
      responseValidation: "off",
      onEvent: ({ type }) => mismatches.push(type),
    });
    service.failNext({ fault: "drift" });
    const [list] = (await lists.list()).items;
    expect(list?.name).not.toBe(name);
    expect(mismatches).not.toContain("response_mismatch");
    service.failNext({ fault: "drift" });
    await expect(lists.list({}, { responseValidation: "strict" })).rejects.toMatchObject({
      code: "response_validation",
      outcome: "done",
    });
  });
});

describe("failNext with a status", () => {
  test.each([
    [401, "authentication", "rejected"],
    [403, "permission_denied", "rejected"],
    [404, "not_found", "rejected"],
    [409, "api", "rejected"],
    [429, "rate_limit", "rejected"],
    [500, "server", "unknown"],
    [599, "server", "unknown"],
  ])(
    "failNext with the status %i gives both clients an error with the code %s",
    async (status, code, outcome) => {
      const service = createFake();
      service.failNext({ status, times: 2 });
      const error = { status, code, outcome, message: expect.stringContaining(`${status}`) };
      await expect(v2Of(service).accounts.me()).rejects.toMatchObject(error);
      await expect(rcsOf(service).sendRcsFile(rcsFile)).rejects.toMatchObject(error);
      expect(service.outbox).toEqual([]);
    },
  );

  test("failNext with a status and a body in the documented shape gives a ValidationError", async () => {
    const service = createFake();
    const issue = { code: "custom", message: "is on no plan", path: ["phoneNumber"] };
    service.failNext({ status: 400, body: { error: "Refused", errors: [issue] } });
    await expect(rcsOf(service).sendRcsText(rcsText)).rejects.toMatchObject({
      code: "validation",
      source: "service",
      errors: [issue],
    });
  });

  test("failNext with a status for one endpoint does not affect other endpoints", async () => {
    const service = createFake();
    const { id } = service.addList();
    service.failNext({ status: 500, endpoint: "GET /api/v2/lists/{ID}" });
    const { lists } = v2Of(service);
    expect((await lists.list()).count).toBe(1);
    await expect(lists.retrieve(id)).rejects.toMatchObject({ status: 500 });
    expect((await lists.retrieve(id)).id).toBe(id);
  });
});
