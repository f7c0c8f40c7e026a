import type { FakeService } from "messaging-service-client/testing";
import { type ListeningService, listen } from "messaging-service-client/testing/node";
import type { Browser, BrowserContextOptions, Page } from "playwright";
import { onTestFinished } from "vitest";

/** Timeout of a test that drives a browser on a busy machine, in milliseconds. */
export const TIMEOUT_MS = 120_000;

/** The inbox of a service, open in a browser. */
export interface OpenInbox {
  readonly page: Page;
  readonly server: ListeningService;
  /** Problems of the page: errors, requests to other hosts, violations of its policy. */
  readonly problems: readonly string[];
}

/** Opens the inbox of a service at a fragment. Everything closes with the test. */
export const openInbox = async (
  browser: Browser,
  service: FakeService,
  fragment = "",
  options: BrowserContextOptions = {},
): Promise<OpenInbox> => {
  const server = await listen(service, { inbox: true });
  const context = await browser.newContext(options);
  onTestFinished(async () => {
    await context.close();
    await server.close();
  });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS / 4);
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(server.v2BaseUrl)) problems.push(`asks for ${request.url()}`);
  });
  await page.exposeFunction("onViolation", (violation: string) => problems.push(violation));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      const report = (globalThis as { onViolation?: (violation: string) => void }).onViolation;
      report?.(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  await page.goto(`${server.inboxUrl}${fragment}`);
  await page.getByRole("status").getByText("Live", { exact: true }).waitFor();
  return { page, server, problems };
};
