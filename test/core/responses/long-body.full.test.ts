// Bodies far larger than any documented response. A compressed megabyte can expand to a gigabyte.
import { once } from "node:events";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { MAX_BODY } from "../../../src/core/responses/fetched-response.ts";
import { fetchFrom, ResponseValidationError } from "../../../src/index.ts";
import { downloadReport } from "../../../src/reports/index.ts";
import { clientsOf, errorOf } from "../../support/calls.ts";
import { type Responder, startLoopback } from "../../support/servers/loopback.ts";

// A busy machine needs half a minute to decode 128 MiB.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const MEGABYTE = Buffer.alloc(2 ** 20, " ");

/** Compresses the given number of megabytes of spaces, followed by a JSON object. */
const zip = async (megabytes: number): Promise<Buffer> => {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on("data", (chunk: Buffer) => chunks.push(chunk));
  for (let written = 0; written < megabytes; written += 1) {
    if (!gzip.write(MEGABYTE)) await once(gzip, "drain");
  }
  gzip.end("{}");
  await once(gzip, "end");
  return Buffer.concat(chunks);
};

let gigabyte: Buffer;
beforeAll(async () => {
  gigabyte = await zip(1100);
});

const sendZipped =
  (body: Buffer): Responder =>
  ({ response }) => {
    response.writeHead(200, { "content-encoding": "gzip", "content-length": body.length });
    response.end(body);
  };

/** Sends a body of 200 MiB without a `content-length`. */
const pour: Responder = ({ response }) =>
  pipeline(Readable.from(Array.from({ length: 200 }, () => MEGABYTE)), response, () => {});

const CARRIERS = [
  ["the default dispatcher", undefined],
  ["a wrapper around fetch", (url: string, init: RequestInit) => fetch(url, init)],
  [
    "a wrapper around a dispatcher",
    async (url: string, init: RequestInit) =>
      fetchFrom((await import("undici")).getGlobalDispatcher() as never)(url, init as never),
  ],
  [
    "a fetch whose body is a stream of Node",
    async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      const { ok, status, headers } = response;
      const body = Readable.fromWeb(response.body as never);
      return { ok, status, headers, body, text: () => Promise.reject(new Error("too late")) };
    },
  ],
] as const;

test("a long body of a response that has only `text()` is too long", async () => {
  const text = async () => JSON.stringify({ pad: "x".repeat(MAX_BODY) });
  const fetch = async () => ({ ok: true, status: 200, headers: new Headers(), text });
  const { v2 } = clientsOf({ baseUrl: "http://localhost" }, { fetch: fetch as never });
  const error = await errorOf(v2.request({ method: "GET", path: "/any" }));
  expect(error.message).toBe("GET /any: 200, but its body is longer than 128 MiB");
});

describe.each(CARRIERS)("a long body through %s", (_, given) => {
  test.each([
    ["a compressed gigabyte", () => sendZipped(gigabyte)],
    ["200 MiB without a length", () => pour],
  ])("%s is requested once, and its error says that it is too long", async (_what, respond) => {
    await using server = await startLoopback(respond());
    const { v2 } = clientsOf(server, { fetch: given as never, timeout: 200_000 });
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    const before = process.memoryUsage().rss;
    const error = await errorOf(v2.request({ method: "GET", path: "/any" }));
    clearInterval(timer);
    expect(error).toMatchObject({ code: "response_validation", status: 200, outcome: "unknown" });
    expect(error.message).toBe("GET /any: 200, but its body is longer than 128 MiB");
    server.onlyRequest();
    // A fully decoded gigabyte would exceed this bound.
    expect(peak - before).toBeLessThan(1_000_000_000);
  });

  test("a body of 40 MiB is read", async () => {
    await using server = await startLoopback(sendZipped(await zip(40)));
    const { v2 } = clientsOf(server, { fetch: given as never, timeout: 200_000 });
    expect(await v2.request({ method: "GET", path: "/any" })).toEqual({});
  });
});

describe("a download in memory", () => {
  test.each(["bytes", "text"] as const)(
    "%s() of a compressed gigabyte fails at 128 MiB, and its error leads to body",
    async (method) => {
      await using host = await startLoopback(sendZipped(gigabyte));
      const file = await downloadReport({ s3_url: host.baseUrl });
      const error = await errorOf(file[method]());
      expect(error).toBeInstanceOf(ResponseValidationError);
      expect(error.message).toBe(
        `GET {s3_url}: the file is longer than ${MAX_BODY} bytes, and its host states ${gigabyte.length} bytes: download it again and read body`,
      );
      host.onlyRequest();
    },
  );

  test("body of a compressed gigabyte streams all of it", async () => {
    await using host = await startLoopback(sendZipped(gigabyte));
    const { body } = await downloadReport({ s3_url: host.baseUrl });
    let size = 0;
    for await (const chunk of body) size += chunk.byteLength;
    expect(size).toBe(1100 * 2 ** 20 + 2);
  });

  test("bytes() of a file that grows less than 20-fold has no limit", async () => {
    const stated = Math.ceil((150 * 2 ** 20) / 20);
    const headers = { "content-length": `${stated}` };
    const pieces = Array.from({ length: 150 }, () => MEGABYTE);
    const given = async () => new Response(new Blob(pieces), { headers });
    const file = await downloadReport({ s3_url: "https://a.example.com/" }, { fetch: given });
    expect((await file.bytes()).length).toBe(150 * 2 ** 20);
    const tooShort = async () =>
      new Response(new Blob(pieces), { headers: { "content-length": `${stated - 1}` } });
    const other = await downloadReport({ s3_url: "https://a.example.com/" }, { fetch: tooShort });
    expect((await errorOf(other.bytes())).message).toContain("read body");
  });
});
