// Files that break off, and continue with a further request.
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { ConnectionError, PermissionDeniedError } from "../../src/index.ts";
import { type DownloadProgress, downloadReport } from "../../src/reports/index.ts";
import { errorOf } from "../support/calls.ts";
import { type FileOptions, linkTo, serve } from "../support/servers/file-host.ts";
import { type Responder, respond, startLoopback } from "../support/servers/loopback.ts";
import { allOf, bytesOf, expectNoLink, FILE } from "./downloads.ts";

// Real sockets on a busy machine, and the pauses of ky.
vi.setConfig({ testTimeout: 60_000 });

describe("downloads of files that break off", () => {
  test("a file that breaks off continues at the exact byte, as long as bytes arrive", async () => {
    const pieces = [100_000, 50_000, 1, 70_000, 1_000_000];
    await using host = await startLoopback(serve(FILE, { pieces }));
    const told: DownloadProgress[] = [];
    const onProgress = (progress: DownloadProgress) => void told.push(progress);
    const file = await downloadReport({ s3_url: linkTo(host) }, { onProgress, retry: 1 });
    expect((await bytesOf(file)).equals(FILE)).toBe(true);
    const asked = host.requests.map(({ headers }) => [headers.range, headers["if-range"]]);
    expect(asked).toEqual([
      [undefined, undefined],
      ["bytes=100000-", '"v1"'],
      ["bytes=150000-", '"v1"'],
      ["bytes=150001-", '"v1"'],
      ["bytes=220001-", '"v1"'],
    ]);
    expect(told.at(-1)).toEqual({ received: FILE.length, total: FILE.length });
  });

  test("a file that breaks off continues by its date if there is no strong tag", async () => {
    const date = "Mon, 01 Jan 2026 00:00:00 GMT";
    const options = { pieces: [1000, FILE.length], tags: ['W/"v1"'], dates: [date] };
    await using host = await startLoopback(serve(FILE, options));
    const file = await downloadReport({ s3_url: linkTo(host) });
    expect((await bytesOf(file)).equals(FILE)).toBe(true);
    expect(host.requests[1]?.headers["if-range"]).toBe(date);
  });

  test("a file without a length that breaks off continues once a response states the length", async () => {
    const sends = (from: number, to: number): Responder => {
      return ({ response }) => {
        const range = { "content-range": `bytes ${from}-${to - 1}/${FILE.length}` };
        const status = from === 0 ? 200 : 206;
        response.writeHead(status, { etag: '"v1"', ...(from === 0 ? {} : range) });
        response.write(FILE.subarray(from, to), () => {
          // A chunked body without its end.
          if (from === 0) setTimeout(() => response.socket?.end(), 20);
          else response.end();
        });
      };
    };
    // The second rest is too short; only its `Content-Range` shows that.
    const rests = [sends(1000, 2000), sends(2000, FILE.length)];
    await using host = await startLoopback(sends(0, 1000), ...rests);
    const file = await downloadReport({ s3_url: linkTo(host) });
    expect(file).not.toHaveProperty("size");
    expect((await bytesOf(file)).equals(FILE)).toBe(true);
    expect(host.requests.map(({ headers }) => headers.range)).toEqual([
      undefined,
      "bytes=1000-",
      "bytes=2000-",
    ]);
  });

  const [monday, tuesday] = ["Mon, 05 Jan 2026 00:00:00 GMT", "Tue, 06 Jan 2026 00:00:00 GMT"];
  test.each<[string, FileOptions]>([
    ["tag", { tags: ['"v1"', '"v2"'] }],
    ["weak tag", { tags: ['W/"v1"', 'W/"v2"'], dates: [monday] }],
    ["tag, which is missing now", { tags: ['"v1"', ""] }],
    ["date", { tags: [""], dates: [monday, tuesday] }],
    ["date beside the same tag", { dates: [monday, tuesday] }],
  ])(
    "a file that breaks off fails if its host continues a version with a different %s",
    async (_, versions) => {
      const options = { pieces: [1000, FILE.length], ifRange: false, ...versions };
      await using host = await startLoopback(serve(FILE, options));
      const read = downloadReport({ s3_url: linkTo(host) }).then((file) => bytesOf(file));
      const error = await errorOf(read);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error.message).toBe(
        "GET {s3_url}: the file broke off, and its host now has a different version of it",
      );
      expect(host.requests).toHaveLength(2);
      expectNoLink(error);
    },
  );

  const changed = "Mon, 05 Jan 2026 00:00:00 GMT";
  const later = (seconds: number) => ({
    date: new Date(Date.parse(changed) + seconds * 1000).toUTCString(),
  });
  test.each<[string, FileOptions, requests: number, string]>([
    // The file may change again within the second of its date.
    ["whose date is that of the response", { headers: later(0) }, 1, "the file broke off"],
    ["whose date is after that of the response", { headers: later(-1) }, 1, "the file broke off"],
    ["whose host sends an invalid date", { headers: { date: "now" } }, 1, "the file broke off"],
    [
      "whose dates have two forms",
      { headers: later(3600), dates: ["Mon Jan  5 00:00:00 2026"] },
      1,
      "the file broke off",
    ],
    [
      "whose host ignores If-Range and omits the date of the rest",
      { headers: later(1), dates: [changed, ""], ifRange: false },
      2,
      "the file broke off, and its host does not say that the rest is of the same version",
    ],
    [
      "whose host ignores If-Range and has a later version",
      { headers: later(1), dates: [changed, later(1).date], ifRange: false },
      2,
      "the file broke off, and its host now has a different version of it",
    ],
  ])("a file without a tag, %s, fails if it breaks off", async (_, options, requests, problem) => {
    const served = { pieces: [1000, FILE.length], tags: [""], dates: [changed], ...options };
    await using host = await startLoopback(serve(FILE, served));
    const error = await errorOf(
      downloadReport({ s3_url: linkTo(host) }).then((download) => bytesOf(download)),
    );
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toContain(problem);
    if (requests === 2) expect(error.message).toBe(`GET {s3_url}: ${problem}`);
    expect(host.requests).toHaveLength(requests);
  });

  test("a file without a tag continues if its date is a second older than the response and the rest repeats it", async () => {
    const served = { pieces: [1000, FILE.length], tags: [""], dates: [changed], headers: later(1) };
    await using host = await startLoopback(serve(FILE, served));
    const file = await downloadReport({ s3_url: linkTo(host) });
    expect((await bytesOf(file)).equals(FILE)).toBe(true);
    expect(host.requests[1]?.headers["if-range"]).toBe(changed);
  });

  test.each([
    ["serves no ranges", { ranges: false }, 2],
    ["says that it serves no ranges", { headers: { "accept-ranges": "none" } }, 1],
    ["has replaced it in the meantime", { tags: ['"v1"', '"v2"'] }, 2],
    ["sends no version", { tags: [""] }, 1],
    ["sends only a weak tag", { tags: ['W/"v1"'] }, 1],
    ["compresses it", { headers: { "content-encoding": "gzip" } }, 1],
  ])("a file that breaks off fails if its host %s", async (_, options, requests) => {
    const file =
      "headers" in options && "content-encoding" in options.headers ? gzipSync(FILE) : FILE;
    await using host = await startLoopback(serve(file, { pieces: [100_000], ...options }));
    const error = await errorOf(
      downloadReport({ s3_url: linkTo(host) }).then((download) => bytesOf(download)),
    );
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ outcome: "not_sent" });
    expect(error.message).toContain("the file broke off");
    expect(host.requests).toHaveLength(requests);
    expectNoLink(error);
  });

  test.each([
    ["a range from a different byte", { "content-range": "bytes 99-299999/300000" }],
    ["the range of a file of a different size", { "content-range": "bytes 1000-399999/400000" }],
    ["no range", {}],
  ])("a file that breaks off fails if the rest has %s", async (_, headers) => {
    const rest = respond(206, "rest", headers);
    await using host = await startLoopback(serve(FILE, { pieces: [1000] }), rest);
    const error = await errorOf(
      downloadReport({ s3_url: linkTo(host) }).then((download) => bytesOf(download)),
    );
    expect(error.message).toContain("the file broke off, and its host cannot continue it");
  });

  test("a file that breaks off continues to its end in a browser if the host sends small ranges", async () => {
    const text = "0123456789";
    const ranges: [from: number, to: number][] = [
      [0, 4],
      [4, 6],
      [6, 10],
    ];
    const asked: unknown[] = [];
    const fetch = async (_url: string, { headers }: RequestInit) => {
      asked.push(new Headers(headers).get("range"));
      const [from, to] = ranges[asked.length - 1] ?? [0, 0];
      const body = new ReadableStream(
        {
          pull(controller) {
            controller.enqueue(Buffer.from(text.slice(from, to)));
            if (from > 0) controller.close();
            else controller.error(new TypeError("network error"));
          },
        },
        { highWaterMark: 0 },
      );
      const range = { "content-range": `bytes ${from}-${to - 1}/${text.length}` };
      const status = from === 0 ? 200 : 206;
      const response = new Response(body, {
        status,
        headers: { etag: '"v1"', "content-length": "10", ...(from === 0 ? {} : range) },
      });
      return Object.defineProperty(response, "type", { value: "cors" });
    };
    const file = await downloadReport({ s3_url: "https://files.example.com/a" }, { fetch });
    expect(await file.text()).toBe(text);
    expect(asked).toEqual([null, "bytes=4-", "bytes=6-"]);
  });

  test("a file that breaks off fails if no response states its size", async () => {
    const options = { etag: '"v1"' };
    await using host = await startLoopback(
      ({ response }) => {
        response.writeHead(200, options);
        response.write(FILE.subarray(0, 1000), () => {
          setTimeout(() => response.socket?.end(), 20);
        });
      },
      respond(206, "rest", { ...options, "content-range": "bytes 1000-1003/*" }),
    );
    const read = downloadReport({ s3_url: linkTo(host) }).then((file) => bytesOf(file));
    expect((await errorOf(read)).message).toContain("its host cannot continue it");
  });

  test("a file that breaks off fails if its host sends more than the rest", async () => {
    const range = `bytes 1000-${FILE.length - 1}/${FILE.length}`;
    const rest: Responder = ({ response }) => {
      response.writeHead(206, { etag: '"v1"', "content-range": range });
      response.end(Buffer.alloc(FILE.length));
    };
    await using host = await startLoopback(serve(FILE, { pieces: [1000] }), rest);
    const read = downloadReport({ s3_url: linkTo(host) }).then((file) => bytesOf(file));
    expect((await errorOf(read)).message).toContain("its host now has a different version of it");
  });

  test("a file that breaks off fails if a continuation brings no byte", async () => {
    await using host = await startLoopback(serve(FILE, { pieces: [1000, 0] }));
    const download = await downloadReport({ s3_url: linkTo(host) }, { retry: 2 });
    const error = await errorOf(bytesOf(download));
    expect(error.message).toContain("the file broke off");
    expect(host.requests).toHaveLength(1 + 2);
  });

  test("a file that breaks off fails if the caller's own fetch hides the missing bytes", async () => {
    const fetch = async () => new Response("short", { headers: { "content-length": "100" } });
    const s3_url = "https://files.example.com/a";
    const download = await downloadReport({ s3_url }, { fetch });
    expect((await errorOf(download.text())).message).toContain("the file broke off");
  });

  test("a file that breaks off fails if its link has expired in the meantime", async () => {
    await using host = await startLoopback(serve(FILE, { pieces: [1000] }), respond(403));
    const download = await downloadReport({ s3_url: linkTo(host) });
    const error = await errorOf(bytesOf(download));
    expect(error).toBeInstanceOf(PermissionDeniedError);
    expect(error.message).toContain("the link may have expired");
  });

  test("a file that breaks off also ends a loop over its rows with an error", async () => {
    const options = { pieces: [1000], ranges: false };
    await using host = await startLoopback(serve(Buffer.from("id,name\n".repeat(1000)), options));
    const { rows } = await downloadReport({ s3_url: linkTo(host) });
    expect(await errorOf(allOf(rows()))).toBeInstanceOf(ConnectionError);
  });
});
