// cspell:ignore limmit
import {
  allowedContentTypes,
  checkPhone,
  collectedDataTypes,
  type FittedSms,
  fitSms,
  isAllowedContentType,
  isFileUrl,
  isUsOrCanadianNumber,
  isWebhookUrl,
  type OptInStep,
  type PhoneReason,
  type phoneReasons,
  type RcsFileMessage,
  type successActions,
  type TransactionalClient,
  type V2Client,
} from "messaging-service-client";
import { describe, expectTypeOf, test } from "vitest";

declare const v2: V2Client;
declare const rcs: TransactionalClient;
declare const anything: unknown;
declare const value: string;
declare const maybe: string | undefined;

describe("predicates", () => {
  test("a predicate narrows an unknown value to a string", () => {
    if (isWebhookUrl(anything)) expectTypeOf(anything).toEqualTypeOf<string>();
    if (isFileUrl(anything)) expectTypeOf(anything).toEqualTypeOf<string>();
    if (isAllowedContentType(anything)) expectTypeOf(anything).toEqualTypeOf<string>();
    if (isUsOrCanadianNumber(anything)) expectTypeOf(anything).toEqualTypeOf<string>();
    if (!isWebhookUrl(maybe)) throw new TypeError("no URL");
    expectTypeOf(maybe).toEqualTypeOf<string>();
  });

  test("a predicate accepts the header of a response", () => {
    const header = new Headers().get("content-type");
    if (isAllowedContentType(header)) expectTypeOf(header).toEqualTypeOf<string>();
  });

  test("a string that a predicate refuses stays a string", () => {
    if (isWebhookUrl(value) || isFileUrl(value)) return;
    if (isAllowedContentType(value) || isUsOrCanadianNumber(value)) return;
    expectTypeOf(value).toEqualTypeOf<string>();
  });

  test("a predicate filters an array", () => {
    const values: readonly unknown[] = [];
    expectTypeOf(values.filter(isWebhookUrl)).toEqualTypeOf<string[]>();
    expectTypeOf(values.filter(isUsOrCanadianNumber)).toEqualTypeOf<string[]>();
    expectTypeOf(["a"].filter(isFileUrl)).toEqualTypeOf<string[]>();
  });
});

describe("checkPhone", () => {
  test("the result of checkPhone narrows by valid", () => {
    const phone = checkPhone("");
    if (phone.valid) {
      expectTypeOf(phone.e164).toEqualTypeOf<string>();
      expectTypeOf(phone.incomplete).toEqualTypeOf<false>();
      expectTypeOf(phone.reason).toEqualTypeOf<undefined>();
    } else {
      expectTypeOf(phone.reason).toEqualTypeOf<PhoneReason>();
      expectTypeOf(phone.message).toEqualTypeOf<string>();
      expectTypeOf(phone.incomplete).toEqualTypeOf<boolean>();
      expectTypeOf(phone.e164).toEqualTypeOf<undefined>();
    }
  });

  test("every field of a result of checkPhone can be read before valid is checked", () => {
    const { e164, reason, message } = checkPhone("");
    expectTypeOf(e164).toEqualTypeOf<string | undefined>();
    expectTypeOf(reason).toEqualTypeOf<PhoneReason | undefined>();
    expectTypeOf(message).toEqualTypeOf<string | undefined>();
  });

  test("the reasons of checkPhone are a closed set", () => {
    expectTypeOf<(typeof phoneReasons)[number]>().toEqualTypeOf<PhoneReason>();
    const { reason } = checkPhone("");
    // @ts-expect-error: there is no such reason
    if (reason === "wrong") return;
  });
});

describe("fitSms", () => {
  test("fitSms returns its text, and whether it was changed", () => {
    expectTypeOf(fitSms("", { limit: 160, unwritable: "?" })).toEqualTypeOf<FittedSms>();
    expectTypeOf<FittedSms>().toEqualTypeOf<{
      readonly text: string;
      readonly valid: boolean;
      readonly lossy: boolean;
      readonly shortened: boolean;
    }>();
    // @ts-expect-error: there is no such option
    fitSms("", { limmit: 160 });
  });
});

describe("closed sets", () => {
  test("the closed sets are read-only", () => {
    // @ts-expect-error: it is frozen
    allowedContentTypes.push("text/html");
    // @ts-expect-error: it is frozen
    collectedDataTypes[0] = "zip";
  });

  test("a step accepts the values of the closed sets", () => {
    expectTypeOf<OptInStep["collected_data"]>().toEqualTypeOf<
      (typeof collectedDataTypes)[number]
    >();
    expectTypeOf<OptInStep["success_action"]>().toEqualTypeOf<(typeof successActions)[number]>();
  });
});

describe("messages and lists", () => {
  const file: RcsFileMessage = {
    phoneNumber: "",
    webhookUrl: "",
    rcsPayload: { file: { url: "" } },
    smsFailover: "",
  };

  test("sendRcsFile accepts a content type in the options", () => {
    rcs.sendRcsFile(file, { contentType: "application/pdf", timeout: 5_000 });
    // @ts-expect-error: a content type is an option
    rcs.sendRcsFile({ ...file, contentType: "application/pdf" });
    // @ts-expect-error: a content type is a string
    rcs.sendRcsFile(file, { contentType: 5 });
    // @ts-expect-error: a text has no content type
    rcs.sendRcsText({ ...file, rcsPayload: { text: "" } }, { contentType: "application/pdf" });
  });

  test("a list from a response can be sent as a new list", async () => {
    const list = await v2.lists.retrieve(1);
    v2.lists.create(list);
    v2.lists.create({ ...list, name: "copy" });
    // @ts-expect-error: the service gives the id
    v2.lists.create({ id: 5, name: "VIP" });
  });

  test("a position can be passed as the query of a list", async () => {
    const { next } = await v2.lists.list();
    if (next) v2.lists.list(next, { prefetch: true });
    if (next) v2.scheduledMessages.list(1, next);
  });
});
