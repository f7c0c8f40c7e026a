import type {
  ApiPromise,
  DoubleOptInResult,
  List,
  OptInSettings,
  OptInSettingsResult,
  OptInStep,
  SingleOptInResult,
  V2Client,
} from "messaging-service-client";
import { describe, expectTypeOf, test } from "vitest";

declare const v2: V2Client;
declare const list: List;

const ask = {
  collected_data: "zip_code",
  request_message: "Reply with your ZIP code.",
  retry_message: "That is no ZIP code.",
  success_action: "optinsubscriber",
} as const;

describe("result of configureOptIn", () => {
  test("single opt-in settings have a single opt-in result", () => {
    const call = v2.lists.configureOptIn(17, { opt_in_type: "single", first_optin_message: "Hi" });
    expectTypeOf(call).toEqualTypeOf<ApiPromise<SingleOptInResult>>();
    expectTypeOf<SingleOptInResult["opt_in_type"]>().toEqualTypeOf<"single">();
    expectTypeOf<SingleOptInResult["first_optin_message"]>().toEqualTypeOf<string | null>();
  });

  test("double opt-in settings have a double opt-in result", () => {
    const steps = [{ ...ask, follow_up: false }] as const;
    const call = v2.lists.configureOptIn(17, { opt_in_type: "double", opt_in_requests: steps });
    expectTypeOf(call).toEqualTypeOf<ApiPromise<DoubleOptInResult>>();
    expectTypeOf<DoubleOptInResult["opt_in_type"]>().toEqualTypeOf<"double">();
    expectTypeOf<DoubleOptInResult["opt_in_requests"][number]["id"]>().toEqualTypeOf<number>();
  });

  test("settings of either type have a result of either type", () => {
    const settings = { opt_in_type: "single" } as OptInSettings;
    const call = v2.lists.configureOptIn(17, settings);
    expectTypeOf(call).toEqualTypeOf<ApiPromise<OptInSettingsResult>>();
  });

  test("opt_in_type narrows a result of either type", () => {
    const result = {} as OptInSettingsResult;
    if (result.opt_in_type === "double") expectTypeOf(result).toEqualTypeOf<DoubleOptInResult>();
    else expectTypeOf(result).toEqualTypeOf<SingleOptInResult>();
  });
});

describe("mistakes in opt-in settings", () => {
  test("a wrong opt_in_type, or a field of the other type, does not compile", () => {
    // @ts-expect-error: the type is required
    v2.lists.configureOptIn(17, { first_optin_message: "Hi" });
    // @ts-expect-error: steps are for double only
    v2.lists.configureOptIn(17, { opt_in_type: "single", opt_in_requests: [] });
    // @ts-expect-error: this message is for single only
    v2.lists.configureOptIn(17, { opt_in_type: "double", first_optin_message: "Hi" });
  });

  test("an invalid reminder does not compile", () => {
    expectTypeOf({ ...ask, follow_up: true as const, follow_up_hour: 2 }).toExtend<OptInStep>();
    expectTypeOf({ ...ask, follow_up: false as const }).toExtend<OptInStep>();
    expectTypeOf({ ...ask, follow_up: false as const, follow_up_hour: null }).toExtend<OptInStep>();
    // @ts-expect-error: follow_up: true requires follow_up_hour
    const noHour: OptInStep = { ...ask, follow_up: true };
    // @ts-expect-error: null is not an hour
    const nullHour: OptInStep = { ...ask, follow_up: true, follow_up_hour: null };
    // @ts-expect-error: nor is undefined
    const undefinedHour: OptInStep = { ...ask, follow_up: true, follow_up_hour: undefined };
    // @ts-expect-error: follow_up is required
    const noWord: OptInStep = ask;
    const steps = [noHour, { ...ask, follow_up: true as const }];
    // @ts-expect-error: the same within the settings
    v2.lists.configureOptIn(17, { opt_in_type: "double", opt_in_requests: steps });
    expectTypeOf([nullHour, undefinedHour, noWord]).toExtend<OptInStep[]>();
  });

  test("a step without a required field does not compile", () => {
    const { request_message: _, ...noRequest } = { ...ask, follow_up: false as const };
    const { retry_message: __, ...noRetry } = { ...ask, follow_up: false as const };
    expectTypeOf(noRequest).not.toExtend<OptInStep>();
    expectTypeOf(noRetry).not.toExtend<OptInStep>();
  });
});

describe("opt-in steps of a response", () => {
  test("the steps of a response can be sent back", () => {
    const { opt_in_requests } = list;
    v2.lists.configureOptIn(list.id, { opt_in_type: "double", opt_in_requests });
    v2.lists.configureOptIn(list.id, {
      opt_in_type: "double",
      opt_in_requests: [
        { ...ask, success_action: "nextrequest", follow_up: false },
        ...opt_in_requests,
      ],
    });
  });
});

test("every optional setting may be undefined", () => {
  v2.lists.configureOptIn(17, {
    opt_in_type: "single",
    bypass_opt_in_response: undefined,
    first_optin_message: undefined,
    second_optin_message: undefined,
  });
  v2.lists.configureOptIn(17, {
    opt_in_type: "double",
    bypass_opt_in_response: undefined,
    opt_in_requests: undefined,
  });
  const step: OptInStep = {
    ...ask,
    follow_up: false,
    follow_up_hour: undefined,
    no_response_message: undefined,
    opt_in_message: undefined,
    second_opt_in_message: undefined,
    bypass_opt_in_response: undefined,
  };
  expectTypeOf(step).toExtend<OptInStep>();
});
