import { describe, expect, test } from "vitest";
import { createFake, NEW_YEAR, rcsFile, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";

const PHONE = "+12065550123";

describe("a send", () => {
  test("a send goes out by RCS, as a text or a file", async () => {
    const service = createFake();
    const rcs = rcsOf(service);
    const text = await rcs.sendRcsText(rcsText);
    const file = await rcs.sendRcsFile(rcsFile);
    expect(service.outbox).toEqual([
      {
        at: NEW_YEAR,
        to: PHONE,
        channel: "rcs",
        text: rcsText.rcsPayload.text,
        cause: "send_rcs_text",
        transactionId: text.transactionId,
      },
      {
        at: NEW_YEAR,
        to: PHONE,
        channel: "rcs",
        file: rcsFile.rcsPayload.file.url,
        cause: "send_rcs_file",
        transactionId: file.transactionId,
      },
    ]);
  });

  test("a send is recorded with its content, its fallback and the URL of its webhooks", async () => {
    const service = createFake();
    const webhookUrl = "https://example.com/webhooks/7";
    service.advance({ minutes: 5 });
    const { transactionId } = await rcsOf(service).sendRcsText({ ...rcsText, webhookUrl });
    expect(service.sends).toEqual([
      {
        transactionId,
        at: "2026-01-01T00:05:00.000Z",
        phoneNumber: PHONE,
        webhookUrl,
        text: rcsText.rcsPayload.text,
        smsFailover: rcsText.smsFailover,
      },
    ]);
  });

  test("a send reaches the phone in any format of its number", async () => {
    const service = createFake();
    const rcs = rcsOf(service, { validateRequests: false });
    for (const phoneNumber of ["(206) 555-0123", "1-206-555-0123", "tel:+1-206-555-0123"]) {
      await rcs.sendRcsText({ ...rcsText, phoneNumber });
    }
    expect(service.requests.map(({ body }) => (body as typeof rcsText).phoneNumber)).toEqual([
      "(206) 555-0123",
      "1-206-555-0123",
      "tel:+1-206-555-0123",
    ]);
    expect(service.outbox.map(({ to }) => to)).toEqual([PHONE, PHONE, PHONE]);
  });
});

test("setRcsReachable(false) sends the SMS fallback instead of RCS", async () => {
  const service = createFake();
  service.setRcsReachable("(206) 555-0123", false);
  const text = await rcsOf(service).sendRcsText(rcsText);
  const file = await rcsOf(service).sendRcsFile(rcsFile);
  const fallback = {
    at: NEW_YEAR,
    to: PHONE,
    channel: "sms",
    text: rcsText.smsFailover,
    cause: "smsFailover",
  };
  expect(service.outbox).toEqual([
    {
      ...fallback,
      transactionId: text.transactionId,
      fallbackOf: { text: rcsText.rcsPayload.text },
    },
    {
      ...fallback,
      transactionId: file.transactionId,
      fallbackOf: { file: rcsFile.rcsPayload.file.url },
    },
  ]);
});

describe("hosted files", () => {
  const send = async (file: { contentType: string; size?: number } | undefined, path: string) => {
    const service = createFake();
    const url = `https://example.com/${path}`;
    if (file) service.hostFile(url, file);
    const rcs = rcsOf(service, { validateRequests: false });
    return rcs
      .sendRcsFile({ ...rcsFile, rcsPayload: { file: { url } } })
      .then(({ message }) => message)
      .catch(({ errors }) => errors);
  };
  const path = ["rcsPayload", "file", "url"];

  test.each([
    ["image/png", undefined, "a"],
    ["IMAGE/PNG; charset=binary", 10, "a"],
    ["application/pdf", 104_857_600, "menu.docx"],
  ])("a hosted file of type %s with %s bytes at /%s is accepted", async (contentType, size, at) => {
    const file = size === undefined ? { contentType } : { contentType, size };
    expect(await send(file, at)).toMatch(/accepted/);
  });

  test("the content type of a hosted file is checked instead of its extension", async () => {
    expect(await send({ contentType: "text/html" }, "menu.pdf")).toMatchObject([
      { path, message: expect.stringContaining("text/html") },
    ]);
  });

  test("a hosted file of more than 100 MB is refused", async () => {
    const file = { contentType: "image/png", size: 104_857_601 };
    expect(await send(file, "a.png")).toMatchObject([
      { code: "too_big", path, maximum: 104_857_600, inclusive: true },
    ]);
  });

  test.each(["menu.pdf", "menu", "menu.docx"])(
    "a file at /%s of an unknown host is accepted",
    async (at) => {
      expect(await send(undefined, at)).toMatch(/accepted/);
    },
  );
});
