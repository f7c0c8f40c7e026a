// What software that is not ours makes of the documents: redocly reads them, and Prism serves them to both clients.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { TransactionalClient, V2Client } from "messaging-service-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rcsFile, rcsText } from "../testing/set-up.ts";
import { DOCS, FIXTURE, installTools, type Prism, startPrism, tool } from "./prism.ts";

const TIMEOUT_MS = 120_000;
const hasTools = installTools();
const documents = ["v2.json", "transactional.json"] as const;

describe.runIf(hasTools)("redocly", () => {
  test.each(documents)(
    "finds no error in %s, under its strictest rules",
    (name) => {
      const args = ["lint", "--format=json", "--config", join(FIXTURE, "redocly.yaml")];
      const env = {
        ...process.env,
        REDOCLY_TELEMETRY: "off",
        REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      };
      const said = execFileSync(tool("redocly"), [...args, join(DOCS, name)], {
        env,
        stdio: "pipe",
      });
      expect(JSON.parse(String(said)).totals).toMatchObject({ errors: 0, warnings: 0 });
    },
    TIMEOUT_MS,
  );
});

describe.runIf(hasTools)("against Prism, which checks every request", () => {
  const strict = { responseValidation: "strict", retry: 0 } as const;
  let prisms: { v2: Prism; transactional: Prism };

  beforeAll(async () => {
    const [v2, transactional] = await Promise.all(documents.map(startPrism));
    prisms = { v2: v2 as Prism, transactional: transactional as Prism };
  }, TIMEOUT_MS);
  afterAll(() => Promise.all(Object.values(prisms).map(({ stop }) => stop())));

  const v2 = () =>
    new V2Client({
      baseUrl: prisms.v2.baseUrl,
      email: "owner@example.com",
      apiKey: "key",
      throttle: false,
      ...strict,
    });
  const rcs = () =>
    new TransactionalClient({ baseUrl: prisms.transactional.baseUrl, apiKey: "key", ...strict });

  const step = {
    collected_data: "zip_code",
    request_message: "Your ZIP code?",
    retry_message: "Five digits, please.",
    follow_up: true,
    follow_up_hour: 24,
    success_action: "optinsubscriber",
  } as const;
  const calls: readonly (readonly [name: string, call: () => PromiseLike<unknown>, has: object])[] =
    [
      ["accounts.me", () => v2().accounts.me(), { email: expect.any(String) }],
      ["lists.list", () => v2().lists.list({ include_deleted: false }), { page: 1 }],
      ["lists.retrieve", () => v2().lists.retrieve(2), { counts: expect.any(Object) }],
      ["lists.create", () => v2().lists.create({ name: "Staff" }), { name: "Staff" }],
      [
        "lists.configureOptIn, single",
        () => v2().lists.configureOptIn(2, { opt_in_type: "single", first_optin_message: "Hi" }),
        { opt_in_type: "single" },
      ],
      ["subscribers.remove", () => v2().subscribers.remove(2, "+12065550100"), { carrier: 1 }],
      [
        "scheduledMessages.list",
        () => v2().scheduledMessages.list(2, { start_date: "20261120", end_date: "20261231" }),
        { count: 1 },
      ],
      ["momtReports.retrieve", () => v2().momtReports.retrieve(5), { percent_complete: 40 }],
      ["sendRcsText", () => rcs().sendRcsText(rcsText), { transactionId: expect.any(String) }],
      ["sendRcsFile", () => rcs().sendRcsFile(rcsFile), { transactionId: expect.any(String) }],
    ];
  test.each(calls)("%s succeeds, and the answer is as documented", async (_, call, has) => {
    expect(await call()).toMatchObject(has);
  });

  test("lists.configureOptIn, double: the request is taken", async () => {
    // Of two examples, Prism answers with the one that is asked for.
    const headers = { prefer: "example=double" };
    const settings = { opt_in_type: "double", opt_in_requests: [step] } as const;
    const result = await v2().lists.configureOptIn(2, settings, { headers });
    expect(result.opt_in_requests).toHaveLength(1);
  });

  test("lists are iterated", async () => {
    const names = [];
    for await (const { name } of v2().lists.list()) names.push(name);
    expect(names).toEqual(["VIP"]);
  });

  /** Sent around the rules of the clients. */
  const bad: readonly (readonly [what: string, target: string, body: unknown])[] = [
    ["page 0", "GET /api/v2/lists?page=0", undefined],
    ["1001 a page", "GET /api/v2/lists?per_page=1001", undefined],
    ["a flag that is none", "GET /api/v2/lists?include_deleted=perhaps", undefined],
    ["an id that is no number", "GET /api/v2/lists/first", undefined],
    [
      "a day of seven digits",
      "GET /api/v2/lists/2/messages/scheduled?start_date=2026112",
      undefined,
    ],
    ["a list without its wrapper", "POST /api/v2/lists/", { name: "Staff" }],
    ["a name that is no text", "POST /api/v2/lists/", { list: { name: 5 } }],
    [
      "an opt-in type that is none",
      "PUT /api/v2/lists/2/opt_in_settings",
      { opt_in_type: "triple" },
    ],
    [
      "data that cannot be collected",
      "PUT /api/v2/lists/2/opt_in_settings",
      { opt_in_type: "double", opt_in_requests: [{ ...step, collected_data: "age" }] },
    ],
    [
      "a reminder without its hour",
      "PUT /api/v2/lists/2/opt_in_settings",
      { opt_in_type: "double", opt_in_requests: [{ ...step, follow_up_hour: undefined }] },
    ],
    ["a phone of nine digits", "text", { ...rcsText, phoneNumber: "206 555 012" }],
    ["an http webhook", "text", { ...rcsText, webhookUrl: "http://example.com" }],
    [
      "a webhook of 256 characters",
      "text",
      { ...rcsText, webhookUrl: "https://example.com/".padEnd(256, "x") },
    ],
    ["a text of 3001 characters", "text", { ...rcsText, rcsPayload: { text: "x".repeat(3001) } }],
    ["a payload with a file", "text", { ...rcsText, rcsPayload: { text: "x", file: {} } }],
    ["no fallback", "text", { ...rcsText, smsFailover: undefined }],
    ["an empty fallback", "text", { ...rcsText, smsFailover: "" }],
    ["a fallback of 161 characters", "text", { ...rcsText, smsFailover: "x".repeat(161) }],
    ["a fallback with a smart quote", "text", { ...rcsText, smsFailover: "It’s ready" }],
    ["a file without URL", "file", { ...rcsFile, rcsPayload: { file: {} } }],
    ["an http file", "file", { ...rcsFile, rcsPayload: { file: { url: "http://example.com/a" } } }],
  ];
  test.each(bad)("%s is refused", async (_, target, body) => {
    const isSend = !target.includes(" ");
    const path = isSend ? `POST /transactional_messages/send_rcs_${target}` : target;
    const [method = "", url = ""] = path.split(" ");
    const prism = isSend ? prisms.transactional : prisms.v2;
    const init = {
      method,
      headers: {
        authorization: `Basic ${btoa("owner@example.com:key")}`,
        "x-api-key": "key",
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const { status } = await fetch(prism.baseUrl + url, init);
    expect(status).toBe(isSend ? 400 : 422);
  });

  test.each(["/api/v2/lists", "/transactional_messages/send_rcs_text"])(
    "%s without credentials is refused",
    async (path) => {
      const isSend = !path.startsWith("/api");
      const prism = isSend ? prisms.transactional : prisms.v2;
      const init = isSend ? { method: "POST", body: "{}" } : {};
      expect((await fetch(prism.baseUrl + path, init)).status).toBe(401);
    },
  );
});
