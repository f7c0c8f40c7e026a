import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { type ApiError, TransactionalClient } from "../../../src/index.ts";
import {
  API_KEY,
  BASIC,
  type Clients,
  clientsOf,
  E164,
  EMAIL,
  errorOf,
  FALLBACK,
  message,
  PHONE,
  TEXT,
} from "../../support/calls.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

const send = ({ rcs }: Clients) => rcs.sendRcsText(message);
const remove = ({ v2 }: Clients) => v2.subscribers.remove(17, PHONE);
const create = ({ v2 }: Clients) => v2.lists.create({ name: "Regulars of Monday" });

/** Matches the last digits of the number in any format. */
const NUMBER = /555\D{0,3}0123/;

/** Returns everything that a log could contain about the error for this response. */
const shownOf = async (
  call: (clients: Clients) => PromiseLike<unknown>,
  body: unknown,
  { status = 422, statusText = "" } = {},
): Promise<string> => {
  await using server = await startLoopback(respond(status, body, {}, statusText));
  const error = await errorOf<ApiError>(call(clientsOf(server, { retry: 0 })));
  expect(error).toMatchObject({ status, endpoint: expect.stringMatching(/^(POST|DELETE) /) });
  return [error.message, error.stack, JSON.stringify(error), inspect(error, { depth: 9 })].join(
    "\n",
  );
};

describe("secrets in the messages of errors", () => {
  test.each([
    ["the key", create, `The key ${API_KEY} is unknown`, API_KEY],
    ["the key of the other API", send, `The key ${API_KEY} is unknown`, API_KEY],
    ["the e-mail address", create, `The user ${EMAIL} is unknown`, EMAIL],
    ["its Base64", create, `Basic ${BASIC} is unknown`, BASIC],
    ["a text", send, `The text "${TEXT}" is refused`, TEXT],
    ["a fallback", send, `The text "${FALLBACK}" is refused`, FALLBACK],
    ["a name", create, "Name Regulars of Monday is taken", "Regulars of Monday"],
    ["a number as it was given", remove, `No subscriber ${PHONE} here`, NUMBER],
    ["a number as it was sent", send, `The number ${E164} is blocked`, NUMBER],
    ["a number in a format of its own", send, "206.555.0123 / 206-555-0123 is blocked", NUMBER],
    ["a number without its country", send, "2065550123 is blocked", NUMBER],
    ["somebody else's number", create, "Ask +1 (206) 555-0123 for help", NUMBER],
  ])("an error hides %s that the service quotes", async (_, call, words, secret) => {
    for (const body of [
      { error: words },
      { message: words },
      { errors: { base: [words] } },
      words,
    ]) {
      const shown = await shownOf(call, body);
      expect(shown).not.toMatch(secret);
      expect(shown).toMatch(/\[redacted\]|\[number\]/);
      expect(shown).toMatch(/is unknown|is refused|is taken|here|is blocked|for help/);
    }
  });

  test("an error hides a percent-encoded number in a path that the service quotes", async () => {
    const path = `/api/v2/lists/17/subscribers/${encodeURIComponent(PHONE)}`;
    const shown = await shownOf(remove, { error: `No route matches DELETE ${path}` });
    expect(shown).toContain("No route matches");
    expect(shown).not.toMatch(NUMBER);
  });

  test("an error hides a text that the service quotes as escaped JSON", async () => {
    const text = 'Table "Ω"\nnumber seven';
    const body = { error: `Cannot parse ${JSON.stringify({ text })}` };
    const shown = await shownOf(
      ({ rcs }) => rcs.sendRcsText({ ...message, rcsPayload: { text } }),
      body,
    );
    expect(shown).toContain("Cannot parse");
    expect(shown).not.toContain("number seven");
  });

  test("an error hides a key and a text that the service quotes as JSON with escaped slashes, as PHP writes it", async () => {
    const apiKey = "k9/Zq+1b7";
    const text = 'A "menu": https://example.com/menu';
    const fetch = async (_: string, init: { readonly headers: object }) => {
      const said = JSON.stringify({ headers: init.headers, text }).replaceAll("/", "\\/");
      return Response.json({ error: `Cannot forward ${said}` }, { status: 401 });
    };
    const rcs = new TransactionalClient({ baseUrl: "https://rcs.example.com", apiKey, fetch });
    const error = await errorOf(rcs.sendRcsText({ ...message, rcsPayload: { text } }));
    expect(error.message).toContain("Cannot forward");
    for (const secret of ["Zq+1b7", "menu"]) expect(inspect(error)).not.toContain(secret);
  });

  test("an error hides a secret or a number in the status text", async () => {
    const shown = await shownOf(create, "", {
      statusText: `Bad key ${API_KEY}, call 206-555-0123`,
    });
    expect(shown).not.toContain(API_KEY);
    expect(shown).not.toMatch(NUMBER);
  });

  test("a ValidationError from the service hides secrets and numbers in its issues", async () => {
    const item = { code: "custom", path: ["phoneNumber"] };
    const words = `${PHONE} / ${E164} / ${API_KEY} / ${TEXT} is invalid`;
    const body = { error: words, errors: [{ ...item, message: words }] };
    const shown = await shownOf(send, body, { status: 400 });
    for (const secret of [NUMBER, API_KEY, TEXT]) expect(shown).not.toMatch(secret);
    expect(shown).toContain("is invalid");
  });

  test("the error of a custom request hides the strings that it sent", async () => {
    const json = { deep: [{ note: "the note of a caller" }], when: "2027-01-01" };
    const request = { method: "POST", path: "/notes", json } as const;
    const shown = await shownOf(({ rcs }) => rcs.request(request), {
      error: "Note `the note of a caller` on 2027-01-01 is too long",
    });
    expect(shown).not.toContain("the note of a caller");
    expect(shown).toContain("is too long");
  });
});

const report = ({ v2 }: Clients) => v2.momtReports.retrieve(3);
const REPORT = "/api/v2/momt_reports/{ID}";
const REMOVAL = "/api/v2/lists/{ID}/subscribers/{SUBSCRIBER_ID}";

describe("fields of errors for the caller", () => {
  test("an error keeps the whole body for the caller", async () => {
    const body = { error: `The text "${TEXT}" is refused` };
    await using server = await startLoopback(respond(422, body));
    const error = await errorOf<ApiError>(send(clientsOf(server)));
    expect(error.body).toEqual(body);
  });

  test("the message of an error names its endpoint and status", async () => {
    await using server = await startLoopback(respond(422, { error: "No such subscriber" }));
    const error = await errorOf(remove(clientsOf(server)));
    expect(error.message).toBe(
      "DELETE /api/v2/lists/{ID}/subscribers/{SUBSCRIBER_ID}: 422 Unprocessable Entity: No such subscriber",
    );
  });

  const html = "<!doctype html><h1>Not found</h1>";
  const account = { status: "OK", account: { id: 1 } };
  test.each<
    [
      what: string,
      isKnown: boolean,
      body: unknown,
      call: (clients: Clients) => PromiseLike<unknown>,
      path: string,
    ]
  >([
    ["before any success", false, { error: "no" }, remove, REMOVAL],
    ["with an HTML page", true, html, remove, REMOVAL],
    ["of a send", true, { error: "no" }, send, "/transactional_messages/send_rcs_text"],
    ["of a subscriber that is gone", true, { error: "no" }, remove, ""],
    [
      "in the service's own words before any success",
      false,
      { error: "List not found" },
      remove,
      "",
    ],
    ["that names a subscriber", false, { message: "No such subscriber" }, remove, ""],
    ["that names a report", false, { message: "The report does not exist" }, report, ""],
    ["that names another record", false, { message: "List not found" }, report, REPORT],
    [
      "of a router",
      false,
      { message: "Route GET:/prefix/api/v2/momt_reports/3 not found" },
      report,
      REPORT,
    ],
    ["of a router that quotes a path", false, { message: "No route for /list" }, remove, REMOVAL],
    ["that names a longer word", false, { message: "checklist not found" }, remove, REMOVAL],
    ["of a gateway", false, { message: "no Route matched with those values" }, remove, REMOVAL],
  ])("a 404 %s says which URL to check, if any", async (_, isKnown, body, call, path) => {
    await using server = await startLoopback(
      ...(isKnown ? [respond(200, account), respond(200, account)] : []),
      respond(404, body),
    );
    const baseUrl = `${server.baseUrl}/prefix`;
    const clients = clientsOf({ baseUrl });
    if (isKnown) {
      await clients.v2.accounts.me();
      await clients.rcs.request({ method: "GET", path: "/any" });
    }
    const { message } = await errorOf(call(clients));
    const advice = ` (check baseUrl: the URL was ${baseUrl}${path})`;
    if (path === "") expect(message).not.toContain("baseUrl");
    else expect(message.endsWith(advice), message).toBe(true);
  });
});
