import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  allowedContentTypes,
  contentTypeProblems,
  fileExtensionProblems,
  fileTypeProblems,
  hostedFileProblems,
  isAllowedContentType,
  maxFileBytes,
} from "../../../src/core/rules/content-type.ts";

/** The content types under "Limits" in the specification. */
const DOCUMENTED =
  "image/jpeg, image/jpg, image/gif, image/png, audio/aac, audio/mp3, audio/mpeg, audio/mpg, audio/mp4, " +
  "audio/mp4-latm, audio/3gpp, application/ogg, audio/ogg, video/h263, video/m4v, video/mp4, video/mpeg, " +
  "video/mpeg4, video/webm, application/pdf";

/**
 * Extensions of common types that are not allowed, from MDN's "Common media types" and the type tables of web servers,
 * without aliases and containers of allowed types.
 */
const COMMON_EXTENSIONS = (
  "avif bmp heic heif ico jp2 jxl psd svg svgz tif tiff webp " +
  "aif aiff amr au caf flac m3u m3u8 mid midi mka wav wma " +
  "asf avi flv mkv mov m2ts mts qt swf ts vob wmv " +
  "7z apk bat bz bz2 cab deb dmg exe gz iso jar msi pkg rar rpm sh tar tgz war xz zip zst " +
  "csv doc docm docx dot epub eml htm html ics key md mobi msg numbers odp ods odt pages pot pps ppt pptm pptx pub rtf " +
  "shtml tex txt vcf vsd xhtml xls xlsb xlsm xlsx xps " +
  "atom css eot geojson js json jsonld kml kmz mjs otf rss sql srt ttf vtt wasm webmanifest woff woff2 xml xsl yaml yml " +
  "dwg dxf glb obj stl usdz cer crt p12 pem pkpass torrent eps ps"
).split(" ");

test("the limits of files and texts are those of the specification", () => {
  expect([...allowedContentTypes].sort()).toEqual(DOCUMENTED.split(", ").sort());
  expect(maxFileBytes).toBe(100 * 1024 * 1024);
});

describe("isAllowedContentType", () => {
  test.each(DOCUMENTED.split(", "))(
    "the content type %s is allowed in any case and with any parameters",
    (type) => {
      expect(isAllowedContentType(type)).toBe(true);
      expect(isAllowedContentType(type.toUpperCase())).toBe(true);
      expect(isAllowedContentType(`${type}; charset=binary`)).toBe(true);
      expect(isAllowedContentType(` ${type} ;codecs="a, b"; x=y`)).toBe(true);
      expect([...contentTypeProblems(type)]).toEqual([]);
    },
  );

  test.each([
    "",
    "image",
    "image/",
    "image/webp",
    "image/svg+xml",
    "image/jpegx",
    "ximage/jpeg",
    "image/jpeg, image/png",
    "image / jpeg",
    "video/quicktime",
    "video/3gpp",
    "audio/wav",
    "text/html; charset=utf-8",
    "text/plain;image/png",
    "application/octet-stream",
    "application/zip",
    "*/*",
    "constructor",
  ])("the content type %j is not allowed", (type) => {
    expect(isAllowedContentType(type)).toBe(false);
    expect([...contentTypeProblems(type)]).toEqual([
      {
        code: "custom",
        message: expect.stringMatching(
          /^must be of an allowed content type \(image\/jpeg, .* is not$/,
        ),
      },
    ]);
  });

  test("the content type null, from a response without the header, is not allowed", () => {
    expect(isAllowedContentType(new Response().headers.get("content-type"))).toBe(false);
    expect(isAllowedContentType(null)).toBe(false);
  });

  test.each([null, 5, {}, ["image/png"]])(
    "the content type %j is refused because it is not a string",
    (value) => {
      expect(isAllowedContentType(value as never)).toBe(false);
      expect([...contentTypeProblems(value)]).toEqual([
        { code: "invalid_type", type: "string", message: "must be a string" },
      ]);
    },
  );

  test.each([
    ["", "an empty one is not"],
    ["; charset=utf-8", "an empty one is not"],
    ["Text/HTML; charset=utf-8", "text/html is not"],
    [`text/${"x".repeat(200)}`, `text/${"x".repeat(75)} is not`],
  ])("the message names the refused content type of %j", (contentType, expected) => {
    const [problem] = contentTypeProblems(contentType);
    expect(problem?.message).toContain(expected);
  });

  test("the message for a refused content type stays short, whatever its length", () => {
    for (const contentType of [
      `text/${"x".repeat(600_000)}`,
      `${"x ".repeat(300_000)}`,
      `${" ".repeat(600_000)}x`,
      `text/html${";".repeat(600_000)}`,
    ]) {
      const [problem] = contentTypeProblems(contentType);
      expect(problem?.message.length).toBeLessThan(600);
    }
  });

  test("the message for a refused content type shows no control characters and no stacked marks", () => {
    const [problem] = contentTypeProblems(`text/\u001B[31m\r\nx${"\u0301".repeat(300_000)}`);
    expect(problem?.message).toMatch(/: text\/\[31mx is not$/);
  });
});

describe("the extension in a file URL", () => {
  const problemsOf = (url: unknown) => [...fileExtensionProblems(url)];

  test("the extension of a URL that is too long is not reported, but its length is", () => {
    const start = "https://example.com/";
    const longest = `${start}${"a".repeat(1024 - start.length - 4)}.exe`;
    expect(longest).toHaveLength(1024);
    expect(problemsOf(longest)).toHaveLength(1);
    expect(problemsOf(longest.replace("a.exe", "aa.exe"))).toEqual([]);
  });

  test.each([
    ..."jpg jpeg gif png aac mp3 mp4 m4a m4v mpg mpeg pdf webm ogg opus h263".split(" "),
    // Aliases and containers of allowed types.
    ..."jpe jfif pjpeg apng adts mpga mp2 m4b m4p mp4v 3gp 3gpp 3g2 oga ogv ogx spx weba".split(
      " ",
    ),
    // Extensions that do not reveal what the host serves.
    ..."php asp aspx jsp cgi do bin bin2 v2 com net ai img".split(" "),
  ])("the extension .%s is left to the service", (extension) => {
    expect(problemsOf(`https://example.com/files/one.${extension}`)).toEqual([]);
    expect(problemsOf(`https://example.com/ONE.${extension.toUpperCase()}?x=y.exe#z.zip`)).toEqual(
      [],
    );
  });

  test.each(COMMON_EXTENSIONS)(
    "the extension .%s is refused, and the message explains how to send the file anyway",
    (extension) => {
      for (const url of [
        `https://example.com/files/one.${extension}`,
        `https://example.com/one.pdf.${extension.toUpperCase()}?as=one.pdf`,
      ]) {
        expect(problemsOf(url)).toEqual([{ code: "custom", message: expect.any(String) }]);
        const message = problemsOf(url)[0]?.message ?? "";
        expect(message).toContain(`a .${extension} file is not`);
        expect(message).toContain("pass the option `contentType`");
      }
    },
  );

  test.each([
    "https://example.com",
    "https://zip.example.zip",
    "https://example.com/files/",
    "https://example.com/zip",
    "https://example.com/one.zip/",
    "https://example.com/one.zip/view",
    "https://example.com/?file=one.zip",
    "https://example.com/#one.zip",
    "https://example.com/one.",
    "one.zip",
    "",
    undefined,
    null,
    5,
    {},
  ])("the URL %j has no extension that reveals a type", (url) => {
    expect(problemsOf(url)).toEqual([]);
  });
});

describe("the type of a message's file", () => {
  const message = (url: unknown) => ({ rcsPayload: { file: { url } } });

  test("a given content type is checked instead of the extension", () => {
    const docx = message("https://example.com/menu.docx");
    expect([...fileTypeProblems(docx, "application/pdf")]).toEqual([]);
    expect([...fileTypeProblems(docx, "text/html")]).toMatchObject([
      { code: "custom", path: ["contentType"] },
    ]);
    expect([...fileTypeProblems(docx, undefined)]).toMatchObject([
      { code: "custom", path: ["rcsPayload", "file", "url"] },
    ]);
  });

  test.each([undefined, null, 5, {}, { rcsPayload: null }, message(undefined), message(5)])(
    "a message without a URL has no extension: %j",
    (value) => {
      expect([...fileTypeProblems(value, undefined)]).toEqual([]);
    },
  );
});

describe("a file that its host describes", () => {
  test.each([
    { contentType: "application/pdf" },
    { contentType: "image/PNG; charset=binary", size: 0 },
    { contentType: "video/mp4", size: maxFileBytes },
    { contentType: "video/mp4", size: undefined },
  ])("a file with the description %j can be sent", (file) => {
    expect([...hostedFileProblems(file)]).toEqual([]);
  });

  test("a file that is one byte too large is refused", () => {
    const file = { contentType: "video/mp4", size: maxFileBytes + 1 };
    expect([...hostedFileProblems(file)]).toEqual([
      {
        code: "too_big",
        type: "number",
        maximum: 104_857_600,
        inclusive: true,
        exact: false,
        message: expect.stringContaining("at most 104857600 bytes, but this file has 104857601"),
      },
    ]);
  });

  test("every problem of a file is reported at once", () => {
    const file = { contentType: "text/html", size: Number.MAX_SAFE_INTEGER };
    expect([...hostedFileProblems(file)].map(({ code }) => code)).toEqual(["custom", "too_big"]);
  });
});

test("parameters and case never change whether a content type is allowed", () => {
  const type = fc.oneof(fc.constantFrom(...allowedContentTypes), fc.string());
  fc.assert(
    fc.property(type, fc.string(), (contentType, parameters) => {
      fc.pre(!contentType.includes(";"));
      const expected = isAllowedContentType(contentType);
      expect(isAllowedContentType(`${contentType};${parameters}`)).toBe(expected);
      expect(isAllowedContentType(contentType.toUpperCase())).toBe(expected);
    }),
  );
});
