import { expect } from "vitest";
import { rcsFile, rcsText } from "../fakes/fake-service.ts";
import { tooBig, tooSmall } from "../issues.ts";
import type { WireCase } from "./wire-case.ts";

const TEXT = "POST /transactional_messages/send_rcs_text";
const FILE = "POST /transactional_messages/send_rcs_file";

const accepted = { message: expect.any(String), transactionId: expect.stringMatching(/^[\w-]+$/) };
const refused = (...errors: readonly object[]) => ({ error: expect.any(String), errors });
const unauthorized = { error: expect.stringMatching(/credentials/) };

/** Requests to the transactional API and its responses. */
export const transactionalCases: readonly WireCase[] = [
  { name: "a text", request: TEXT, send: rcsText, status: 202, body: accepted },
  { name: "a file", request: FILE, send: rcsFile, status: 202, body: accepted },
  {
    name: "a text for an invalid phone",
    request: TEXT,
    send: { ...rcsText, phoneNumber: "555 123 4567" },
    status: 400,
    body: refused({
      code: "custom",
      validation: "phone",
      path: ["phoneNumber"],
      message: "Invalid phone number",
    }),
  },
  {
    name: "a file for an invalid phone",
    request: FILE,
    send: { ...rcsFile, phoneNumber: "+44 20 7946 0958" },
    status: 400,
    body: refused(expect.objectContaining({ path: ["phoneNumber"] })),
  },
  {
    name: "a file without an https URL",
    request: FILE,
    send: { ...rcsFile, rcsPayload: { file: { url: "http://example.com/menu.pdf" } } },
    status: 400,
    body: refused(
      expect.objectContaining({ path: ["rcsPayload", "file", "url"], validation: "url" }),
    ),
  },
  {
    name: "an empty fallback together with a webhook URL that is too long",
    request: TEXT,
    send: { ...rcsText, smsFailover: "", webhookUrl: `https://example.com/${"x".repeat(236)}` },
    status: 400,
    body: refused(
      { ...tooBig(255, "webhookUrl"), message: expect.stringMatching(/255/) },
      { ...tooSmall(1, "smsFailover"), message: expect.stringMatching(/1 character/) },
    ),
  },
  {
    name: "a body that is not JSON",
    request: TEXT,
    send: "phoneNumber=2065550123",
    status: 400,
    body: refused(expect.objectContaining({ path: [], message: "must be JSON" })),
  },
  {
    name: "no body",
    request: FILE,
    status: 400,
    body: refused(expect.objectContaining({ path: [] })),
  },
  {
    name: "a text without credentials",
    request: TEXT,
    as: "none",
    send: rcsText,
    status: 401,
    body: unauthorized,
  },
  {
    name: "a file without credentials",
    request: FILE,
    as: "none",
    send: rcsFile,
    status: 401,
    body: unauthorized,
  },
  {
    name: "a text with a wrong key",
    request: TEXT,
    as: "transactionalWrongKey",
    send: rcsText,
    status: 401,
    body: unauthorized,
  },
  {
    name: "a file with the credentials of version 2",
    request: FILE,
    as: "v2",
    send: rcsFile,
    status: 401,
    body: unauthorized,
  },
];
