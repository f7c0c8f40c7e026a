import { describe, expect, test } from "vitest";
import type { EndpointInput } from "../../src/wire/endpoint.ts";
import { sendRcsFile, sendRcsText } from "../../src/wire/transactional.ts";
import { transaction } from "../support/response-fixtures.ts";

const withFile = (url: unknown) => ({ rcsPayload: { file: { url } } });

const refine = (input: EndpointInput, validate = true) => [
  ...(sendRcsFile.refine?.(input, validate) ?? []),
];
const pathsOf = (input: EndpointInput) => refine(input).map(({ path }) => path.join("."));

test.each([sendRcsText, sendRcsFile])(
  "$id resolves to the whole acceptance, proved by its id",
  (endpoint) => {
    const body = { ...transaction, a_new_field: 1 };
    expect(endpoint.unwrap(body as never)).toEqual(body);
    expect(endpoint.requiredFields).toEqual({ transactionId: "string" });
    expect(endpoint.wrap).toBeUndefined();
  },
);

describe("the content type that the caller tells", () => {
  test.each(["application/pdf", "IMAGE/PNG; charset=binary"])("%s passes", (contentType) => {
    expect(refine({ body: withFile("https://example.com/menu.pdf"), contentType })).toEqual([]);
  });

  test.each(["application/zip", "", 5, null])("%j is refused", (contentType) => {
    const body = withFile("https://example.com/menu.pdf");
    expect(pathsOf({ body, contentType: contentType as string })).toEqual(["contentType"]);
  });

  test("goes before what the extension says", () => {
    const body = withFile("https://example.com/menu.docx");
    expect(refine({ body, contentType: "application/pdf" })).toEqual([]);
    expect(pathsOf({ body, contentType: "application/zip" })).toEqual(["contentType"]);
  });
});

describe("the extension of the URL, where the caller tells nothing", () => {
  test.each([
    "https://example.com/menu.pdf",
    "https://example.com/photo.JPG?size=5",
    "https://example.com/voice.m4a",
    "https://example.com/clip.3gp",
    "https://example.com/clip.ogv",
    "https://example.com/menu",
    "https://example.com/menu.php",
  ])("%s passes", (url) => {
    expect(refine({ body: withFile(url) })).toEqual([]);
    expect(refine({ body: withFile(url), contentType: undefined })).toEqual([]);
  });

  test.each([
    "https://example.com/menu.docx",
    "https://example.com/setup.EXE",
    "https://example.com/all.zip?as=menu.pdf",
    "https://example.com/photo.webp#.jpg",
  ])("%s is refused", (url) => {
    expect(pathsOf({ body: withFile(url) })).toEqual(["rcsPayload.file.url"]);
  });

  test.each([
    undefined,
    null,
    5,
    "body",
    {},
    { rcsPayload: null },
    { rcsPayload: { file: 5 } },
    withFile(5),
  ])("a body of another shape is the schema's business: %j", (body) => {
    expect(refine({ body })).toEqual([]);
  });
});

test("who turned the rules off is not held to these either", () => {
  const body = withFile("https://example.com/menu.docx");
  expect(refine({ body }, false)).toEqual([]);
  expect(refine({ body, contentType: "application/zip" }, false)).toEqual([]);
});
