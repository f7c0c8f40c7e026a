import type { Problem } from "./problem.ts";

/** Data that a step of a double opt-in can ask for. */
export const collectedDataTypes = /* @__PURE__ */ Object.freeze([
  "zip_code",
  "email_address",
  "first_name",
  "yes",
] as const);

/** Effects of a valid reply to a step: the next step follows, or the phone number is subscribed. */
export const successActions = /* @__PURE__ */ Object.freeze([
  "nextrequest",
  "optinsubscriber",
] as const);

interface Step {
  readonly follow_up?: unknown;
  readonly follow_up_hour?: unknown;
  readonly success_action?: unknown;
}

export function* followUpProblems({ follow_up, follow_up_hour }: Step): Generator<Problem> {
  if (follow_up !== true || (follow_up_hour !== undefined && follow_up_hour !== null)) return;
  yield {
    code: "invalid_type",
    type: "integer",
    path: ["follow_up_hour"],
    message: "is required when follow_up is true: the hours to wait before the reminder",
  };
}

export function* stepOrderProblems(steps: readonly Step[]): Generator<Problem> {
  for (const [index, step] of steps.entries()) {
    if (typeof step !== "object" || step === null) continue;
    const isLast = index === steps.length - 1;
    const expected = isLast ? "optinsubscriber" : "nextrequest";
    const action = step.success_action ?? undefined;
    // The schema reports a value outside the set.
    const isKnown = action === undefined || successActions.some((known) => known === action);
    if (action === expected || !isKnown) continue;
    yield {
      code: "custom",
      path: [index, "success_action"],
      message: `must be ${expected}: ${isLast ? "this is the last step" : "another step follows"}`,
    };
  }
}
