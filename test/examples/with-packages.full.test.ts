import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createFakeService } from "messaging-service-client/testing";
import { beforeAll, expect, test, vi } from "vitest";
import { installExamplePackages } from "../support/example-packages.ts";
import { EXAMPLES, run, start } from "../support/run-example.ts";

// Installing packages and starting processes takes a long time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

beforeAll(() => void installExamplePackages());

test("the examples compile", () => {
  const tsc = new URL("../../node_modules/typescript7/bin/tsc", import.meta.url).pathname;
  execFileSync(process.execPath, [tsc, "-p", EXAMPLES], { stdio: "pipe" });
});

test("web-form sends the form and shows each error at its field", async () => {
  const service = createFakeService();
  const { shown } = await start("with-packages/web-form.ts", [], service);
  const url = await expect
    .poll(() => /http:\S+/.exec(shown.stdout)?.[0], { timeout: 30_000 })
    .toBeDefined()
    .then(() => /http:\S+/.exec(shown.stdout)?.[0] ?? "");
  const submit = async (fields: Record<string, string>) => {
    const response = await fetch(url, { method: "POST", body: new URLSearchParams(fields) });
    return { status: response.status, page: await response.text() };
  };
  const errorAt = (page: string, field: string) =>
    new RegExp(`data-for="${field}">([^<]*)<`).exec(page)?.[1];

  expect(await (await fetch(url)).text()).toContain('name="rcsPayload.text"');

  const wrong = { phoneNumber: "123", "rcsPayload.text": "<b>Hi</b>", smsFailover: "It’s ready" };
  const refused = await submit(wrong);
  expect(refused.status).toBe(422);
  expect(errorAt(refused.page, "phoneNumber")).toContain("must be a valid U.S. or Canadian");
  expect(errorAt(refused.page, "smsFailover")).toContain("’");
  expect(errorAt(refused.page, "rcsPayload.text")).toBe("");
  expect(refused.page).toContain('value="&lt;b&gt;Hi&lt;/b&gt;"');
  expect(service.requests).toEqual([]);

  const twice = await submit({ ...wrong, smsFailover: "It’s ready".repeat(20) });
  expect(errorAt(twice.page, "smsFailover")).toMatch(/at most 160 characters.+; .+’/);

  const right = { ...wrong, phoneNumber: "(206) 555-0123", smsFailover: "It is ready" };
  const accepted = await submit(right);
  expect(accepted.status).toBe(200);
  expect(accepted.page).toContain(`Accepted as ${service.outbox[0]?.transactionId}`);

  service.failNext({ fault: "dropped" });
  const lost = await submit(right);
  expect(lost.status).toBe(502);
  expect(lost.page).toContain("It may have been sent");

  service.failNext({ refuse: { webhookUrl: "is not reachable" } });
  const elsewhere = await submit(right);
  expect(elsewhere.page).toContain("It was not sent. webhookUrl is not reachable");

  service.failNext({ status: 429, headers: { "retry-after": "30" } });
  const limited = await submit(right);
  expect([limited.status, limited.page]).toEqual([503, expect.stringContaining("It was not sent")]);
});

test("telemetry writes logs, spans and metrics without personal data", async () => {
  const service = createFakeService();
  service.failNext({ status: 503 });
  const { stdout, code } = await run("with-packages/telemetry.ts", [], service);
  expect(code).toBe(0);
  expect(stdout.match(/name: 'GET \/api\/v2\/accounts\/me'/g)).toHaveLength(2); // A span for each attempt.
  const [job] = /name: 'nightly job',[^}]*?id: '(\w+)'/s.exec(stdout)?.slice(1) ?? [];
  expect(stdout.match(new RegExp(`parentSpanContext: \\{[^}]*spanId: '${job}'`, "g"))).toHaveLength(
    2,
  );
  expect(stdout).toContain("'http.response.status_code': 503");
  expect(stdout).toContain("'http.request.resend_count': 1");
  expect(stdout).toMatch(/name: 'http\.client\.request\.duration',[^}]*unit: 's'/s);
  expect(stdout).toMatch(/"type":"retry".*"status":503/);
  expect(stdout).toContain('"msg":"signed in"');
  expect(stdout).not.toContain(service.account.apiKey);
  expect(stdout).not.toContain(service.account.email);
});

const redis = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"].some((path) =>
  existsSync(path),
);
if (!redis && !process.env.REDIS_URL) {
  console.warn("SKIPPED: the example of a shared throttle, for there is no redis-server");
}

test.runIf(redis || process.env.REDIS_URL)(
  "three processes of shared-throttle share one budget",
  async () => {
    const { stdout, code } = await run("run.ts", ["shared-throttle"]);
    expect(code).toBe(0);
    expect(stdout.match(/made 4 calls/g)).toHaveLength(3);
    // 12 calls with a budget of 4, so some had to wait for the next window.
    const waits = [...stdout.matchAll(/waited (\d+) ms/g)].map(([, ms]) => Number(ms));
    expect(Math.max(...waits)).toBeGreaterThan(300);
    expect(stdout).toContain("12 calls within one budget");
  },
);
