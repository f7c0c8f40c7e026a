import type { OptInStep } from "messaging-service-client";
import { describe, expect, test } from "vitest";
import { createFake, NEW_YEAR, v2Of } from "../../support/fakes/fake-service.ts";
import { emailStep, yesStep, zipStep } from "../../support/fakes/opt-in-lists.ts";

const open = () => {
  const service = createFake();
  const { id } = service.addList();
  return { service, id, lists: v2Of(service).lists };
};
const steps: readonly OptInStep[] = [zipStep, emailStep, yesStep];

describe("lists.configureOptIn with single", () => {
  test("lists.configureOptIn with single sends the settings, and resolves to the three fields of the response", async () => {
    const { service, id, lists } = open();
    const settings = {
      opt_in_type: "single",
      bypass_opt_in_response: false,
      first_optin_message: "Welcome!",
      second_optin_message: "Welcome back!",
    } as const;
    const result = await lists.configureOptIn(id, settings);
    expect(result).toEqual({
      opt_in_type: "single",
      first_optin_message: "Welcome!",
      second_optin_message: "Welcome back!",
    });
    expect(service.requests).toMatchObject([
      { method: "PUT", path: `/api/v2/lists/${id}/opt_in_settings`, query: {}, body: settings },
    ]);
    expect(await lists.retrieve(id)).toMatchObject(result);
  });
});

describe("lists.configureOptIn with double", () => {
  test("lists.configureOptIn with double sends the steps, and resolves to them with ids, list_id and timestamps", async () => {
    const { service, id, lists } = open();
    const result = await lists.configureOptIn(id, {
      opt_in_type: "double",
      opt_in_requests: steps,
    });
    expect(service.requests[0]?.body).toEqual({ opt_in_type: "double", opt_in_requests: steps });
    expect(result.status).toMatch(/updated/);
    expect(result.opt_in_requests).toHaveLength(3);
    for (const [index, step] of result.opt_in_requests.entries()) {
      expect(step).toMatchObject({
        ...steps[index],
        id: expect.any(Number),
        list_id: id,
        bypass_opt_in_response: false,
        created_at: NEW_YEAR,
        updated_at: NEW_YEAR,
      });
    }
    expect(await lists.retrieve(id)).toMatchObject({
      opt_in_type: "double",
      opt_in_requests: result.opt_in_requests,
    });
  });

  test("lists.configureOptIn with double sends steps that the service returned without their response-only fields", async () => {
    const { service, id, lists } = open();
    const { opt_in_requests } = await lists.configureOptIn(id, {
      opt_in_type: "double",
      opt_in_requests: steps,
    });
    const before = structuredClone(opt_in_requests);
    const again = await lists.configureOptIn(id, { opt_in_type: "double", opt_in_requests });
    const sent = service.requests[1]?.body as { opt_in_requests: object[] };
    for (const step of sent.opt_in_requests) {
      for (const field of ["id", "list_id", "created_at", "updated_at"]) {
        expect(step).not.toHaveProperty(field);
      }
    }
    expect(opt_in_requests).toEqual(before);
    const settingsOf = (all: readonly object[]) =>
      all.map((step) => ({ ...step, id: 0, created_at: "", updated_at: "" }));
    expect(settingsOf(again.opt_in_requests)).toEqual(settingsOf(before));
  });

  test("lists.configureOptIn with double accepts the steps of a retrieved list without one of them", async () => {
    const { id, lists } = open();
    await lists.configureOptIn(id, { opt_in_type: "double", opt_in_requests: steps });
    const { opt_in_requests } = await lists.retrieve(id);
    const { opt_in_requests: fewer } = await lists.configureOptIn(id, {
      opt_in_type: "double",
      opt_in_requests: opt_in_requests.filter(
        ({ collected_data }) => collected_data !== "zip_code",
      ),
    });
    expect(fewer.map(({ collected_data }) => collected_data)).toEqual(["email_address", "yes"]);
  });

  test("lists.configureOptIn with double removes all steps if none are given", async () => {
    const { id, lists } = open();
    await lists.configureOptIn(id, { opt_in_type: "double", opt_in_requests: steps });
    expect((await lists.configureOptIn(id, { opt_in_type: "double" })).opt_in_requests).toEqual([]);
    expect((await lists.retrieve(id)).opt_in_type).toBe("double");
  });

  test("lists.configureOptIn with double accepts null for messages, and for the hour if there is no reminder", async () => {
    const { id, lists } = open();
    const step: OptInStep = {
      ...yesStep,
      follow_up: false,
      follow_up_hour: null,
      no_response_message: null,
      opt_in_message: null,
      second_opt_in_message: null,
    };
    const { opt_in_requests } = await lists.configureOptIn(id, {
      opt_in_type: "double",
      opt_in_requests: [step],
    });
    expect(opt_in_requests).toMatchObject([step]);
  });
});

describe("lists.configureOptIn with settings that break a rule", () => {
  const double = (...all: readonly object[]) => ({ opt_in_type: "double", opt_in_requests: all });
  test.each([
    ["an unknown type", { opt_in_type: "triple" }, ["opt_in_type"]],
    [
      "unknown data",
      double({ ...yesStep, collected_data: "age" }),
      ["opt_in_requests", 0, "collected_data"],
    ],
    [
      "an unknown action",
      double({ ...yesStep, success_action: "stop" }),
      ["opt_in_requests", 0, "success_action"],
    ],
    [
      "a reminder without an hour",
      double({ ...yesStep, follow_up_hour: null }),
      ["opt_in_requests", 0, "follow_up_hour"],
    ],
    ["a last step that continues", double(zipStep), ["opt_in_requests", 0, "success_action"]],
    [
      "a middle step with `optinsubscriber`",
      double(yesStep, yesStep),
      ["opt_in_requests", 0, "success_action"],
    ],
    [
      "a number as a message",
      double({ ...yesStep, retry_message: 5 }),
      ["opt_in_requests", 0, "retry_message"],
    ],
  ])("the client and the service refuse settings with %s", async (_, settings, path) => {
    const { service, id, lists } = open();
    await expect(lists.configureOptIn(id, settings as never)).rejects.toMatchObject({
      code: "validation",
      source: "client",
      errors: [{ path }],
    });
    expect(service.requests).toEqual([]);
    const unchecked = lists.configureOptIn(id, settings as never, { validateRequests: false });
    await expect(unchecked).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(path.join(".")),
    });
    expect((await lists.retrieve(id)).opt_in_requests).toEqual([]);
  });

  test("lists.configureOptIn rejects with a NotFoundError if there is no such list", async () => {
    const { lists } = open();
    const call = lists.configureOptIn(99, { opt_in_type: "single" });
    await expect(call).rejects.toMatchObject({ name: "NotFoundError" });
  });
});
