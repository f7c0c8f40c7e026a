import { expect } from "vitest";
import { rcsFile, rcsText } from "../fakes/fake-service.ts";
import { tooBig, tooSmall } from "../issues.ts";
import type { WireCase } from "./wire-case.ts";

const TEXT = "POST /transactional_messages/send_rcs_text";
const FILE = "POST /transactional_messages/send_rcs_file";

const accepted = { message: expect.any(String), transactionId: expect.stringMatching(/^[\w-]+$/) };
const refused = (...errors: readonly object[]) => ({ error: expect.any(String), errors });
const unauthorized = { error: expect.stringMatching(/credentials/) };

/** Returns a request that is refused. */
const refusal = (
  name: string,
  request: WireCase["request"],
  send: unknown,
  ...errors: object[]
) => ({
  ...{ name, request, send, status: 400, body: refused(...errors) },
});
const denial = (
  name: string,
  request: WireCase["request"],
  as: NonNullable<WireCase["as"]>,
): WireCase => {
  const send = request === TEXT ? rcsText : rcsFile;
  return { name, request, as, send, status: 401, body: unauthorized };
};
const at = (...path: readonly string[]) => expect.objectContaining({ path });

/** Requests to the transactional API and its responses. */
export const transactionalCases: readonly WireCase[] = [
  { name: "a text", request: TEXT, send: rcsText, status: 202, body: accepted },
  { name: "a file", request: FILE, send: rcsFile, status: 202, body: accepted },
  refusal(
    "a text for an invalid phone",
    TEXT,
    { ...rcsText, phoneNumber: "555 123 4567" },
    {
      ...{ code: "custom", validation: "phone", path: ["phoneNumber"] },
      message: "Invalid phone number",
    },
  ),
  refusal(
    "a file for an invalid phone",
    FILE,
    { ...rcsFile, phoneNumber: "+44 20 7946 0958" },
    at("phoneNumber"),
  ),
  refusal(
    "a file without an https URL",
    FILE,
    { ...rcsFile, rcsPayload: { file: { url: "http://example.com/menu.pdf" } } },
    expect.objectContaining({ path: ["rcsPayload", "file", "url"], validation: "url" }),
  ),
  refusal(
    "an empty fallback together with a webhook URL that is too long",
    TEXT,
    { ...rcsText, smsFailover: "", webhookUrl: `https://example.com/${"x".repeat(236)}` },
    { ...tooBig(255, "webhookUrl"), message: expect.stringMatching(/255/) },
    { ...tooSmall(1, "smsFailover"), message: expect.stringMatching(/1 character/) },
  ),
  refusal(
    "a body that is not JSON",
    TEXT,
    "phoneNumber=2065550123",
    expect.objectContaining({ path: [], message: "must be JSON" }),
  ),
  refusal("no body", FILE, undefined, at()),
  denial("a text without credentials", TEXT, "none"),
  denial("a file without credentials", FILE, "none"),
  denial("a text with a wrong key", TEXT, "transactionalWrongKey"),
  denial("a file with the credentials of version 2", FILE, "v2"),
];
