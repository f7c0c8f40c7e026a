import type { AnyMessagingServiceError } from "messaging-service-client";

/** Asserts that two values are equal. */
export const equal = (actual: unknown, expected: unknown): void => {
  const [is, shouldBe] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== shouldBe) throw new Error(`${is} should be ${shouldBe}`);
};

/** Returns the error of a call that must fail. */
export const failureOf = async (call: PromiseLike<unknown>): Promise<AnyMessagingServiceError> => {
  try {
    await call;
  } catch (error) {
    return error as AnyMessagingServiceError;
  }
  throw new Error("the call should have failed");
};
