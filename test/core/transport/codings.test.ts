// Unusual responses, read by `fetch` and by clients. A response that `fetch` can read never becomes "the connection failed".

import * as zlib from "node:zlib";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { ApiError } from "../../../src/index.ts";
import { clientsOf, errorOf, list, page } from "../../support/calls.ts";
import { CARRIERS } from "../../support/carriers.ts";
import { DISPATCHERS } from "../../support/dispatchers.ts";
import { flood, startLoopback } from "../../support/servers/loopback.ts";
import { startRaw } from "../../support/servers/raw-server.ts";

// Large enough that the decoder outputs it in several pieces.
const text = JSON.stringify({ ...page, lists: Array.from({ length: 300 }, () => list.list) });
const [first, second] = [text.slice(0, 1000), text.slice(1000)];
const gzip = gzipSync(text);
const broken = Buffer.from(gzip);
broken.writeUInt32LE(7, broken.length - 8);

/** Response bodies with their content codings. */
const BODIES: readonly (readonly [what: string, coding: string, body: Uint8Array])[] = [
  ["gzip", "gzip", gzip],
  ["gzip by its old name", "x-gzip", gzip],
  ["gzip in capitals", "GZIP", gzip],
  ["deflate", "deflate", deflateSync(text)],
  ["deflate without its header", "deflate", deflateRawSync(text)],
  ["brotli", "br", brotliCompressSync(text)],
  ["two codings", "gzip, br", brotliCompressSync(gzip)],
  ["a coding twice", "deflate,deflate", deflateRawSync(deflateSync(text))],
  ["no coding by its name", "identity", Buffer.from(text)],
  ["an unknown coding", "compress", Buffer.from(text)],
  ["an unknown coding beside a known one", "gzip, compress", gzip],
  ["an empty name", "", Buffer.from(text)],
  ["two members of gzip", "gzip", Buffer.concat([gzipSync(first), gzipSync(second)])],
  ["gzip, and zeros behind it", "gzip", Buffer.concat([gzip, Buffer.alloc(512)])],
  ["gzip, and other bytes behind it", "gzip", Buffer.concat([gzip, Buffer.from("more")])],
  ["gzip without its trailer", "gzip", gzip.subarray(0, -8)],
  ["gzip with half of its trailer", "gzip", gzip.subarray(0, -4)],
  ["half of gzip", "gzip", gzip.subarray(0, gzip.length / 2)],
  ["the header of gzip alone", "gzip", gzip.subarray(0, 5)],
  ["gzip with a wrong checksum", "gzip", broken],
  ["half of deflate", "deflate", deflateSync(text).subarray(0, -20)],
  ["half of brotli", "br", brotliCompressSync(text).subarray(0, -20)],
  ["text that is not gzip", "gzip", Buffer.from(text)],
  ["text that is not deflate", "deflate", Buffer.from(text)],
  ["text that is not brotli", "br", Buffer.from(text)],
  ...["gzip", "deflate", "br", "zstd"].map(
    (coding) => [`nothing in ${coding}`, coding, Buffer.alloc(0)] as const,
  ),
  ...("zstdCompressSync" in zlib
    ? ([
        ["zstd", "zstd", zlib.zstdCompressSync(text)],
        ["half of zstd", "zstd", zlib.zstdCompressSync(text).subarray(0, -20)],
        ["zstd in gzip", "zstd, gzip", gzipSync(zlib.zstdCompressSync(text))],
      ] as const)
    : []),
];
const FRAMINGS = ["a length", "chunks", "the end of the connection"] as const;

/** Starts a server that sends each response in one of the framings, with the body in two pieces. */
const startWith = (status: number, coding: string, body: Uint8Array, framing: string) =>
  startRaw((socket) => {
    const sizes = framing === "a length" ? `Content-Length: ${body.length}\r\n` : "";
    const chunked = framing === "chunks" ? "transfer-encoding: chunked\r\n" : "";
    socket.write(
      `HTTP/1.1 ${status} Odd\r\nconnection: close\r\nContent-Encoding: ${coding}\r\n${sizes}${chunked}\r\n`,
    );
    const half = Math.ceil(body.length / 2);
    const pieces = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
    const write = () => {
      const piece = pieces.shift();
      if (!piece) return socket.end(chunked ? "0\r\n\r\n" : "");
      if (chunked) socket.write(`${piece.length.toString(16)}\r\n`);
      socket.write(piece);
      if (chunked) socket.write("\r\n");
      return setTimeout(write, 3);
    };
    write();
  });

/** Reads a response with `fetch`. Returns the result in the form in which a client reports it. */
const endByFetch = async (url: string): Promise<unknown> => {
  try {
    const response = await fetch(url);
    const said = await response.text();
    if (!response.ok) return [response.status, said.slice(0, 100)];
    return said === "" ? undefined : JSON.parse(said);
  } catch (thrown) {
    return thrown instanceof SyntaxError ? "response_validation" : "connection";
  }
};

/** 100 megabytes that compress to a few bytes. */
const BOMB = gzipSync(Buffer.alloc(100_000_000, "x"), { level: constants.Z_BEST_COMPRESSION });

describe.each([...CARRIERS, ...DISPATCHERS])("carried by $carrier", ({ fetch }) => {
  const endByClient = async (baseUrl: string): Promise<unknown> => {
    const { v2 } = clientsOf({ baseUrl }, { fetch, retry: 0 });
    return v2.request({ method: "GET", path: "/any" }).catch((error: ApiError) => {
      const isStatus =
        error.code === "server" || error.code === "api" || error.code === "not_found";
      return isStatus ? [error.status, String(error.body).slice(0, 100)] : error.code;
    });
  };

  test.each(BODIES)("%s is read as fetch reads it", async (_, coding, body) => {
    for (const framing of FRAMINGS) {
      await using server = await startWith(200, coding, body, framing);
      const expected = await endByFetch(`${server.baseUrl}/any`);
      expect(await endByClient(server.baseUrl), framing).toEqual(expected);
    }
  });

  test.each([404, 503, 599, 600, 777, 999])(
    "a compressed %d is read as fetch reads it",
    async (status) => {
      const body = gzipSync("no such thing");
      await using server = await startWith(status, "gzip", body, "a length");
      expect(await endByFetch(server.baseUrl)).toEqual([status, "no such thing"]);
      expect(await endByClient(server.baseUrl)).toEqual([status, "no such thing"]);
    },
  );

  test("an error body of a few bytes that decompresses to 100 megabytes is not decompressed completely", async () => {
    await using server = await startWith(404, "gzip", BOMB, "a length");
    const before = process.memoryUsage().arrayBuffers;
    const error = await errorOf<ApiError>(clientsOf(server, { fetch }).v2.accounts.me());
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
    expect(error.body).toBe("x".repeat(65_536));
  });

  test("an endless body of a 205 and of a 404 does not keep its connection", async () => {
    for (const status of [205, 404]) {
      await using server = await startLoopback(flood(status, "x".repeat(1000)));
      await clientsOf(server, { fetch })
        .v2.accounts.me()
        .catch(() => {});
      await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
    }
  });
});
