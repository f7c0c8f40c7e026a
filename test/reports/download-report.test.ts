// Downloads from a host on loopback: the file, its link, redirects, and responses that do not contain the file.
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { FetchOption } from "../../src/core/transport/transport.ts";
import {
  ApiError,
  ConnectionError,
  NotFoundError,
  PermissionDeniedError,
  ResponseValidationError,
  ServerError,
  ValidationError,
} from "../../src/index.ts";
import {
  type DownloadedReport,
  type DownloadOptions,
  downloadReport,
} from "../../src/reports/index.ts";
import { errorOf, sleep } from "../support/calls.ts";
import { linkTo, SIGNATURE, serve } from "../support/servers/file-host.ts";
import {
  REFUSED_URL,
  resetAfterReading,
  respond,
  startLoopback,
} from "../support/servers/loopback.ts";
import { bytesOf, expectNoLink, FILE } from "./downloads.ts";

// The tests use real sockets and wait through ky's pauses, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

type Progress = Parameters<NonNullable<DownloadOptions["onProgress"]>>[0];

describe("downloadReport", () => {
  test("downloadReport returns the bytes of the file, its size and its content type", async () => {
    await using host = await startLoopback(serve(FILE));
    const file = await downloadReport({ s3_url: linkTo(host) });
    expect(file).toMatchObject({ contentType: "text/csv", size: FILE.length });
    expect((await bytesOf(file)).equals(FILE)).toBe(true);
  });

  test("downloadReport sends no credential and no header of a client", async () => {
    await using host = await startLoopback(serve(FILE));
    await (await downloadReport({ s3_url: linkTo(host) })).body.cancel();
    const { headers, method, url } = host.onlyRequest();
    expect([method, url]).toEqual(["GET", `/reports/7.csv?${SIGNATURE}`]);
    for (const name of ["authorization", "x-api-key", "cookie", "referer", "content-type"]) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  test("downloadReport asks browsers to send no address of the page", async () => {
    const real = fetch;
    const policies: string[] = [];
    vi.stubGlobal("fetch", (input: RequestInfo, init: RequestInit) => {
      policies.push(new Request(input, init).referrerPolicy);
      return real(input, init);
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    await using host = await startLoopback(serve(FILE));
    await (await downloadReport({ s3_url: linkTo(host) })).bytes();
    expect(policies).toEqual(["no-referrer"]);
  });

  test("downloadReport reports its progress with the total", async () => {
    await using host = await startLoopback(serve(FILE));
    const told: Progress[] = [];
    const onProgress = (progress: Progress) => void told.push(progress);
    await bytesOf(await downloadReport({ s3_url: linkTo(host) }, { onProgress }));
    expect(told.at(-1)).toEqual({ received: FILE.length, total: FILE.length });
    expect(told.length).toBeGreaterThan(1);
    const received = told.map((progress) => progress.received);
    expect(received).toEqual(received.toSorted((a, b) => a - b));
  });

  const gzipped = gzipSync(FILE);
  const viaFetch = (url: string, init: RequestInit) => fetch(url, init);
  test.each<readonly [coding: string, body: Buffer]>([
    ["gzip", gzipped],
    ["GZIP", gzipped],
    ["x-gzip", gzipped],
    ["deflate", deflateSync(FILE)],
    ["br", brotliCompressSync(FILE)],
    ["gzip, br", brotliCompressSync(gzipped)],
    ["gzip,aws-chunked", gzipped],
    ["aws-chunked, gzip", gzipped],
    ["utf-8, gzip", gzipped],
    ["gzip, utf-8", gzipped],
  ])(
    "downloadReport requests an uncompressed file, and decodes a file that is stored with the coding %s",
    async (coding, body) => {
      const headers = { "content-encoding": coding };
      await using host = await startLoopback(serve(body, { headers }));
      for (const options of [{}, { fetch: viaFetch }]) {
        const told: Progress[] = [];
        const onProgress = (progress: Progress) => void told.push(progress);
        const file = await downloadReport({ s3_url: linkTo(host) }, { ...options, onProgress });
        expect(file).not.toHaveProperty("size");
        expect(FILE.equals(await file.bytes())).toBe(true);
        expect(told.at(-1)).toEqual({ received: FILE.length });
      }
      for (const { headers } of host.requests) expect(headers["accept-encoding"]).toBe("identity");
    },
  );

  test("in Deno, whose fetch decodes nothing after a request for identity alone, downloadReport also excludes every coding", async () => {
    vi.stubGlobal("Deno", {});
    onTestFinished(() => void vi.unstubAllGlobals());
    await using host = await startLoopback(serve(FILE));
    await (await downloadReport({ s3_url: linkTo(host) })).body.cancel();
    expect(host.onlyRequest().headers["accept-encoding"]).toBe("identity, *;q=0");
  });

  test.each(["utf-8", "UTF-8", "aws-chunked", "identity", "aws-chunked, utf-8", ""])(
    "downloadReport ignores the label %j, which is not a coding",
    async (label) => {
      const headers = { "content-encoding": label };
      await using host = await startLoopback(serve(FILE, { headers }));
      const file = await downloadReport({ s3_url: linkTo(host) });
      expect(file.size).toBe(FILE.length);
      expect(FILE.equals(await file.bytes())).toBe(true);
    },
  );

  test.each([
    ["x-gzip", "Deno"],
    ["GZIP", "workerd"],
    ["X-Gzip", "workerd"],
  ])(
    "downloadReport decodes a file labeled %s, which the fetch of %s does not decode",
    async (label) => {
      const headers = { "content-encoding": label, "content-length": `${gzipped.length}` };
      const given = async () => new Response(new Uint8Array(gzipped), { headers });
      const file = await downloadReport({ s3_url: "https://a.example.com/" }, { fetch: given });
      expect(file).not.toHaveProperty("size");
      expect(FILE.equals(await file.bytes())).toBe(true);
    },
  );

  test("downloadReport does not decode a file that the runtime has already decoded, despite its label", async () => {
    const headers = { "content-encoding": "gzip, utf-8", "content-length": "900000" };
    const given = async () => new Response("a,b", { headers });
    const file = await downloadReport({ s3_url: "https://a.example.com/" }, { fetch: given });
    expect(await file.text()).toBe("a,b");
  });

  test("downloadReport refuses a coding that fetch does not decode, and names it", async () => {
    const headers = { "content-encoding": "br, utf-8" };
    await using host = await startLoopback(serve(brotliCompressSync(FILE), { headers }));
    const error = await errorOf(downloadReport({ s3_url: linkTo(host) }));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error.message).toContain("labels its coding br in a way that `fetch` does not decode");
    expectNoLink(error);
  });

  test.each(["gzip", "gzip, aws-chunked", "utf-8", "br"])(
    "a file with the content encoding %s that is cut off fails, and bytes() requests it again",
    async (coding) => {
      const body = coding === "utf-8" ? FILE : coding === "br" ? brotliCompressSync(FILE) : gzipped;
      const headers = { "content-encoding": coding };
      await using host = await startLoopback(
        serve(body, { headers, pieces: [100_000, 1_000_000] }),
      );
      const file = await downloadReport({ s3_url: linkTo(host) });
      expect(FILE.equals(await file.bytes())).toBe(true);
      expect(host.requests).toHaveLength(2);
      await using other = await startLoopback(serve(body, { headers, pieces: [100_000] }));
      const error = await errorOf(bytesOf(await downloadReport({ s3_url: linkTo(other) })));
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error.message).toMatch(/^GET \{s3_url\}: the file broke off( \(\w+\))?$/);
    },
  );

  test("a labeled gzip file that is shorter than its host states fails, even if fetch does not detect it", async () => {
    const headers = {
      "content-encoding": "gzip, utf-8",
      "content-length": `${gzipped.length + 1}`,
    };
    const given = async () => new Response(gzipped, { headers });
    const file = await downloadReport(
      { s3_url: "https://a.example.com/" },
      { fetch: given, retry: 0 },
    );
    expect((await errorOf(file.bytes())).message).toBe("GET {s3_url}: the file broke off");
  });

  test("downloadReport returns an empty file", async () => {
    await using host = await startLoopback(serve(Buffer.alloc(0)));
    const file = await downloadReport({ s3_url: linkTo(host) });
    expect(file.size).toBe(0);
    expect(await file.text()).toBe("");
  });

  test("downloadReport returns a file whose host sends no length", async () => {
    await using host = await startLoopback(serve(FILE, { ending: "end without a length" }));
    const file = await downloadReport({ s3_url: linkTo(host) });
    expect(file).not.toHaveProperty("size");
    expect((await bytesOf(file)).equals(FILE)).toBe(true);
  });

  test("downloadReport reads no faster than its consumer", async () => {
    const large = Buffer.alloc(50_000_000);
    await using host = await startLoopback(serve(large));
    const told = vi.fn();
    const { body } = await downloadReport({ s3_url: linkTo(host) }, { onProgress: told });
    const reader = body.getReader();
    await reader.read();
    await sleep(200);
    expect(told).toHaveBeenCalledTimes(1);
    await reader.cancel();
  });

  test("downloadReport uses the fetch that it is given", async () => {
    await using host = await startLoopback(serve(FILE));
    const given = vi.fn((url: string, init: RequestInit) => fetch(url, init));
    await bytesOf(await downloadReport({ s3_url: linkTo(host) }, { fetch: given }));
    expect(given).toHaveBeenCalledTimes(1);
    expect(given.mock.calls[0]?.[1]).toMatchObject({ credentials: "omit", redirect: "manual" });
  });
});

describe("a file that breaks off", () => {
  test("bytes() requests the whole file again, and the bytes of both requests are not mixed", async () => {
    await using host = await startLoopback(serve(FILE, { pieces: [1000, 100_000, 1_000_000] }));
    const told: number[] = [];
    const onProgress = ({ received }: Progress) => void told.push(received);
    const file = await downloadReport({ s3_url: linkTo(host) }, { onProgress });
    expect(FILE.equals(await file.bytes())).toBe(true);
    expect(host.requests.map(({ headers }) => headers.range)).toEqual(Array(3).fill(undefined));
    expect(told.at(-1)).toBe(FILE.length);
  });

  test.each([
    ["bytes()", 3, (file: DownloadedReport) => file.bytes()],
    ["text()", 3, (file: DownloadedReport) => file.text()],
    ["body", 1, bytesOf],
  ])("%s fails after %d requests if each of them breaks off", async (_, requests, read) => {
    await using host = await startLoopback(serve(FILE, { pieces: [1000] }));
    const error = await errorOf(read(await downloadReport({ s3_url: linkTo(host) })));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ outcome: "not_sent" });
    expect(error.message).toContain("GET {s3_url}: the file broke off");
    expect(host.requests).toHaveLength(requests);
    expectNoLink(error);
  });

  test.each([
    ["a file that breaks off", [503, 200, 503]],
    ["a redirect", [503, 302, 503, 302, 503]],
  ])("downloadReport retries twice in all, before and after %s", async (_, statuses) => {
    let count = 0;
    await using host = await startLoopback((exchange) => {
      const status = statuses[count] ?? 503;
      count += 1;
      const headers = { "retry-after": "0", location: `/reports/${count}.csv` };
      const isFile = status === 200;
      return (isFile ? serve(FILE, { pieces: [1000] }) : respond(status, "", headers))(exchange);
    });
    const file = downloadReport({ s3_url: linkTo(host) });
    const error = await errorOf(file.then((found) => found.bytes()));
    expect(error).toMatchObject({ code: "server", status: 503 });
    expect(count).toBe(statuses.length);
  });

  test("a body that is shorter than its host states fails, even if the given fetch does not detect it", async () => {
    const fetch = async () => new Response("1234", { headers: { "content-length": "8" } });
    const file = await downloadReport({ s3_url: "https://a.example.com/" }, { fetch, retry: 0 });
    expect(await errorOf(file.bytes())).toMatchObject({ code: "connection" });
  });

  test("bytes() neither repeats a failure of onProgress, nor reads the rest of a body that was read before", async () => {
    await using host = await startLoopback(serve(FILE));
    const onProgress = vi.fn(() => Promise.reject(new Error("the disk is full")));
    const file = await downloadReport({ s3_url: linkTo(host) }, { onProgress });
    await expect(file.bytes()).rejects.toThrow("the disk is full");
    host.onlyRequest();
    const other = await downloadReport({ s3_url: linkTo(host) });
    const reader = other.body.getReader();
    await reader.read();
    reader.releaseLock();
    await expect(other.bytes()).rejects.toThrow("the body of this file has already been read");
    await other.body.cancel();
  });
});

describe("text() of a download", () => {
  const textOf = async (bytes: Uint8Array, contentType: string) => {
    await using host = await startLoopback(
      serve(Buffer.from(bytes), { headers: { "content-type": contentType } }),
    );
    return (await downloadReport({ s3_url: linkTo(host) })).text();
  };

  test.each([
    ["text/csv", Buffer.from("\ufeffJosé"), "José"],
    ["text/csv; charset=UTF-8", Buffer.from("José"), "José"],
    ['text/csv; header=present; charset="windows-1252"', Buffer.from("José", "latin1"), "José"],
    ["text/csv; charset='utf-8'", Buffer.from("José"), "José"],
    ["text/csv; charset=utf-16le", Buffer.from("\ufeffJosé", "utf16le"), "José"],
    ["text/csv; charset=UTF-16", Buffer.from("\ufeffJosé", "utf16le").swap16(), "José"],
  ])("text() decodes a file of type %s", async (contentType, bytes, text) => {
    expect(await textOf(bytes, contentType)).toBe(text);
  });

  test.each([
    ["text/csv", "not all of its 4 bytes are valid in UTF-8 (its host declares no charset)"],
    [
      "text/csv; charset=utf-8",
      'not all of its 4 bytes are valid in the charset "utf-8" that its host',
    ],
    ["text/csv; charset=ebcdic-us", 'this runtime cannot decode the charset "ebcdic-us" that its'],
  ])(
    "text() of bytes that are not valid %s rejects with an error that names charset and bytes",
    async (type, words) => {
      const error = await errorOf(textOf(Buffer.from("José", "latin1"), type));
      expect(error).toBeInstanceOf(ResponseValidationError);
      expect(error.message).toContain(words);
    },
  );

  test.each(["text/csv", "text/csv; charset=ebcdic-us"])(
    "text() of a file of type %s that it cannot decode leaves the bytes to bytes()",
    async (type) => {
      const bytes = Buffer.from("José", "latin1");
      await using host = await startLoopback(serve(bytes, { headers: { "content-type": type } }));
      const file = await downloadReport({ s3_url: linkTo(host) });
      const { message } = await errorOf(file.text());
      expect(bytes.equals(await file.bytes())).toBe(true);
      expect(await errorOf(file.text())).toMatchObject({ message });
      host.onlyRequest();
    },
  );

  test("text() that has returned the text leaves nothing to bytes()", async () => {
    await using host = await startLoopback(serve(Buffer.from("José")));
    const file = await downloadReport({ s3_url: linkTo(host) });
    expect(await file.text()).toBe("José");
    await expect(file.bytes()).rejects.toThrow("the body of this file has already been read");
  });
});

test("the error of text() for a file that is too long for a string says so, and does not mention the charset", async () => {
  vi.spyOn(TextDecoder.prototype, "decode").mockImplementationOnce(() => {
    throw Object.assign(new Error("too long"), { code: "ERR_STRING_TOO_LONG" });
  });
  const fetch = async () => new Response("text");
  const file = await downloadReport({ s3_url: "https://a.example.com/" }, { fetch });
  const error = await errorOf(file.text());
  expect(error.message).toMatch(
    /text: its 4 bytes are more than a string can hold: use bytes\(\)$/,
  );
  expect(await file.bytes()).toHaveLength(4);
});

test("a file whose body was read before is refused with an error that names the mistake of the given fetch", async () => {
  const used = new Response("text");
  await used.text();
  const call = downloadReport({ s3_url: "https://a.example.com/" }, { fetch: async () => used });
  const message = expect.stringContaining("returned a Response whose body was read before");
  expect(await errorOf(call)).toMatchObject({ code: "connection", isTransient: false, message });
});

test("a Response that has only text() is refused with an error that names what it lacks", async () => {
  // Its text may have been decoded with a charset other than that of the file.
  const fetch = vi.fn<FetchOption>(async () => {
    const headers = { get: () => null };
    return { ok: true, status: 200, headers, text: async () => "id" };
  });
  const error = await errorOf(downloadReport({ s3_url: "https://a.example.com/" }, { fetch }));
  expect(error).toMatchObject({ code: "connection", isTransient: false });
  expect(error.message).toMatch(
    /: `fetch` returned a Response without `body` and `arrayBuffer\(\)`$/,
  );
  expect(fetch).toHaveBeenCalledTimes(1);
});

describe("the link of downloadReport", () => {
  test.each([
    [
      null,
      "no file: wait until it is finished. A report that is cancelled or has run errors may get no file",
    ],
    ["", "must be an https URL"],
    ["reports/7.csv", "must be an https URL"],
    ["http://files.example.com/7.csv", "must be an https URL"],
    ["ftp://localhost/7.csv", "must be an https URL"],
    [7 as never, "must be an https URL"],
    ["https://user:word@files.example.com/7.csv", "must not have a user name or a password"],
  ])("downloadReport refuses the link %j before anything is sent", async (s3_url, words) => {
    const fetch = vi.fn();
    const error = await errorOf<ValidationError>(downloadReport({ s3_url }, { fetch }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ outcome: "not_sent", source: "client" });
    expect(error.errors).toMatchObject([{ path: ["s3_url"] }]);
    expect(error.message).toContain(words);
    if (s3_url) expect(error.message).not.toContain("files.example.com");
    expect(fetch).not.toHaveBeenCalled();
  });

  test("downloadReport fails after its retries if the host is unknown or refuses the connection, and the error hides the link", async () => {
    const s3_url = `${REFUSED_URL}/reports/7.csv?${SIGNATURE}`;
    const error = await errorOf(downloadReport({ s3_url }, { retry: 1 }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ outcome: "not_sent", endpoint: "GET {s3_url}" });
    expect(error.message).toBe("GET {s3_url}: the connection failed (ECONNREFUSED)");
    expect(error.cause).toBeUndefined();
    expectNoLink(error);
  });

  test.each([
    ["Bun's fetch", Object.assign(new Error("Unable to connect."), { code: "ConnectionRefused" })],
    ["node-fetch", Object.assign(new Error("request failed"), { code: "ECONNREFUSED" })],
    ["a fetch that throws no error", "the connection failed"],
  ])("downloadReport retries a failed connection of %s twice", async (_, thrown) => {
    const fetch = vi.fn(() => Promise.reject(thrown));
    const error = await errorOf(downloadReport({ s3_url: "https://a.example.com/" }, { fetch }));
    expect(error).toMatchObject({ code: "connection", outcome: "not_sent" });
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  test.each([
    ["an interruption by a framework", Object.assign(new Error("stopped"), { digest: "STOP" })],
    ["a mistake", new ReferenceError("fetcher is not defined")],
    ["an error of this package", new ConnectionError("the connection failed", "not_sent")],
  ])("downloadReport does not retry after %s", async (_, thrown) => {
    const fetch = vi.fn(() => Promise.reject(thrown));
    await errorOf(downloadReport({ s3_url: "https://a.example.com/" }, { fetch }));
    expect(fetch).toHaveBeenCalledOnce();
  });
});

describe("redirects of downloadReport", () => {
  const redirect = (location: string, status = 302) => respond(status, "", { location });

  test("downloadReport follows a redirect without credentials", async () => {
    await using second = await startLoopback(serve(FILE));
    await using first = await startLoopback(redirect(linkTo(second)));
    await using link = await startLoopback(redirect(`${first.baseUrl}/moved`, 307));
    const file = await downloadReport({ s3_url: linkTo(link) });
    expect((await bytesOf(file)).equals(FILE)).toBe(true);
    for (const { headers } of [...first.requests, ...second.requests]) {
      expect(headers).not.toHaveProperty("authorization");
      expect(headers).not.toHaveProperty("referer");
    }
  });

  test.each([
    ["https://files.example.com/a", "http://files.example.com/b"],
    ["https://files.example.com/a", "http://127.0.0.1/b"],
    ["http://127.0.0.1/a", "http://files.example.com/b"],
    ["https://files.example.com/a", "https://user:secret@files.example.com/b"],
  ])("downloadReport refuses a redirect from %s to %s", async (s3_url, location) => {
    const fetch = vi.fn(
      async (_url: string) => new Response(null, { status: 302, headers: { location } }),
    );
    const error = await errorOf(downloadReport({ s3_url }, { fetch }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error.message).toContain("must not redirect");
    expect(error.message).not.toContain("files.example.com");
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

describe("error statuses of the file's host", () => {
  test.each([
    [
      403,
      PermissionDeniedError,
      "rejected",
      /responded with 403: the link may have expired; retrieve/,
    ],
    [404, NotFoundError, "rejected", /responded with 404$/],
    [500, ServerError, "rejected", /responded with 500$/],
  ])(
    "a %d of the file's host gives an error that does not quote the host",
    async (status, type, outcome, words) => {
      const echo = `<Error><StringToSign>${SIGNATURE} /reports/7.csv</StringToSign></Error>`;
      await using host = await startLoopback(respond(status, echo, { "x-echo": SIGNATURE }));
      const error = await errorOf<ServerError>(
        downloadReport({ s3_url: linkTo(host) }, { retry: 0 }),
      );
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({ status, outcome, body: undefined });
      expect([...error.headers]).toEqual([]);
      expect(error.message).toMatch(words);
      expectNoLink(error);
    },
  );

  test.each([
    [206, ResponseValidationError, "not_sent", "responded with 206, not with the whole file"],
    [204, ResponseValidationError, "not_sent", "responded with 204, not with the whole file"],
    [202, ResponseValidationError, "not_sent", "responded with 202, not with the whole file"],
    [304, ApiError, "rejected", "responded with 304"],
    [300, ApiError, "rejected", "responded with 300"],
  ])(
    "a %d in response to the first request gives an error and no file",
    async (status, type, outcome, words) => {
      // Only a redirect is followed, and a 304 is none.
      const location = status === 304 ? { location: "https://files.example.com/" } : {};
      const range = { "content-range": "bytes 0-1/300000", etag: '"v1"', ...location };
      await using host = await startLoopback(({ response }) => {
        response.writeHead(status, range).end(status === 206 ? "id" : undefined);
      });
      const error = await errorOf<ApiError>(downloadReport({ s3_url: linkTo(host) }));
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({ status, outcome, body: undefined, endpoint: "GET {s3_url}" });
      expect(error.message).toContain(words);
      host.onlyRequest();
      expectNoLink(error);
    },
  );

  test("temporary error statuses of the file's host are retried", async () => {
    await using host = await startLoopback(respond(503), resetAfterReading, serve(FILE));
    const file = await downloadReport({ s3_url: linkTo(host) });
    expect((await bytesOf(file)).equals(FILE)).toBe(true);
    expect(host.requests).toHaveLength(3);
  });

  test("a download whose host asks to wait for more than a minute fails at once, and the error has the wait", async () => {
    await using host = await startLoopback(respond(429, "", { "retry-after": "61" }));
    const error = await errorOf(downloadReport({ s3_url: linkTo(host) }));
    expect(error).toMatchObject({ code: "rate_limit", retryAfterMs: 61_000 });
    host.onlyRequest();
  });

  const date = "Thu, 01 Jan 2026 00:00:00 GMT";
  test.each([408, 429, 500, 502, 503, 504])(
    "a download whose host asks for a wait is not repeated earlier after a %d, in each form of Retry-After",
    async (status) => {
      const forms: readonly (readonly [string, string])[][] = [
        [["retry-after", "2"]],
        [
          ["retry-after", "1.5"],
          ["retry-after", "2"],
        ],
        [
          ["retry-after", "2"],
          ["retry-after", "1"],
        ],
        [
          ["retry-after", "Thu, 01 Jan 2026 00:00:02 GMT"],
          ["date", date],
        ],
        [
          ["retry-after", "Thursday, 01-Jan-26 00:00:02 GMT"],
          ["date", date],
        ],
        [
          ["retry-after", "Thu Jan  1 00:00:02 2026"],
          ["date", date],
        ],
        [
          ["retry-after", "2"],
          ["ratelimit-reset", "40"],
        ],
      ];
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
      onTestFinished(() => void vi.useRealTimers());
      for (const headers of forms) {
        const asked: number[] = [];
        const begun = performance.now();
        const given = async () => {
          asked.push(Math.round(performance.now() - begun));
          if (asked.length > 1) return new Response("text");
          return new Response(null, {
            status,
            headers: new Headers(headers.map(([...pair]) => pair)),
          });
        };
        const download = downloadReport({ s3_url: "https://a.example.com/" }, { fetch: given });
        await vi.advanceTimersByTimeAsync(2_000);
        expect(await (await download).text()).toBe("text");
        expect(asked).toEqual([0, 2_000]);
      }
    },
  );

  test.each<Record<string, string>>([
    { "ratelimit-reset": "3" },
    { "x-ratelimit-reset": "3600" },
    { "x-ratelimit-retry-after": "30" },
    { "retry-after": "99999999999999" },
    { "retry-after": "soon", "ratelimit-reset": "30" },
  ])("a download with two retries waits less than a second, whatever %j says", async (headers) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    for (const status of [429, 503]) {
      const given = vi.fn(async () => new Response(null, { status, headers }));
      const failed = errorOf(
        downloadReport({ s3_url: "https://a.example.com/" }, { fetch: given }),
      );
      await vi.advanceTimersByTimeAsync(900);
      expect(await failed).toMatchObject({ status });
      expect(given).toHaveBeenCalledTimes(3);
    }
  });
});

describe("the code that the host of a file gives", () => {
  const refusing = async (status: number, type: string, body: string) => {
    await using host = await startLoopback(respond(status, body, { "content-type": type }));
    const error = await errorOf<ApiError>(downloadReport({ s3_url: linkTo(host) }, { retry: 0 }));
    expectNoLink(error);
    expect(error).toMatchObject({ status, body: undefined });
    return error.message.replace("GET {s3_url}: the host of the file responded with ", "");
  };
  const xml = (code: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>Request has expired</Message><Resource>/reports/7.csv</Resource></Error>`;
  const MAY = "the link may have expired; retrieve the report again";
  const HAS = "the link has expired; retrieve the report again";

  test.each([
    [403, "application/xml", xml("AccessDenied"), `403 (AccessDenied): ${MAY}`],
    [403, "application/xml", xml("RequestTimeTooSkewed"), `403 (RequestTimeTooSkewed): ${MAY}`],
    [400, "application/xml", xml("ExpiredToken"), `400 (ExpiredToken): ${HAS}`],
    [401, "application/xml", `\ufeff${xml("RequestExpired")}`, `401 (RequestExpired): ${HAS}`],
    [404, "application/xml", xml("NoSuchKey"), "404 (NoSuchKey)"],
    [503, "text/xml", xml("SlowDown"), "503 (SlowDown)"],
    [410, "application/json", '{"error":{"code":"LINK_EXPIRED"}}', `410 (LINK_EXPIRED): ${HAS}`],
    [400, "application/json", '{"code":"expired.link"}', `400 (expired.link): ${HAS}`],
    [403, "application/json", '{"error":"access_denied"}', `403 (access_denied): ${MAY}`],
    [403, "text/plain", '{"Code":"AccessDenied"}', `403 (AccessDenied): ${MAY}`],
    [404, "application/json", '{"error":"not found: /reports/7.csv"}', "404"],
    [403, "application/json", "null", `403: ${MAY}`],
    [403, "application/json", "[]", `403: ${MAY}`],
    [403, "application/xml", xml("/reports/7.csv"), `403: ${MAY}`],
    [404, "application/xml", xml("reports"), "404"],
    [404, "application/xml", xml("Signature"), "404"],
    [404, "application/xml", xml("A".repeat(65)), "404"],
    [404, "text/html", "<html><code>curl</code></html>", "404"],
  ])(
    "the error of a %d of type %s quotes the code of %j: %s",
    async (status, type, body, words) => {
      expect(await refusing(status, type, body)).toBe(words);
    },
  );
});

test.each([
  [{ stallTimeout: 0 }, "stallTimeout"],
  [{ stallTimeout: "1s" }, "stallTimeout"],
  [{ retry: -1 }, "retry"],
  [{ onProgress: true }, "onProgress"],
  [{ fetch: {} }, "fetch"],
  [{ signal: {} }, "signal"],
  [{ stallTimeouts: 5 }, "stallTimeouts"],
  [null, "options"],
])(
  "downloadReport rejects the invalid option %j with a TypeError that names it",
  async (options, name) => {
    const download = downloadReport({ s3_url: "https://a.example.com/" }, options as never);
    await expect(download).rejects.toThrow(TypeError);
    await expect(download).rejects.toThrow(`\`${name}\``);
  },
);
