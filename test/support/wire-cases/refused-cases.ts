import { expect } from "vitest";
import * as transactional from "../../../src/core/wire/transactional.ts";
import * as v2 from "../../../src/core/wire/v2.ts";
import { rcsText } from "../fakes/fake-service.ts";
import type { WireCase } from "./wire-case.ts";
import { credentials, PHONE, requestTo } from "./world.ts";

/** Builds an error of version 2 in the fake's own shape. */
const v2Error = (error: unknown) => ({ status: "error", error });
const unauthorized = v2Error(expect.stringMatching(/credentials/));
const notFound = (what: string) => v2Error(expect.stringMatching(new RegExp(`${what} not found`)));
const SETTINGS = { opt_in_type: "single" };

const unauthorizedCase = (request: WireCase["request"], as: WireCase["as"] = "none"): WireCase => ({
  name: `${request} with the credentials "${as}"`,
  request,
  as,
  status: 401,
  body: unauthorized,
});

const missingCase = (request: WireCase["request"], what: string, send?: unknown): WireCase => ({
  name: `${request}: no such ${what.toLowerCase()}`,
  request,
  send,
  status: 404,
  body: notFound(what),
});

const invalidCase = (request: WireCase["request"], words: RegExp, send?: unknown): WireCase => ({
  name: `${request} with ${send === undefined ? "a wrong query" : JSON.stringify(send)}`,
  request,
  send,
  status: 422,
  body: v2Error(expect.stringMatching(words)),
});

const ids = [...Object.values(v2), ...Object.values(transactional)].map(({ id }) => id);
const everyRoute = expect.toSatisfy(
  (error: unknown) => typeof error === "string" && ids.every((id) => error.includes(id)),
);
const unknownCase = (request: WireCase["request"]): WireCase => ({
  name: `${request}: no such route`,
  request,
  status: 501,
  body: request.includes("/api/v2/") ? v2Error(everyRoute) : { error: everyRoute },
});

/** Makes the two calls that the rate limit allows. */
const useUp: WireCase["before"] = async (service) => {
  for (let call = 0; call < 2; call += 1) {
    const { status } = await service.fetch(`${service.v2BaseUrl}/api/v2/accounts/me`, {
      headers: credentials.v2,
    });
    expect(status).toBe(200);
  }
};

const LIST = "/api/v2/lists/10";
const SETTINGS_OF = (id: number) => `PUT /api/v2/lists/${id}/opt_in_settings` as const;

/** Requests that the service refuses. */
export const refusedCases: readonly WireCase[] = [
  ...Object.values(v2).map((endpoint) => unauthorizedCase(requestTo(endpoint))),
  ...(["v2WrongKey", "v2WrongEmail", "v2AsBearer", "transactional"] as const).map((as) =>
    unauthorizedCase("GET /api/v2/accounts/me", as),
  ),

  missingCase("GET /api/v2/lists/99", "List"),
  missingCase("GET /api/v2/lists/12", "List"),
  ...["ten", "0xa", "10.0", "1e1", "+10", "010"].map((id) =>
    missingCase(`GET /api/v2/lists/${id}`, "List"),
  ),
  missingCase(SETTINGS_OF(99), "List", SETTINGS),
  missingCase(SETTINGS_OF(12), "List", SETTINGS),
  missingCase(`DELETE /api/v2/lists/99/subscribers/${PHONE}`, "List"),
  missingCase(`DELETE ${LIST}/subscribers/+12065550199`, "Subscriber"),
  missingCase(`DELETE ${LIST}/subscribers/nobody`, "Subscriber"),
  missingCase(`DELETE ${LIST}/subscribers/(206)%20555-0123`, "Subscriber"),
  missingCase("GET /api/v2/lists/99/messages/scheduled", "List"),
  missingCase("GET /api/v2/momt_reports/99", "Report"),
  missingCase("GET /api/v2/momt_reports/30.0", "Report"),

  invalidCase("GET /api/v2/lists?page=0", /^page must be at least 1/),
  invalidCase("GET /api/v2/lists?page=1.0", /^page must be an integer/),
  invalidCase("GET /api/v2/lists?page=first", /^page must be an integer/),
  invalidCase("GET /api/v2/lists?per_page=1001", /^per_page must be at most 1000/),
  invalidCase("GET /api/v2/lists?include_deleted=maybe", /^include_deleted must be true or false/),
  invalidCase(`GET ${LIST}/messages/scheduled?start_date=20260230`, /^start_date must be a day/),
  invalidCase(`GET ${LIST}/messages/scheduled?end_date=2026-01-31`, /^end_date must be a day/),
  invalidCase("POST /api/v2/lists/", /^list is required and must be an object/, { name: "New" }),
  invalidCase("POST /api/v2/lists/", /^list\.name must be a string/, { list: { name: 5 } }),
  invalidCase("POST /api/v2/lists/", /^must be JSON/, "name=New"),
  invalidCase(SETTINGS_OF(10), /^opt_in_type .*single or double|^must be an object/, {}),
  invalidCase(SETTINGS_OF(10), /^opt_in_requests\.0\.success_action must be optinsubscriber/, {
    opt_in_type: "double",
    opt_in_requests: [{ success_action: "nextrequest" }],
  }),
  invalidCase(SETTINGS_OF(10), /^opt_in_requests\.0\.follow_up_hour is required/, {
    opt_in_type: "double",
    opt_in_requests: [{ success_action: "optinsubscriber", follow_up: true }],
  }),

  unknownCase("GET /api/v2/campaigns"),
  unknownCase("PATCH /api/v2/lists/10"),
  unknownCase("POST /api/v2/lists"),
  unknownCase("GET /api/v2/lists/"),
  unknownCase("POST /transactional_messages/send_sms"),
  unknownCase("GET /transactional_messages/send_rcs_text"),

  {
    name: "a call beyond the rate limit",
    request: "GET /api/v2/lists",
    before: useUp,
    status: 429,
    headers: { "retry-after": "3600" },
    body: v2Error(expect.stringMatching(/too many/i)),
  },
  {
    name: "a send, to which the rate limit of version 2 does not apply",
    request: "POST /transactional_messages/send_rcs_text",
    before: useUp,
    send: rcsText,
    status: 202,
    body: expect.objectContaining({ transactionId: expect.any(String) }),
  },
];
