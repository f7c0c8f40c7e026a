import { randomBytes } from "node:crypto";
import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import {
  AbortError,
  ConnectionError,
  NotFoundError,
  PermissionDeniedError,
  ServerError,
  TimeoutError,
  ValidationError,
} from "../../src/index.ts";
import { type DownloadProgress, downloadReport } from "../../src/reports/index.ts";
import { errorOf, sleep } from "../support/calls.ts";
import {
  hang,
  refusedUrl,
  resetAfterReading,
  resetBeforeReading,
  respond,
  startLoopback,
} from "../support/servers/loopback.ts";
import { linkTo, SIGNATURE, serve } from "./file-host.ts";

// Real sockets on a busy machine, and the pauses of ky.
vi.setConfig({ testTimeout: 60_000 });

const FILE = randomBytes(300_000);
const SECRETS = [SIGNATURE, "5f3a9c71e2d4b806", "/reports/7.csv"];

const bytesOf = async ({ body }: { readonly body: ReadableStream<Uint8Array> }) =>
  Buffer.from(await new Response(body).arrayBuffer());

const allOf = async (rows: AsyncIterable<string[]>): Promise<string[][]> => {
  const all: string[][] = [];
  for await (const row of rows) all.push(row);
  return all;
};

const expectNoLink = (error: unknown) => {
  const shown = inspect(error, { depth: null, showHidden: true, getters: true });
  for (const secret of SECRETS) {
    expect(shown).not.toContain(secret);
    expect(JSON.stringify(error)).not.toContain(secret);
  }
};

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

  test("downloadReport reads the body as a string, and as rows of CSV", async () => {
    const csv = Buffer.from('\ufeffid,name\r\n1,"Ann ""A"", O’Neill"\r\n2,\r\n');
    await using host = await startLoopback(serve(csv));
    const text = await (await downloadReport({ s3_url: linkTo(host) })).text();
    expect(text).toBe(csv.toString().slice(1));
    const rows = await allOf((await downloadReport({ s3_url: linkTo(host) })).rows());
    expect(rows).toEqual([
      ["id", "name"],
      ["1", 'Ann "A", O’Neill'],
      ["2", ""],
    ]);
  });

  test("downloadReport reports its progress, with the total", async () => {
    await using host = await startLoopback(serve(FILE));
    const told: DownloadProgress[] = [];
    const onProgress = (progress: DownloadProgress) => void told.push(progress);
    await bytesOf(await downloadReport({ s3_url: linkTo(host) }, { onProgress }));
    expect(told.at(-1)).toEqual({ received: FILE.length, total: FILE.length });
    expect(told.length).toBeGreaterThan(1);
    expect(told.map(({ received }) => received)).toEqual(
      told.map(({ received }) => received).toSorted((a, b) => a - b),
    );
  });

  test("downloadReport reports the progress of a compressed file without a total, and decompresses it", async () => {
    const text = Buffer.from("id,status\n".repeat(50_000));
    const headers = { "content-encoding": "gzip" };
    await using host = await startLoopback(serve(gzipSync(text), { headers }));
    const told: DownloadProgress[] = [];
    const onProgress = (progress: DownloadProgress) => void told.push(progress);
    const file = await downloadReport({ s3_url: linkTo(host) }, { onProgress });
    expect(file).not.toHaveProperty("size");
    expect((await bytesOf(file)).equals(text)).toBe(true);
    expect(told.at(-1)).toEqual({ received: text.length });
  });

  test("downloadReport returns an empty file", async () => {
    await using host = await startLoopback(serve(Buffer.alloc(0)));
    const file = await downloadReport({ s3_url: linkTo(host) });
    expect(file.size).toBe(0);
    expect(await file.text()).toBe("");
  });

  test("downloadReport returns a file whose host states no length", async () => {
    await using host = await startLoopback(serve(FILE, { ending: "end without a length" }));
    const file = await downloadReport({ s3_url: linkTo(host) });
    expect(file).not.toHaveProperty("size");
    expect((await bytesOf(file)).equals(FILE)).toBe(true);
  });

  test("downloadReport reads no faster than its reader", async () => {
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

  test("downloadReport uses the fetch that is given", async () => {
    await using host = await startLoopback(serve(FILE));
    const given = vi.fn((url: string, init: RequestInit) => fetch(url, init));
    await bytesOf(await downloadReport({ s3_url: linkTo(host) }, { fetch: given }));
    expect(given).toHaveBeenCalledTimes(1);
    expect(given.mock.calls[0]?.[1]).toMatchObject({ credentials: "omit", redirect: "manual" });
  });
});

describe("a link", () => {
  test.each([
    [null, "the report has no file yet"],
    ["", "must be an https URL"],
    ["reports/7.csv", "must be an https URL"],
    ["http://files.example.com/7.csv", "must be an https URL"],
    ["ftp://files.example.com/7.csv", "must be an https URL"],
    [7 as never, "must be an https URL"],
    ["https://user:word@files.example.com/7.csv", "must have no user name and no password"],
  ])("a link that is %j is refused before anything is sent", async (s3_url, words) => {
    const fetch = vi.fn();
    const error = await errorOf<ValidationError>(downloadReport({ s3_url }, { fetch }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ outcome: "not_sent", source: "client" });
    expect(error.errors).toMatchObject([{ path: ["s3_url"] }]);
    expect(error.message).toContain(words);
    if (s3_url) expect(error.message).not.toContain("files.example.com");
    expect(fetch).not.toHaveBeenCalled();
  });

  test("a link whose host is unknown or refuses the connection fails after its retries, without the link in the error", async () => {
    const s3_url = `${await refusedUrl()}/reports/7.csv?${SIGNATURE}`;
    const error = await errorOf(downloadReport({ s3_url }, { retry: 1 }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ outcome: "not_sent", endpoint: "GET {s3_url}" });
    expect(error.message).toBe("GET {s3_url}: the connection failed (ECONNREFUSED)");
    expect(error.cause).toBeUndefined();
    expectNoLink(error);
  });
});

describe("a redirect", () => {
  const redirect = (location: string, status = 302) => respond(status, "", { location });

  test("a redirect is followed without credentials", async () => {
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

  test("a redirect may be relative", async () => {
    await using host = await startLoopback(redirect("/elsewhere.csv"), serve(FILE));
    await bytesOf(await downloadReport({ s3_url: linkTo(host) }));
    expect(host.requests.map(({ url }) => url).at(-1)).toBe("/elsewhere.csv");
  });

  test.each([
    ["https://files.example.com/a", "http://files.example.com/b"],
    ["https://files.example.com/a", "http://127.0.0.1/b"],
    ["https://files.example.com/a", "ftp://files.example.com/b"],
    ["https://files.example.com/a", "https://[half"],
    ["http://127.0.0.1/a", "http://files.example.com/b"],
  ])("a redirect from %s to %s is refused", async (s3_url, location) => {
    const fetch = vi.fn(
      async (_url: string) => new Response(null, { status: 302, headers: { location } }),
    );
    const error = await errorOf(downloadReport({ s3_url }, { fetch }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error.message).toContain("must not redirect");
    expect(error.message).not.toContain("files.example.com");
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test("a redirect within https is followed, five times at most", async () => {
    const targets: string[] = [];
    const fetch = async (url: string) => {
      targets.push(url);
      const location = `https://cdn${targets.length}.example.com/a`;
      return new Response(null, { status: 302, headers: { location } });
    };
    const s3_url = "https://files.example.com/a";
    const error = await errorOf(downloadReport({ s3_url }, { fetch }));
    expect(error.message).toContain("must not redirect more than 5 times");
    expect(targets).toHaveLength(6);
  });

  test("a redirect that a browser hides is followed by the browser", async () => {
    const fetch = async (_url: string, { redirect }: RequestInit) =>
      redirect === "manual"
        ? Object.defineProperty(new Response(null), "type", { value: "opaqueredirect" })
        : new Response("id");
    const file = await downloadReport({ s3_url: "https://files.example.com/a" }, { fetch });
    expect(await file.text()).toBe("id");
  });
});

describe("a status of the host outside 2xx", () => {
  test.each([
    [
      403,
      PermissionDeniedError,
      "rejected",
      /responded with 403: the link may have expired; retrieve/,
    ],
    [404, NotFoundError, "rejected", /responded with 404$/],
    [500, ServerError, "rejected", /responded with 500$/],
  ])("%d is an error without the words of the host", async (status, type, outcome, words) => {
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
  });

  test("a status of the host outside 2xx that may be temporary is retried", async () => {
    await using host = await startLoopback(respond(503), resetAfterReading, serve(FILE));
    const file = await downloadReport({ s3_url: linkTo(host) });
    expect((await bytesOf(file)).equals(FILE)).toBe(true);
    expect(host.requests).toHaveLength(3);
  });

  test("a status of the host outside 2xx that asks to wait for an hour fails at once, with that wait", async () => {
    await using host = await startLoopback(respond(429, "", { "retry-after": "3600" }));
    const error = await errorOf(downloadReport({ s3_url: linkTo(host) }));
    expect(error).toMatchObject({ code: "rate_limit", retryAfterMs: 3_600_000 });
    host.onlyRequest();
  });
});

describe("a file that breaks off", () => {
  test("a file that breaks off is continued at the exact byte, as often as bytes arrive", async () => {
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

  test("a file that breaks off is continued by its date if there is no strong tag", async () => {
    const headers = { "last-modified": "Mon, 01 Jan 2026 00:00:00 GMT" };
    const broken = serve(FILE, { pieces: [1000], tags: ['W/"v1"'], headers });
    const rest = serve(FILE, { tags: [headers["last-modified"]], headers });
    await using host = await startLoopback(broken, rest);
    const file = await downloadReport({ s3_url: linkTo(host) });
    expect((await bytesOf(file)).equals(FILE)).toBe(true);
    expect(host.requests[1]?.headers["if-range"]).toBe(headers["last-modified"]);
  });

  test.each([
    ["serves no ranges", { ranges: false }, 2],
    ["says that it serves no ranges", { headers: { "accept-ranges": "none" } }, 1],
    ["has another version of it by then", { tags: ['"v1"', '"v2"'] }, 2],
    ["does not tell its version", { tags: [""] }, 1],
    ["tells a weak tag only", { tags: ['W/"v1"'] }, 1],
    ["compresses it", { headers: { "content-encoding": "gzip" } }, 1],
  ])("a file that breaks off is an error if its host %s", async (_, options, requests) => {
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
    ["another byte", { "content-range": "bytes 99-299999/300000" }],
    ["a file of another size", { "content-range": "bytes 1000-399999/400000" }],
    ["no range", {}],
  ])("a file that breaks off is an error if the rest is that of %s", async (_, headers) => {
    const rest = respond(206, "rest", headers);
    await using host = await startLoopback(serve(FILE, { pieces: [1000] }), rest);
    const error = await errorOf(
      downloadReport({ s3_url: linkTo(host) }).then((download) => bytesOf(download)),
    );
    expect(error.message).toContain("the file broke off, and its host cannot continue it");
  });

  test("a file that breaks off is an error once no continuation brings a byte", async () => {
    await using host = await startLoopback(serve(FILE, { pieces: [1000, 0] }));
    const download = await downloadReport({ s3_url: linkTo(host) }, { retry: 2 });
    const error = await errorOf(bytesOf(download));
    expect(error.message).toContain("the file broke off");
    expect(host.requests).toHaveLength(1 + 2);
  });

  test("a file that breaks off is an error if the caller's own fetch hides that it is short", async () => {
    const fetch = async () => new Response("short", { headers: { "content-length": "100" } });
    const s3_url = "https://files.example.com/a";
    const download = await downloadReport({ s3_url }, { fetch });
    expect((await errorOf(download.text())).message).toContain("the file broke off");
  });

  test("a file that breaks off is an error if its link has expired in the meantime", async () => {
    await using host = await startLoopback(serve(FILE, { pieces: [1000] }), respond(403));
    const download = await downloadReport({ s3_url: linkTo(host) });
    const error = await errorOf(bytesOf(download));
    expect(error).toBeInstanceOf(PermissionDeniedError);
    expect(error.message).toContain("the link may have expired");
  });

  test("a file that breaks off also ends a loop over its rows with an error", async () => {
    const options = { pieces: [1000], ranges: false };
    await using host = await startLoopback(serve(FILE, options));
    const { rows } = await downloadReport({ s3_url: linkTo(host) });
    expect(await errorOf(allOf(rows()))).toBeInstanceOf(ConnectionError);
  });
});

describe("the stall timeout", () => {
  test("the stall timeout ends a request whose response does not begin", async () => {
    await using host = await startLoopback(hang);
    const options = { stallTimeout: 100, retry: 0 };
    const error = await errorOf(downloadReport({ s3_url: linkTo(host) }, options));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error.message).toBe("GET {s3_url}: no byte arrived for 100 ms");
    expectNoLink(error);
    await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
  });

  test("the stall timeout ends a file that stalls if its host cannot continue it", async () => {
    const options = { pieces: [1000], ending: "stall", tags: [""] } as const;
    await using host = await startLoopback(serve(FILE, options));
    const download = await downloadReport({ s3_url: linkTo(host) }, { stallTimeout: 100 });
    const error = await errorOf(bytesOf(download));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ timeoutMs: 100, phase: "attempt", outcome: "not_sent" });
    await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
  });

  test("the stall timeout continues a file that stalls over another connection", async () => {
    const options = { pieces: [1000, 1_000_000], ending: "stall" } as const;
    await using host = await startLoopback(serve(FILE, options));
    const file = await downloadReport({ s3_url: linkTo(host) }, { stallTimeout: 200 });
    expect((await bytesOf(file)).equals(FILE)).toBe(true);
    expect(host.requests[1]?.headers.range).toBe("bytes=1000-");
  });

  test("the stall timeout does not bound a slow file that keeps arriving, nor a reader that takes its time", async () => {
    await using host = await startLoopback(async ({ response }) => {
      response.writeHead(200, { "content-length": 8 });
      for (let sent = 0; sent < 8; sent += 1) {
        response.write("x");
        await sleep(50);
      }
      response.end();
    });
    const { body } = await downloadReport({ s3_url: linkTo(host) }, { stallTimeout: 2000 });
    const reader = body.getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += new TextDecoder().decode(value);
      if (text.length < 3) await sleep(1200);
    }
    expect(text).toBe("xxxxxxxx");
  });
});

describe("a canceled download", () => {
  const give = { headers: {}, pieces: [1000], ending: "stall" } as const;

  test("a canceled download sends nothing if its signal fired before the start", async () => {
    await using host = await startLoopback(serve(FILE));
    const signal = AbortSignal.abort("left");
    const error = await errorOf(downloadReport({ s3_url: linkTo(host) }, { signal }));
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ outcome: "not_sent", cause: "left" });
    expect(host.requests).toEqual([]);
  });

  test("a canceled download closes the connection if its signal fires while the host is silent", async () => {
    await using host = await startLoopback(hang);
    const controller = new AbortController();
    const { signal } = controller;
    const failed = errorOf(downloadReport({ s3_url: linkTo(host) }, { signal }));
    await expect.poll(() => host.requests.length).toBe(1);
    controller.abort("left");
    expect(await failed).toMatchObject({ code: "abort", cause: "left" });
    await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test.each([
    ["while it is read", true],
    ["while nobody reads it", false],
  ])(
    "a canceled download closes the connection if its signal fires half-way, %s",
    async (_, isRead) => {
      await using host = await startLoopback(serve(FILE, give));
      const controller = new AbortController();
      const { signal } = controller;
      const { body } = await downloadReport({ s3_url: linkTo(host) }, { signal });
      const reader = body.getReader();
      await reader.read();
      const reading = isRead ? errorOf(reader.read()) : undefined;
      controller.abort("left");
      const error = await (reading ?? errorOf(reader.read()));
      expect(error).toBeInstanceOf(AbortError);
      expect(error.cause).toBe("left");
      await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
      expect(getEventListeners(signal, "abort")).toEqual([]);
    },
  );

  test("a canceled download closes the connection if its body is canceled, or its rows are left", async () => {
    const csv = Buffer.from("a,b\n".repeat(100_000));
    for (const leave of [
      async (link: string, signal: AbortSignal) => {
        await (await downloadReport({ s3_url: link }, { signal })).body.cancel();
      },
      async (link: string, signal: AbortSignal) => {
        const { rows } = await downloadReport({ s3_url: link }, { signal });
        for await (const row of rows()) if (row[0] === "a") break;
      },
    ]) {
      await using host = await startLoopback(serve(csv, give));
      const { signal } = new AbortController();
      await leave(linkTo(host), signal);
      await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
      expect(getEventListeners(signal, "abort")).toEqual([]);
    }
  });

  test("a canceled download closes the connection if onProgress throws, and rejects with that error", async () => {
    await using host = await startLoopback(serve(FILE, give));
    const full = new Error("the disk is full");
    const onProgress = () => {
      throw full;
    };
    const { body } = await downloadReport({ s3_url: linkTo(host) }, { onProgress });
    await expect(new Response(body).text()).rejects.toBe(full);
    await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
  });

  test("a canceled download has no listener left on its signal after any end", async () => {
    const { signal } = new AbortController();
    await using host = await startLoopback(serve(FILE), resetBeforeReading);
    await bytesOf(await downloadReport({ s3_url: linkTo(host) }, { signal }));
    await errorOf(downloadReport({ s3_url: linkTo(host) }, { signal, retry: 0 }));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

test.each([
  [{ stallTimeout: 0 }, "stallTimeout"],
  [{ stallTimeout: "1s" }, "stallTimeout"],
  [{ retry: -1 }, "retry"],
  [{ onProgress: true }, "onProgress"],
  [{ fetch: {} }, "fetch"],
  [{ signal: {} }, "signal"],
])(
  "the invalid option %j of downloadReport is a TypeError that names it",
  async (options, name) => {
    const download = downloadReport({ s3_url: "https://a.example.com/" }, options as never);
    await expect(download).rejects.toThrow(TypeError);
    await expect(download).rejects.toThrow(`\`${name}\``);
  },
);
