// Drives the page of examples/browser in Chromium, and serves it.
import { createServer, request as forward, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright";
import { onTestFinished } from "vitest";

export const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });

/** A server of the test, on a port of its own. */
export const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Passes everything on, and notes which headers the preflights ask for. */
export const servePreflightWatch = async (baseUrl: string) => {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    const { method = "GET", headers } = request;
    if (method === "OPTIONS") asked.push(headers["access-control-request-headers"] ?? "");
    const onward = forward(baseUrl + request.url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  return { url, asked };
};

/** Opens the page, sends a message that breaks rules and then one that does not, and tells all that went wrong. */
export const usePage = async (browser: Browser, url: string) => {
  const page = await browser.newPage({ viewport: { width: 1100, height: 760 } });
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
  await page.goto(url);
  const names = page.locator("#lists td:first-child");
  await page.getByText("3 lists").waitFor();

  await page.getByLabel("Phone").fill("555 123 4567");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("It was not sent.").waitFor();
  const refused = await page.locator("#phoneNumber-error").textContent();

  await page.getByLabel("Phone").fill("(206) 555-0123");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Accepted as").waitFor();
  const stillWrong = await page.locator("[aria-invalid=true]").count();

  const violations = await page.evaluate(
    () => (globalThis as { violations?: string[] }).violations,
  );
  return {
    names: await names.allTextContents(),
    refused,
    stillWrong,
    violations,
    complaints,
    page,
  };
};
