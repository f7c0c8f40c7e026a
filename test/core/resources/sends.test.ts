import { describe, expect, test } from "vitest";
import { createFake, rcsFile, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";

const open = () => {
  const service = createFake();
  return { service, rcs: rcsOf(service) };
};

describe("sendRcsText", () => {
  test("sendRcsText sends the message, and resolves to its transaction", async () => {
    const { service, rcs } = open();
    const transaction = await rcs.sendRcsText(rcsText);
    expect(transaction).toEqual({
      message: expect.any(String),
      transactionId: service.outbox[0]?.transactionId,
    });
    expect(service.requests).toMatchObject([
      {
        method: "POST",
        path: "/transactional_messages/send_rcs_text",
        query: {},
        headers: {
          accept: "application/json",
          "content-type": "application/json",
          "x-api-key": "[redacted]",
        },
        body: rcsText,
      },
    ]);
  });

  test.each(["(206) 555-0123", "206.555.0123", "+1 206 555 0123", "tel:+1-206-555-0123"])(
    "sendRcsText sends %s as E.164",
    async (phoneNumber) => {
      const { service, rcs } = open();
      await rcs.sendRcsText({ ...rcsText, phoneNumber });
      expect(service.requests[0]?.body).toEqual(rcsText);
    },
  );

  test("sendRcsText sends texts verbatim", async () => {
    const { service, rcs } = open();
    const message = {
      ...rcsText,
      rcsPayload: { text: "  *Bold* “quotes”\n\n👩‍👩‍👧 " },
      smsFailover: "  {€5} \n",
    };
    await rcs.sendRcsText(message);
    expect(service.requests[0]?.body).toEqual(message);
    expect(service.outbox[0]?.text).toBe(message.rcsPayload.text);
  });

  test("sendRcsText rejects with an AuthenticationError for a wrong key", async () => {
    const { service } = open();
    await expect(rcsOf(service, { apiKey: "wrong" }).sendRcsText(rcsText)).rejects.toMatchObject({
      name: "AuthenticationError",
    });
    expect(service.outbox).toEqual([]);
  });
});

describe("sendRcsFile", () => {
  test("sendRcsFile sends the message, and resolves to its transaction", async () => {
    const { service, rcs } = open();
    const { transactionId } = await rcs.sendRcsFile(rcsFile);
    expect(service.requests).toMatchObject([
      { method: "POST", path: "/transactional_messages/send_rcs_file", body: rcsFile },
    ]);
    expect(service.outbox).toMatchObject([{ transactionId, file: rcsFile.rcsPayload.file.url }]);
  });

  const PDF = { contentType: "application/pdf" };

  const docx = { ...rcsFile, rcsPayload: { file: { url: "https://example.com/menu.docx" } } };

  test("sendRcsFile checks the contentType instead of the extension, and never sends it", async () => {
    const { service, rcs } = open();
    await rcs.sendRcsFile(docx, PDF);
    await rcs.sendRcsFile(docx, { contentType: "text/html", validateRequests: false });
    await expect(rcs.sendRcsFile(docx, { contentType: undefined })).rejects.toMatchObject({
      errors: [{ path: ["rcsPayload", "file", "url"] }],
    });
    expect(service.requests.map(({ body }) => body)).toEqual([docx, docx]);
  });

  test.each([
    ["text/html", "custom"],
    ["", "custom"],
    ["pdf", "custom"],
    [5, "invalid_type"],
    [null, "invalid_type"],
    [["image/png"], "invalid_type"],
  ])("sendRcsFile refuses the contentType %j beside every other issue", async (given, code) => {
    const { service, rcs } = open();
    const message = { ...rcsFile, phoneNumber: "911" };
    await expect(rcs.sendRcsFile(message, { contentType: given as string })).rejects.toMatchObject({
      source: "client",
      outcome: "not_sent",
      errors: [{ path: ["phoneNumber"] }, { code, path: ["contentType"] }],
    });
    expect(service.requests).toEqual([]);
  });
});

describe("both sends", () => {
  test("both sends keep undocumented keys", async () => {
    const { service, rcs } = open();
    const extra = { campaign: "spring" };
    await rcs.sendRcsText({ ...rcsText, ...extra } as typeof rcsText);
    await rcs.sendRcsFile({ ...rcsFile, ...extra } as typeof rcsFile);
    expect(service.requests).toMatchObject([{ body: extra }, { body: extra }]);
  });

  test("both sends do not change the caller's message", async () => {
    const { rcs } = open();
    const message = Object.freeze({ ...rcsText, phoneNumber: "(206) 555-0123" });
    await rcs.sendRcsText(message);
    expect(message.phoneNumber).toBe("(206) 555-0123");
  });
});

test.each(["sendRcsText", "sendRcsFile"] as const)(
  "%s with a text as its second argument rejects with an error that asks for one message, and sends nothing",
  async (method) => {
    const { service, rcs } = open();
    const send = rcs[method] as (...args: readonly unknown[]) => Promise<unknown>;
    await expect(send("+12065550123", "Hi")).rejects.toThrow(
      new TypeError(
        "the second argument is a text: pass one message, { phoneNumber, webhookUrl, rcsPayload, smsFailover }, and its options",
      ),
    );
    expect(service.requests).toEqual([]);
  },
);
