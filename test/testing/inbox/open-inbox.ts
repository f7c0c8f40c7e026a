import type { FakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";
import { onTestFinished } from "vitest";
import { test as base } from "../../support/test-in-chromium.ts";

/** Timeout of a test that drives a browser on a busy machine, in milliseconds. */
export const TIMEOUT_MS = 120_000;

/**
 * `test` with a function that opens the inbox of a service at a fragment. The function resolves to the problems of the page:
 * errors, requests to other hosts, and violations of its policy. The service closes when the test ends.
 */
export const test = base.extend("openInbox", { scope: "file" }, async ({ page }) => {
  let problems: string[] = [];
  let baseUrl = "";
  page.setDefaultTimeout(TIMEOUT_MS / 4);
  const report = (problem: string) => {
    // The inbox of the previous test stays open until the next one opens, and logs errors because its server is gone.
    if (page.url().startsWith(baseUrl)) problems.push(problem);
  };
  page.on("pageerror", ({ message }) => report(message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") report(message.text());
  });
  page.on("dialog", (dialog) => {
    report(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(baseUrl)) report(`asks for ${request.url()}`);
  });
  await page.exposeFunction("onViolation", report);
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      const { onViolation } = globalThis as { onViolation?: (violation: string) => void };
      onViolation?.(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });

  return async (service: FakeService, fragment = ""): Promise<readonly string[]> => {
    const server = await listen(service, { inbox: true });
    onTestFinished(() => server.close());
    problems = [];
    baseUrl = server.v2BaseUrl;
    await page.goto(`${server.inboxUrl}${fragment}`);
    await page.getByRole("status").getByText("Live", { exact: true }).waitFor();
    return problems;
  };
});
