// Files in the charset that their host declares, or that their byte order mark shows.
import { describe, expect, test } from "vitest";
import { ResponseValidationError } from "../../src/index.ts";
import { downloadReport } from "../../src/reports/index.ts";
import { errorOf } from "../support/calls.ts";
import { linkTo, serve } from "../support/servers/file-host.ts";
import { startLoopback } from "../support/servers/loopback.ts";
import { allOf, expectNoLink } from "./downloads.ts";

const bytes = (...values: readonly number[]) => Buffer.from(values);
const utf16 = (text: string) => Buffer.from(text, "utf16le");
const utf16be = (text: string) => utf16(text).swap16();

/** Downloads a file that arrives in chunks, from a host that states its content type. */
const download = (chunks: readonly Uint8Array[], contentType?: string) => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const headers = contentType === undefined ? undefined : { "content-type": contentType };
  const fetch = async () => new Response(body, headers ? { headers } : {});
  return downloadReport({ s3_url: "https://files.example.com/a" }, { fetch });
};

describe("files in a charset", () => {
  const CSV = "id,name\n1,José €\n";
  test.each<[contentType: string | undefined, file: Buffer, text: string]>([
    [undefined, Buffer.from(CSV), CSV],
    ["text/csv", Buffer.from(CSV), CSV],
    ["text/csv; charset=utf-8", Buffer.from(`\uFEFF${CSV}`), CSV],
    ["text/csv; charset=windows-1252", Buffer.from("1,Jos\xE9 \x80\n", "latin1"), "1,José €\n"],
    ['text/csv; header=present; Charset="ISO-8859-1"', Buffer.from("Jos\xE9", "latin1"), "José"],
    ["text/csv;charset=macintosh", bytes(0x4a, 0x6f, 0x73, 0x8e), "José"],
    ["text/csv; charset=shift_jis", bytes(0x93, 0xfa, 0x96, 0x7b), "日本"],
    ["text/csv; charset=utf-16", utf16(`\uFEFF${CSV}`), CSV],
    ["text/csv; charset=utf-16", utf16be(`\uFEFF${CSV}`), CSV],
    ["text/csv; charset=utf-16le", utf16(CSV), CSV],
    ["text/csv; charset=utf-16be", utf16be(CSV), CSV],
    // A mark decides, as in browsers.
    ["text/csv", utf16(`\uFEFF${CSV}`), CSV],
    ["text/csv", utf16be(`\uFEFF${CSV}`), CSV],
    ["text/csv; charset=utf-8", utf16(`\uFEFF${CSV}`), CSV],
    ["text/csv; charset=iso-8859-1", Buffer.from(`\uFEFF${CSV}`), CSV],
    ["text/csv; charset=", Buffer.from(CSV), CSV],
    // U+FFFD that the file itself has
    ["text/csv", Buffer.from("Jos\uFFFD"), "Jos\uFFFD"],
    ["text/csv", Buffer.alloc(0), ""],
    ["text/csv", Buffer.from("a"), "a"],
    ["text/csv", bytes(0xef, 0xbb, 0xbf), ""],
    ["text/csv", bytes(0xff, 0xfe), ""],
    ["text/csv", Buffer.from("é"), "é"],
  ])(
    "a file of the content type %j is decoded, however it arrives: case %#",
    async (type, file, text) => {
      const oneByOne = Array.from(file, (byte) => bytes(byte));
      for (const chunks of [
        [file],
        oneByOne,
        [bytes(), ...oneByOne.slice(0, 1), file.subarray(1)],
      ]) {
        expect(await (await download(chunks, type)).text()).toBe(text);
        const rows = text
          .split("\n")
          .filter(Boolean)
          .map((row) => row.split(","));
        expect(await allOf((await download(chunks, type)).rows())).toEqual(rows);
      }
    },
  );

  test("a file of a host that declares windows-1252 is decoded", async () => {
    const headers = { "content-type": "text/csv; charset=windows-1252" };
    await using host = await startLoopback(serve(Buffer.from("Jos\xE9", "latin1"), { headers }));
    expect(await (await downloadReport({ s3_url: linkTo(host) })).text()).toBe("José");
  });
});

describe("files that cannot be decoded", () => {
  test.each<[contentType: string | undefined, file: Buffer, problem: string]>([
    [
      "text/csv",
      Buffer.from("1,Jos\xE9\n", "latin1"),
      "not all bytes from 0 to 7 are of UTF-8 (its host declares no charset)",
    ],
    [
      "text/csv; charset=UTF-8",
      Buffer.from("1,Jos\xE9\n", "latin1"),
      'not all bytes from 0 to 7 are of the charset "UTF-8" that its host declares',
    ],
    // Cut inside a character
    [
      undefined,
      Buffer.from("Jos\u00E9").subarray(0, -1),
      "it ends inside a character of UTF-8 (its host declares no charset)",
    ],
    [
      "text/csv",
      Buffer.concat([utf16("\uFEFFab"), bytes(0x00)]),
      'it ends inside a character of the charset "utf-16le" of its byte order mark',
    ],
    [
      "text/csv; charset=utf-7",
      Buffer.from("Jos+AOk-"),
      'this runtime cannot decode the charset "utf-7" that its host declares',
    ],
    [
      "text/csv; charset=utf-32",
      bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0),
      'this runtime cannot decode the charset "utf-32" that its host declares',
    ],
    [
      "text/csv",
      bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0),
      'this runtime cannot decode the charset "utf-32le" of its byte order mark',
    ],
    [
      "text/csv",
      bytes(0, 0, 0xfe, 0xff, 0, 0, 0, 0x61),
      'this runtime cannot decode the charset "utf-32be" of its byte order mark',
    ],
    [
      `text/csv; charset=x\u0007"${"y".repeat(600)}`.replace("\u0007", "\u00E9"),
      Buffer.from("a"),
      'this runtime cannot decode the charset "x" that its host declares',
    ],
    [
      `text/csv; charset=${"y".repeat(600)}`,
      Buffer.from("a"),
      `this runtime cannot decode the charset "${"y".repeat(40)}" that its host declares`,
    ],
  ])(
    "a file of the content type %j fails with the bytes and the charset: case %#",
    async (type, file, problem) => {
      const calls = [
        async () => (await download([file], type)).text(),
        async () => allOf((await download([file], type)).rows()),
      ];
      for (const call of calls) {
        const error = await errorOf<ResponseValidationError>(call());
        expect(error).toBeInstanceOf(ResponseValidationError);
        expect(error).toMatchObject({ status: 200, outcome: "not_sent", body: undefined });
        expect(error.message).toBe(`GET {s3_url}: the file cannot be read as text: ${problem}`);
      }
    },
  );

  test("a file that cannot be decoded closes its connection, and its error does not show the link", async () => {
    const headers = { "content-type": "text/csv; charset=utf-7" };
    const options = { headers, pieces: [1000], ending: "stall" } as const;
    await using host = await startLoopback(serve(Buffer.alloc(300_000, "a"), options));
    const { rows } = await downloadReport({ s3_url: linkTo(host) });
    const error = await errorOf(allOf(rows()));
    expect(error.message).toContain('the charset "utf-7"');
    expectNoLink(error);
    await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
  });

  test("a file that cannot be decoded can be read as bytes", async () => {
    const { body } = await download([bytes(0xe9)], "text/csv");
    expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(new Uint8Array([0xe9]));
  });

  test("a file that was read once cannot be read again as an empty one", async () => {
    const file = await download([Buffer.from("a")]);
    await file.text();
    await expect(file.text()).rejects.toThrow(TypeError);
    await expect(allOf(file.rows())).rejects.toThrow(TypeError);
  });
});
