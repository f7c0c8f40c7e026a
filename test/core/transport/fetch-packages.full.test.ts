// Packages that applications pass as `fetch`. They have their own `Headers`, and their response bodies are Node streams.
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { memoryLedger, sendOnce } from "../../../src/bulk/index.ts";
import type { FetchLike } from "../../../src/core/transport/transport.ts";
import { type ApiError, checkFile, toE164 } from "../../../src/index.ts";
import { traced } from "../../../src/opentelemetry/index.ts";
import { downloadReport } from "../../../src/reports/index.ts";
import { account, clientsOf, errorOf, KINDS, message } from "../../support/calls.ts";
import { importFrom, installFixture, requireFixture } from "../../support/fixture.ts";
import { linkTo, serve } from "../../support/servers/file-host.ts";
import {
  drip,
  hang,
  REFUSED_URL,
  resetAfterReading,
  respond,
  startLoopback,
  truncate,
} from "../../support/servers/loopback.ts";

interface FetchPackage {
  readonly fetch: FetchLike;
  readonly Headers: new (fields: Record<string, string>) => Iterable<[string, string]>;
}
interface Module extends FetchPackage {
  readonly default: FetchLike;
}

const FIXTURE = "second-ring";
const PACKAGES: readonly (readonly [name: string, load: () => Promise<FetchPackage>])[] = [
  [
    "node-fetch 2",
    async () => {
      const module: Module = requireFixture(FIXTURE, "node-fetch-2");
      return { fetch: module.default, Headers: module.Headers };
    },
  ],
  [
    "node-fetch 3",
    async () => {
      const module = await importFrom<Module>(installFixture(FIXTURE), "node-fetch-3");
      return { fetch: module.default, Headers: module.Headers };
    },
  ],
  ["cross-fetch", async () => requireFixture(FIXTURE, "cross-fetch")],
];

const errors = [{ code: "custom", message: "no", path: ["phoneNumber"] }];
const refusal = { error: "Invalid request", errors };

describe.each(PACKAGES)("%s as the option fetch", (name, load) => {
  let loaded: FetchPackage;
  beforeAll(async () => {
    loaded = await load();
  });
  const clients = (server: { readonly baseUrl: string }, options: object = {}) =>
    clientsOf(server, { fetch: loaded.fetch, ...options });

  test.each(KINDS)("a $kind succeeds", async (kind) => {
    await using server = await startLoopback(respond(200, kind.success));
    const { body } = await kind.call(clients(server)).withResponse();
    expect(body).toEqual(kind.success);
  });

  test("text and an empty body arrive", async () => {
    await using server = await startLoopback(respond(200, '"é🎉"'), respond(204));
    const { v2 } = clients(server);
    const get = () => v2.request({ method: "GET", path: "/any" });
    expect(await get()).toBe("é🎉");
    expect(await get()).toBeUndefined();
  });

  test.each([
    ["plain", {}, (body: string) => body],
    ["compressed", { "content-encoding": "gzip" }, (body: string) => gzipSync(body)],
  ])("a documented 400 with a %s body is a ValidationError", async (_, headers, encode) => {
    await using server = await startLoopback(({ response }) => {
      response.writeHead(400, headers).end(encode(JSON.stringify(refusal)));
    });
    for (const { fetch } of [
      loaded,
      traced({ tracer: { startSpan: () => ({}) as never }, fetch: loaded.fetch }),
    ]) {
      const error = await errorOf(clientsOf(server, { fetch }).rcs.sendRcsText(message));
      expect(error).toMatchObject({ code: "validation", outcome: "rejected", errors });
      expect(error.message).toContain(": Invalid request: phoneNumber: no");
    }
  });

  test("a documented 400 settles the key of a durable send, which is not posted again", async () => {
    await using server = await startLoopback(respond(400, refusal));
    const key = toE164(message.phoneNumber);
    const options = { ledger: memoryLedger(), key };
    const send = () => errorOf(sendOnce(clients(server).rcs, message, options));
    expect(await send()).toMatchObject({ code: "validation" });
    expect(await send()).toMatchObject({ code: "ledger", reason: "rejected_before" });
    server.onlyRequest();
  });

  test.each([
    [401, "authentication", 1],
    [404, "not_found", 1],
    [422, "api", 1],
    [429, "rate_limit", 3],
    [503, "server", 3],
  ])("a %d has its reason and its headers", async (status, code, attempts) => {
    const headers = { "x-request-id": "r-17", "retry-after": "0" };
    await using server = await startLoopback(respond(status, { error: "so it is" }, headers));
    const error = await errorOf<ApiError>(clients(server).v2.accounts.me());
    expect(error).toMatchObject({ code, status, attempts, requestId: "r-17" });
    expect(error.body).toEqual({ error: "so it is" });
    expect(error.message).toMatch(status === 404 ? /: so it is \(check baseUrl: / : /: so it is$/);
  });

  test("a long error body is kept up to 64 KiB, and an endless one ends with the timeout", async () => {
    await using long = await startLoopback(respond(404, "x".repeat(100_000)));
    expect(await errorOf(clients(long).v2.accounts.me())).toMatchObject({
      body: "x".repeat(65_536),
    });
    await using endless = await startLoopback(drip("x", 5, 404));
    const call = clients(endless, { timeout: 1_000, retry: 0 }).v2.accounts.me();
    expect(await errorOf(call)).toMatchObject({ code: "timeout", outcome: "unknown" });
    await expect.poll(() => endless.onlyRequest().abandoned).toBe(true);
  });

  test("an error body that breaks off never looks like a network failure of a request that was not sent", async () => {
    await using short = await startLoopback(truncate({ error: "No such list" }, 404));
    const error = await errorOf(clients(short, { timeout: 300, retry: 0 }).v2.accounts.me());
    // node-fetch 2 does not detect the truncated body, so the timeout ends the attempt.
    expect(error).toMatchObject(
      name === "node-fetch 3"
        ? { code: "not_found", outcome: "rejected" }
        : { code: "timeout", outcome: "unknown" },
    );
  });

  test("failures have the right outcomes", async () => {
    await using reset = await startLoopback(resetAfterReading);
    const lost = { code: "connection", outcome: "unknown", isTransient: true, attempts: 1 };
    expect(await errorOf(clients(reset).rcs.sendRcsText(message))).toMatchObject(lost);
    await using silent = await startLoopback(hang);
    const late = errorOf(clients(silent, { timeout: 1_000 }).rcs.sendRcsText(message));
    expect(await late).toMatchObject({ code: "timeout", outcome: "unknown" });
    await expect.poll(() => silent.onlyRequest().abandoned).toBe(true);
    // The errors of these packages name the address only in their messages, which do not prove that nothing was sent.
    const refused = errorOf(clients({ baseUrl: REFUSED_URL }).rcs.sendRcsText(message));
    expect(await refused).toMatchObject(lost);
  });

  test("Headers of the package arrive as the option headers", async () => {
    await using server = await startLoopback(respond(200, account));
    const headers = new loaded.Headers({ "X-Trace": "t 1" });
    await clients(server, { headers }).v2.accounts.me();
    await clientsOf(server).v2.accounts.me({ headers });
    expect(server.requests.map((request) => request.headers["x-trace"])).toEqual(["t 1", "t 1"]);
  });

  test("checkFile follows redirects and reads the headers", async () => {
    const { fetch } = loaded;
    await using server = await startLoopback(
      ({ response }) => response.writeHead(302, { location: "/menu" }).end("moved"),
      respond(200, "", { "content-type": "image/png", "content-length": "17" }),
    );
    // The rules require https, but this loopback server only supports http.
    const local: FetchLike = (url, init) =>
      fetch(url.replace("https://files.example.com", server.baseUrl), init);
    const file = await checkFile("https://files.example.com/a", {
      fetch: async (url, init) => {
        const response = await local(url, init);
        const location = response.headers.get("location");
        if (location)
          response.headers.set(
            "location",
            location.replace(server.baseUrl, "https://files.example.com"),
          );
        return response;
      },
    });
    expect(file).toEqual({ contentType: "image/png", size: 17 });
  });

  test("downloadReport reads the file, even if it breaks off at first", async () => {
    const csv = `phone,at\n${"2065550123,2026\n".repeat(2_000)}`;
    await using server = await startLoopback(
      serve(Buffer.from(csv), { pieces: [10_000, 10_000, csv.length] }),
    );
    const { fetch } = loaded;
    const options = { fetch, stallTimeout: 300 } as const;
    const download = (await downloadReport({ s3_url: linkTo(server) } as never, options)).text();
    expect(await download).toBe(csv);
  });
});
