import { TransactionalClient, V2Client, ValidationError } from "messaging-service-client";
import { createFakeService } from "messaging-service-client/testing";
import { handlersFor } from "messaging-service-client/testing/msw";
import { setupWorker } from "msw/browser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const service = createFakeService();
const worker = setupWorker(...handlersFor(service));
const message = {
  phoneNumber: "(206) 555-0123",
  webhookUrl: "https://example.com/webhooks/messages",
  rcsPayload: { text: "Hi 👋" },
  smsFailover: "Hi",
};

beforeAll(() => worker.start({ quiet: true, onUnhandledFrame: "bypass" }));
// Otherwise, the fake would wait until the hanging request ends.
afterAll(() => void worker.stop());

describe.each([
  ["service.fetch", service.fetch],
  ["msw in the page", undefined],
])("clients in a page, with %s", (_, fetch) => {
  const { email, apiKey } = service.account;
  const v2 = new V2Client({ baseUrl: service.v2BaseUrl, email, apiKey, fetch });
  const rcs = new TransactionalClient({ baseUrl: service.transactionalBaseUrl, apiKey, fetch });

  test("iteration over lists requests page after page in a browser", async () => {
    const names = ["A", "B", "C"].map((name) => service.addList({ name }).name);
    const seen: string[] = [];
    for await (const { name } of v2.lists.list({ per_page: 2 })) seen.push(name);
    expect(seen.slice(-3)).toEqual(names);
  });

  test("every operation of version 2 works in a browser", async () => {
    expect((await v2.accounts.me()).email).toBe(email);
    const list = await v2.lists.create({ name: "Ünïcödé ✓" });
    expect((await v2.lists.retrieve(list.id)).name).toBe("Ünïcödé ✓");
    const settings = { opt_in_type: "single", first_optin_message: "Welcome!" } as const;
    expect(await v2.lists.configureOptIn(list.id, settings)).toMatchObject(settings);
    const { phone_number } = service.addSubscriber(list.id);
    expect((await v2.subscribers.remove(list.id, phone_number)).opted_out_at).not.toBeNull();
    service.addScheduledMessage(list.id);
    expect(await v2.scheduledMessages.list(list.id).toArray()).toHaveLength(1);
    const report = service.addReport({ minutes: 0 });
    expect((await v2.momtReports.waitUntilFinished(report.id)).percent_complete).toBe(100);
  });

  test("both sends work in a browser", async () => {
    const { transactionId } = await rcs.sendRcsText(message);
    const file = { url: "https://example.com/menu.pdf" };
    await rcs.sendRcsFile({ ...message, rcsPayload: { file } });
    const [text, sent] = service.outbox.slice(-2);
    expect(text).toMatchObject({ transactionId, text: "Hi 👋", to: "+12065550123" });
    expect(sent).toMatchObject({ file: file.url, channel: "rcs" });
  });

  test("the client and the service refuse the same fields with the same codes", async () => {
    const invalid = { ...message, phoneNumber: "555 123 4567", smsFailover: "“Hi”" };
    const refusals = [true, false].map((validateRequests) =>
      rcs.sendRcsText(invalid, { validateRequests }).catch((error: unknown) => error),
    );
    const [mine, theirs] = await Promise.all(refusals);
    expect(ValidationError.is(mine) && mine.errors).toHaveLength(2);
    const fieldsOf = (error: unknown) =>
      ValidationError.is(error) &&
      error.errors.map(({ code, path, validation }) => ({ code, path, validation }));
    expect(fieldsOf(mine)).toEqual(fieldsOf(theirs));
  });

  test("a lost connection in a browser leaves the outcome unknown, because browsers do not reveal its cause", async () => {
    service.failNext({ fault: "network" });
    await expect(rcs.sendRcsText(message)).rejects.toMatchObject({
      code: "connection",
      outcome: "unknown",
      attempts: 1,
    });
  });

  test("GET requests are retried, and timeouts and aborts end calls, in a browser", async () => {
    service.failNext({ status: 503 });
    await v2.accounts.me({ retry: { backoff: { initial: 1 } } });
    service.failNext({ fault: "hang" });
    const hung = v2.accounts.me({ timeout: 50, retry: 0 });
    await expect(hung).rejects.toMatchObject({ code: "timeout", phase: "attempt" });
    service.failNext({ fault: "stalled_body" });
    const aborted = v2.accounts.me({ signal: AbortSignal.timeout(50) });
    await expect(aborted).rejects.toMatchObject({ name: "AbortError", outcome: "unknown" });
  });
});
