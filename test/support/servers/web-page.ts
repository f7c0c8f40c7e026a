// Serves the page of examples/browser, and drives it in Chromium.
import { cpSync } from "node:fs";
import { createServer, type RequestListener, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createFakeService, type FakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";
import type { Browser, Page } from "playwright";
import { onTestFinished } from "vitest";
import { buildPage } from "../../../examples/browser/built-page.ts";

/** Starts a server for a test on its own port. */
const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Forwards every request, and records the headers that preflights request. */
const servePreflightWatch = async (baseUrl: string) => {
  const asked: string[] = [];
  const url = await serve((incoming, response) => {
    // The service behind this server has its own host name.
    const { method = "GET", headers: all } = incoming;
    const { host: _, ...headers } = all;
    if (method === "OPTIONS") asked.push(headers["access-control-request-headers"] ?? "");
    const onward = request(baseUrl + incoming.url, { method, headers }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 502, upstream.headers);
      upstream.pipe(response);
    });
    incoming.pipe(onward);
  });
  return { url, asked };
};

/** Creates a fake service with the lists that the page shows. */
export const openFake = (): FakeService =>
  createFakeService({
    setUp: (service) => {
      for (const name of ["VIP", "Staff", "Guests"]) {
        const list = service.addList({ name, keyword_names: [name.toUpperCase()] });
        for (let count = 0; count < name.length; count += 1) service.addSubscriber(list.id);
      }
    },
  });

/** Builds the page for production, with the package of an application. */
export const buildBundle = (application: string): ReturnType<typeof buildPage> => {
  const folder = join(application, "browser");
  const source = new URL("../../../examples/browser", import.meta.url).pathname;
  cpSync(source, folder, { recursive: true });
  return buildPage(folder);
};

/**
 * Serves the built page with a strict policy until the end of the test. The page calls the service on a different origin.
 * `asked` collects the headers that preflights request.
 */
export const serveBundle = async (
  fileOf: Awaited<ReturnType<typeof buildBundle>>,
  service: FakeService,
) => {
  let api = "";
  const policyOf = () => `default-src 'self'; connect-src 'self' ${api}`;
  const { email, apiKey } = service.account;
  const url = await serve((request, response) => {
    const file = fileOf(request.url ?? "/");
    response.setHeader("content-type", file?.type ?? "application/json");
    response.setHeader("content-security-policy", policyOf());
    response.end(file?.content ?? JSON.stringify({ baseUrl: api, email, apiKey }));
  });
  const server = await listen(service, { allowedOrigins: [url] });
  onTestFinished(() => server.close());
  const watch = await servePreflightWatch(server.v2BaseUrl);
  api = watch.url;
  return { url, asked: watch.asked };
};

/** Opens a page. `violations` and `complaints` collect everything that goes wrong in it. */
export const openPage = async (browser: Browser, url: string) => {
  const page = await browser.newPage({ viewport: { width: 1100, height: 760 } });
  onTestFinished(() => page.close());
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(globalThis, { violations });
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      violations.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  const response = await page.goto(url);
  const policy = response?.headers()["content-security-policy"];
  const violations = () =>
    page.evaluate(() => (globalThis as { violations?: string[] }).violations ?? []);
  return { page, policy, complaints, violations };
};

/** Sends an invalid message and then a valid one with a double click. Returns what the page showed. */
export const usePage = async (page: Page) => {
  await page.getByText("3 lists").waitFor();
  const names = await page.locator("#lists td:first-child").allTextContents();

  const phone = page.getByLabel("Phone");
  await phone.fill("555 123 4567");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("It was not sent.").waitFor();
  const wrong = await page.locator(".error:not(:empty)").allTextContents();
  const focused = await phone.evaluate((field) => field === document.activeElement);

  await phone.fill("(206) 555-0123");
  await page.getByRole("button", { name: "Send" }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await page.getByText("Accepted as").waitFor();
  const stillWrong = await page.locator("[aria-invalid=true], .error:not(:empty)").count();
  return { names, wrong, focused, stillWrong };
};

/** Runs a script that the policy forbids, to prove that violations are detected. */
export const breakPolicy = (page: Page) =>
  page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.head.append(script);
  });

/** Requests a path, which may be malformed, and waits until the server has responded or closed the connection. */
export const askFor = (url: string, path: string): Promise<void> =>
  new Promise((resolve) => {
    const asked = request(url, { path }, (upstream) => upstream.resume().once("end", resolve));
    asked.once("error", () => resolve()).end();
  });
