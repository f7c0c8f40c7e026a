import { describe, expect, test } from "vitest";
import {
  COLLECTED_DATA,
  followUpProblems,
  SUCCESS_ACTIONS,
  stepOrderProblems,
} from "../../src/rules/opt-in-steps.ts";

test("the closed sets are those of the specification", () => {
  expect([...COLLECTED_DATA].sort()).toEqual(["email_address", "first_name", "yes", "zip_code"]);
  expect([...SUCCESS_ACTIONS].sort()).toEqual(["nextrequest", "optinsubscriber"]);
});

describe("the reminder", () => {
  test.each([
    { follow_up: true, follow_up_hour: 2 },
    { follow_up: true, follow_up_hour: 0 },
    { follow_up: false },
    { follow_up: false, follow_up_hour: null },
    { follow_up: false, follow_up_hour: 2 },
    { follow_up: undefined },
    {},
    // Of another type: the schema's business.
    { follow_up: "true" },
    { follow_up: 1 },
    { follow_up: true, follow_up_hour: "2" },
  ])("%j is as it should be", (step) => {
    expect([...followUpProblems(step)]).toEqual([]);
  });

  test.each([
    { follow_up: true },
    { follow_up: true, follow_up_hour: undefined },
    { follow_up: true, follow_up_hour: null },
  ])("%j lacks its hours", (step) => {
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

describe("the order", () => {
  const next = { success_action: "nextrequest" };
  const last = { success_action: "optinsubscriber" };
  const paths = (steps: readonly object[]) =>
    [...stepOrderProblems(steps)].map(({ path }) => path?.join("."));

  test.each([[[]], [[last]], [[next, last]], [[next, next, next, last]]])(
    "%j is right",
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
    // An action that is missing is not the one that is due.
    [[{}], ["0.success_action"]],
    [[{ success_action: null }], ["0.success_action"]],
    [[{ success_action: undefined }, last], ["0.success_action"]],
  ])("%j is not", (steps, expected) => {
    expect(paths(steps)).toEqual(expected);
  });

  test("the message says what is due, and why", () => {
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

  test("a value outside the set, or a step that is none, is left to the schema", () => {
    expect(paths([{ success_action: "stop" }, { success_action: 5 }])).toEqual([]);
    expect(paths([null, 5, "step", last] as unknown as object[])).toEqual([]);
  });
});
