import { rcsFile, rcsText } from "../support/fakes/fake-service.ts";
import { LISTS, toPath } from "../support/tables/specification.ts";

/** A step that breaks no rule. */
const step = {
  collected_data: "zip_code",
  request_message: "Your ZIP code?",
  retry_message: "Five digits, please.",
  follow_up: true,
  follow_up_hour: 24,
  success_action: "optinsubscriber",
} as const;

const text = (fields: object) => ({ ...rcsText, ...fields });
const file = (fields: object) => ({ ...rcsFile, rcsPayload: { file: fields } });
const webhook = (webhookUrl: string) => text({ webhookUrl });
const phone = (phoneNumber: string) => text({ phoneNumber });
const fallback = (smsFailover: unknown) => text({ smsFailover });
const rcs = (words: string) => text({ rcsPayload: { text: words } });
const single = (fields: object) => ({ opt_in_type: "single", ...fields });
const double = (...steps: readonly object[]) => ({ opt_in_type: "double", opt_in_requests: steps });

const OPT_IN = "PUT /api/v2/lists/2/opt_in_settings";
const GSM7 =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿" +
  "abcdefghijklmnopqrstuvwxyzäöñüà\f^{}\\[~]|€";

/** A request body for a path of API version 2, or for the message of a send. */
type Row = readonly [what: string, target: string, body?: unknown];

const lists = LISTS.map(
  ([, { path }]) => `GET ${toPath(path, { listId: 2, phone: "", reportId: 2 })}`,
);

const cases = (rows: readonly Row[]) =>
  rows.map(([what, target, body]) => ({
    what,
    request: target.includes(" ") ? target : `POST /transactional_messages/send_rcs_${target}`,
    body,
  }));

/** Valid cases at the edge of every rule. */
export const accepted = cases([
  ...lists.flatMap((list): readonly Row[] => [
    ["no query", list],
    ["the largest page", `${list}?page=1&per_page=1000`],
  ]),
  ["all lists but deleted ones", "GET /api/v2/lists?include_deleted=false"],
  ["one day", "GET /api/v2/lists/2/messages/scheduled?start_date=20261231&end_date=20261231"],
  ["a large id", `GET /api/v2/momt_reports/${Number.MAX_SAFE_INTEGER}`],
  [
    "a subscriber in another format",
    `DELETE /api/v2/lists/2/subscribers/${encodeURIComponent("(206) 555-0100")}`,
  ],
  ["a list of nothing", "POST /api/v2/lists/", { list: {} }],
  ["a list with a field that is not documented", "POST /api/v2/lists/", { list: { color: "red" } }],
  ["a single opt-in of nothing more", OPT_IN, single({})],
  ["a double opt-in without steps", OPT_IN, { opt_in_type: "double" }],
  ["steps", OPT_IN, double({ ...step, success_action: "nextrequest" }, step)],
  [
    "a step without a reminder",
    OPT_IN,
    double({ ...step, follow_up: false, follow_up_hour: null, no_response_message: null }),
  ],
  ["a phone in brackets", "text", phone("(206) 555-0123")],
  ["a phone with dots", "text", phone("206.555.0123")],
  ["a phone as a link", "text", phone("tel:+1-206-555-0123")],
  ["a Canadian phone", "text", phone("+1 604 555 0123")],
  ["a webhook of 255 characters", "text", webhook("https://example.com/".padEnd(255, "x"))],
  ["a webhook in capitals", "text", webhook("HTTPS://EXAMPLE.COM/")],
  ["a webhook of any characters", "text", webhook("https://example.com/ü?tags=[1]")],
  ["an empty text", "text", rcs("")],
  ["a text of 3000 emojis", "text", rcs("🎉".repeat(3000))],
  ["a fallback of one character", "text", fallback("x")],
  ["a fallback of 160 characters", "text", fallback("€".repeat(160))],
  ["a fallback of every character", "text", fallback(GSM7)],
  ["a field that is not documented", "text", text({ campaign: 5 })],
  ["a file of 255 characters", "file", file({ url: "https://example.com/".padEnd(255, "x") })],
]);

/** Cases that break a rule. They bypass the rules of the clients. */
export const refused = cases([
  ...lists.flatMap((list): readonly Row[] => [
    ["page 0", `${list}?page=0`],
    ["a page in between", `${list}?page=1.5`],
    ["1001 a page", `${list}?per_page=1001`],
  ]),
  ["a flag that is none", "GET /api/v2/lists?include_deleted=perhaps"],
  ["an id that is no number", "GET /api/v2/lists/first"],
  ["a day of seven digits", "GET /api/v2/lists/2/messages/scheduled?start_date=2026112"],
  ["a list without its wrapper", "POST /api/v2/lists/", { name: "Staff" }],
  ["a name that is no text", "POST /api/v2/lists/", { list: { name: 5 } }],
  ["an opt-in type that is none", OPT_IN, { opt_in_type: "triple" }],
  ["data that cannot be collected", OPT_IN, double({ ...step, collected_data: "age" })],
  ["a reminder without its hour", OPT_IN, double({ ...step, follow_up_hour: undefined })],
  ["a phone of six digits", "text", phone("555 012")],
  ["a phone of seven digits", "text", phone("310-1234")],
  ["an http webhook", "text", webhook("http://example.com")],
  ["a webhook of 256 characters", "text", webhook("https://example.com/".padEnd(256, "x"))],
  ["a text of 3001 characters", "text", rcs("x".repeat(3001))],
  ["a reminder after half an hour", OPT_IN, double({ ...step, follow_up_hour: 0.5 })],
  ["an action that is none", OPT_IN, double({ ...step, success_action: "subscribe" })],
  ["id 0", "GET /api/v2/lists/0"],
  ["a date with dashes", "GET /api/v2/lists/2/messages/scheduled?end_date=2026-12-31"],
  ["a webhook of the scheme alone", "text", webhook("https://")],
  ["a file of 256 characters", "file", file({ url: "https://example.com/".padEnd(256, "x") })],
  ["no payload", "file", { ...rcsFile, rcsPayload: undefined }],
  ["a payload with a file", "text", text({ rcsPayload: { text: "x", file: {} } })],
  ["no fallback", "text", fallback(undefined)],
  ["an empty fallback", "text", fallback("")],
  ["a fallback of 161 characters", "text", fallback("x".repeat(161))],
  ["a fallback with a smart quote", "text", fallback("It’s ready")],
  ["a file without URL", "file", file({})],
  ["an http file", "file", file({ url: "http://example.com/a" })],
  ["a file in capitals", "file", file({ url: "HTTPS://example.com/a" })],
]);
