import { describe, expect, test } from "vitest";
import { ValidationError } from "../../src/errors.ts";
import { buildRequest } from "../../src/http/build-request.ts";
import { sendRcsFile, sendRcsText } from "../../src/wire/transactional.ts";
import { transaction } from "../support/tables/response-fixtures.ts";

const withFile = (url: unknown) => ({
  phoneNumber: "(206) 555-0123",
  webhookUrl: "https://example.com/webhooks/messages",
  rcsPayload: { file: { url } },
  smsFailover: "Our menu",
});

/** Returns the paths of the issues for which the client refuses to send a file. */
const pathsOf = (body: object): string[] => {
  try {
    buildRequest(sendRcsFile as never, { body }, true);
    return [];
  } catch (error) {
    if (!ValidationError.is(error)) throw error;
    return error.errors.map(({ path }) => path.join("."));
  }
};

test.each([sendRcsText, sendRcsFile])(
  "the endpoint $id resolves to the whole body, which must contain a transactionId",
  (endpoint) => {
    const body = { ...transaction, a_new_field: 1 };
    expect(endpoint.unwrap(body as never)).toEqual(body);
    expect(endpoint.requiredFields).toEqual({ transactionId: "string" });
    expect(endpoint.wrap).toBeUndefined();
  },
);

describe("the extension of a file URL", () => {
  test.each([
    "https://example.com/menu.pdf",
    "https://example.com/photo.JPG?size=5",
    "https://example.com/voice.m4a",
    "https://example.com/clip.3gp",
    "https://example.com/clip.ogv",
    "https://example.com/menu",
    "https://example.com/menu.php",
  ])("a file URL without a content type is accepted: %s", (url) => {
    expect(pathsOf(withFile(url))).toEqual([]);
  });

  test.each([
    "https://example.com/menu.docx",
    "https://example.com/setup.EXE",
    "https://example.com/all.zip?as=menu.pdf",
    "https://example.com/photo.webp#.jpg",
  ])("a file URL without a content type is refused: %s", (url) => {
    expect(pathsOf(withFile(url))).toEqual(["rcsPayload.file.url"]);
  });

  test("the extension of a file URL is reported together with all other problems of the URL", () => {
    const path = "rcsPayload.file.url";
    expect(pathsOf(withFile("http://example.com/menu.docx"))).toEqual([path, path]);
  });
});
