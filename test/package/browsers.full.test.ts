// The packed package in every browser, over real HTTP: the suite of all runtimes, report downloads, and a production bundle under
// a strict policy. Every page calls an origin other than its own. Each browser starts only once, because a start takes as long
// as the tests.
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { ROOT } from "../docs/pages.ts";
import { page } from "../runtimes/runtimes.ts";
import { chromium, firefox, type Tab, webkit } from "../support/browsers/index.ts";
import { userOf } from "../support/browsers/user.ts";
import { type FileOptions, linkTo, serve } from "../support/servers/file-host.ts";
import { type Loopback, type Responder, startLoopback } from "../support/servers/loopback.ts";
import { newPort } from "../support/servers/new-port.ts";
import { buildBundle, openFake, serveBundle } from "../support/servers/web-page.ts";
import type { Download, Downloaded } from "./page-program.ts";
import { testRuntimes } from "./runtime-tests.ts";

const TEXT = Array.from({ length: 5_000 }, (_, row) => `${row},"“Größe” 👋, ✓",\r\n`).join("");
const FILE = Buffer.from(TEXT);
const PIECE = 20_001;
const BROKEN = "connection, not_sent";

/** Allows pages of other origins to read a response. */
const shared =
  (respond: Responder): Responder =>
  (exchange) => {
    const { response } = exchange;
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-expose-headers", "content-encoding");
    return respond(exchange);
  };

const buildDownloadPage = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, "test/package/page-program.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    nodePaths: [join(inject("application"), "node_modules")],
    logLevel: "error",
    tsconfigRaw: {},
  });
  const script = outputFiles[0]?.text.replaceAll("</script", "<\\/script");
  return `<!doctype html><meta charset="utf-8" /><script type="module">${script}</script>`;
};

interface Case {
  readonly name: string;
  readonly respond: Responder | FileOptions;
  readonly options?: Omit<Download, "link">;
  readonly expected: Downloaded;
  /** Number of requests. Default: 1. */
  readonly requests?: number;
}

const complete = { text: TEXT, size: FILE.length };
const gzipped = (file: Buffer) => ({
  "content-encoding": "gzip",
  "content-length": String(gzipSync(file).length),
});

const cases: readonly Case[] = [
  { name: "arrives as it is", respond: {}, expected: complete },
  {
    name: "is decompressed",
    respond: ({ response }) => response.writeHead(200, gzipped(FILE)).end(gzipSync(FILE)),
    expected: { text: TEXT },
  },
  {
    name: "is decoded by its charset",
    respond: ({ response }) => {
      const type = { "content-type": "text/csv; charset=windows-1252" };
      response.writeHead(200, type).end(Buffer.from("1,Größe\r\n", "latin1"));
    },
    expected: { text: "1,Größe\r\n" },
  },
  {
    name: "that breaks off is requested again",
    respond: { pieces: [PIECE, FILE.length] },
    expected: complete,
    requests: 2,
  },
  {
    name: "that stalls, read by its body, is an error",
    respond: { pieces: [PIECE], ending: "stall" },
    options: { stallTimeout: 1_000, isBody: true },
    expected: { error: "timeout, not_sent" },
  },
  {
    name: "that is aborted closes its connection",
    respond: { pieces: [PIECE], ending: "stall" },
    options: { isAborted: true },
    expected: { error: "abort, not_sent" },
  },
];

/** Files whose connection closes early, with the result in each browser. Some browsers do not detect the missing end. */
const shortFiles = [
  {
    name: "compressed",
    headers: gzipped(FILE),
    body: gzipSync(FILE),
    expected: { Chromium: BROKEN, Firefox: undefined, WebKit: BROKEN },
  },
  {
    name: "sent in chunks",
    headers: {},
    body: FILE,
    expected: { Chromium: BROKEN, Firefox: BROKEN, WebKit: undefined },
  },
];

let bundle: Awaited<ReturnType<typeof buildBundle>>;
let downloadPage: string;
beforeAll(async () => {
  bundle = await buildBundle(inject("application"));
  downloadPage = await buildDownloadPage();
});

const BROWSERS = [
  { browser: chromium, traits: { resends: true } },
  { browser: firefox, traits: { resends: true, requestsOfLostGet: 10 } },
  { browser: webkit, traits: {} },
];
for (const { browser, traits } of BROWSERS) {
  const { name, missing, launch } = browser;
  const port = await newPort();
  describe.skipIf(missing)(name, () => {
    let tab: Tab;
    beforeAll(async () => {
      tab = await launch();
    });
    afterAll(() => tab.close());

    testRuntimes([page(browser, port, traits, () => tab)]);

    describe("downloads and a production bundle", () => {
      let site: Loopback;
      beforeAll(async () => {
        site = await startLoopback(({ response }) =>
          response.writeHead(200, { "content-type": "text/html" }).end(downloadPage),
        );
        await tab.open(site.baseUrl);
      });
      afterAll(() => site[Symbol.asyncDispose]());

      /** Downloads a file from a host in the page. */
      const download = (
        host: Loopback,
        options: Omit<Download, "link"> = {},
      ): Promise<Downloaded> =>
        tab.evaluate(
          (given) =>
            (globalThis as unknown as { download(given: Download): Promise<Downloaded> }).download(
              given,
            ),
          { link: linkTo(host), ...options },
        );

      test.each(cases)(
        "the file of a report $name in a browser",
        async ({ respond, options, expected, requests = 1 }) => {
          const responder = typeof respond === "function" ? respond : serve(FILE, respond);
          await using host = await startLoopback(shared(responder));
          expect(await download(host, options)).toEqual(expected);
          expect(host.requests).toHaveLength(requests);
          if (options) await expect.poll(() => host.requests[0]?.abandoned).toBe(true);
        },
      );

      test.each(shortFiles)(
        "a short file that is $name is an error unless the browser itself does not detect it",
        async ({ headers, body, expected }) => {
          const respond: Responder = ({ response }) => {
            response.writeHead(200, headers);
            response.write(body.subarray(0, body.length / 2), () =>
              setTimeout(() => response.socket?.end(), 20),
            );
          };
          await using host = await startLoopback(shared(respond));
          const { error, text = "" } = await download(host, { isBody: true });
          expect(error).toBe(expected[name as keyof typeof expected]);
          expect(text.length).toBeLessThan(TEXT.length);
        },
      );

      test("a production bundle works in a browser under a strict policy", async () => {
        const service = openFake();
        const { url, asked } = await serveBundle(bundle, service);
        await tab.open(url);
        const user = userOf(tab);
        await user.sees("3 lists");
        await user.enters("555 123 4567", "Phone");
        await user.clicks("Send");
        await user.sees("valid U.S. or Canadian phone number");
        await user.enters("(206) 555-0123", "Phone");
        await user.clicks("Send");
        await user.sees("Accepted as");
        expect(service.sends).toHaveLength(1);
        // The client refused the invalid message before sending it.
        expect(service.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
        expect(new Set(asked)).toEqual(
          new Set(["authorization,content-type", "content-type,x-api-key"]),
        );
        expect(await tab.log()).toEqual([]);
        await tab.evaluate(() => {
          const script = document.createElement("script");
          script.textContent = "globalThis.ran = true";
          document.head.append(script);
        }, null);
        await expect.poll(async () => (await tab.log()).join()).toMatch(/script-src|inline script/);
      });
    });
  });
}
