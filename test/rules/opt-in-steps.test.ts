import { describe, expect, test } from "vitest";
import {
  collectedDataTypes,
  followUpProblems,
  stepOrderProblems,
  successActions,
} from "../../src/rules/opt-in-steps.ts";

test("the closed sets of steps are those of the specification", () => {
  expect([...collectedDataTypes].sort()).toEqual([
    "email_address",
    "first_name",
    "yes",
    "zip_code",
  ]);
  expect([...successActions].sort()).toEqual(["nextrequest", "optinsubscriber"]);
});

test("the closed sets of steps are frozen", () => {
  for (const values of [collectedDataTypes, successActions]) {
    expect(Object.isFrozen(values)).toBe(true);
    expect(() => (values as unknown as string[]).push("other")).toThrow(TypeError);
  }
});

describe("the hours of a reminder", () => {
  test.each([
    { follow_up: true, follow_up_hour: 2 },
    { follow_up: true, follow_up_hour: 0 },
    { follow_up: false },
    { follow_up: false, follow_up_hour: null },
    { follow_up: false, follow_up_hour: 2 },
    { follow_up: undefined },
    {},
    // The schema reports other types.
    { follow_up: "true" },
    { follow_up: 1 },
    { follow_up: true, follow_up_hour: "2" },
  ])("the reminder hours of a step are valid: %j", (step) => {
    expect([...followUpProblems(step)]).toEqual([]);
  });

  test.each([
    { follow_up: true },
    { follow_up: true, follow_up_hour: undefined },
    { follow_up: true, follow_up_hour: null },
  ])("the reminder hours of a step are required: %j", (step) => {
    expect([...followUpProblems(step)]).toEqual([
      {
        code: "invalid_type",
        type: "integer",
        path: ["follow_up_hour"],
        message: expect.stringMatching(/^is required when follow_up is true/),
      },
    ]);
  });
});

describe("the order of steps", () => {
  const next = { success_action: "nextrequest" };
  const last = { success_action: "optinsubscriber" };
  const paths = (steps: readonly object[]) =>
    [...stepOrderProblems(steps)].map(({ path }) => path?.join("."));

  test.each([[[]], [[last]], [[next, last]], [[next, next, next, last]]])(
    "the order of steps is valid: %j",
    (steps) => {
      expect(paths(steps)).toEqual([]);
    },
  );

  test.each<[steps: object[], expected: string[]]>([
    [[next], ["0.success_action"]],
    [[last, last], ["0.success_action"]],
    [[next, next], ["1.success_action"]],
    [
      [last, next],
      ["0.success_action", "1.success_action"],
    ],
    [
      [last, last, next],
      ["0.success_action", "1.success_action", "2.success_action"],
    ],
    // A missing action is not the expected one.
    [[{}], ["0.success_action"]],
    [[{ success_action: null }], ["0.success_action"]],
    [[{ success_action: undefined }, last], ["0.success_action"]],
  ])("the order of steps is invalid: %j", (steps, expected) => {
    expect(paths(steps)).toEqual(expected);
  });

  test("the message for an invalid order of steps names the expected action and the reason", () => {
    expect([...stepOrderProblems([last, next])]).toEqual([
      {
        code: "custom",
        path: [0, "success_action"],
        message: "must be nextrequest: another step follows",
      },
      {
        code: "custom",
        path: [1, "success_action"],
        message: "must be optinsubscriber: this is the last step",
      },
    ]);
  });

  test("the order rule leaves unknown actions, and steps that are not objects, to the schema", () => {
    expect(paths([{ success_action: "stop" }, { success_action: 5 }])).toEqual([]);
    expect(paths([null, 5, "step", last] as unknown as object[])).toEqual([]);
  });
});
