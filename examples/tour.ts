// Shows both clients at work, against the fake service over real HTTP on loopback: `npm run tour`.
import { mkdtempSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { styleText } from "node:util";
import {
  analyzeGsm7,
  createThrottle,
  TransactionalClient,
  toGsm7,
  V2Client,
  ValidationError,
} from "messaging-service-client";
import { memoryLedger, sendMany } from "messaging-service-client/bulk";
import { downloadReport } from "messaging-service-client/reports";
import { createFakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";

const heading = (text: string) => console.log(`\n${styleText("bold", text)}`);
/** Prints a name and a value. Wraps a long value in its column, so that no line has more than 80 characters. */
const tell = (name: string, value: unknown) => {
  const wrapped = `${value}`.replace(/(?=.{63})(.{1,62}) /g, `$1\n${" ".repeat(18)}`);
  console.log(`  ${styleText("dim", name.padEnd(16))}${wrapped}`);
};

console.log("A tour of both clients, against a fake of the service on this machine.");

// The fake service has an account, lists, a subscriber, scheduled messages and a report.
const service = createFakeService({ now: () => new Date("2026-12-01T09:00:00Z") });
for (let number = 1; number <= 2_480; number += 1) service.addList({ name: `Store ${number}` });
const vip = service.addList({ name: "VIP", keyword_names: ["VIP"] });
service.addSubscriber(vip.id, { phone_number: "+12065550123" });
for (const day of ["05", "12", "24"]) {
  service.addScheduledMessage(vip.id, {
    name: `December ${day}`,
    sent_at: `2026-12-${day}T17:00:00.000Z`,
  });
}
const report = service.addReport({ minutes: 10, total_rows: 12_000 });
const server = await listen(service);
const { email, apiKey } = service.account;

heading("The fake service, over HTTP");
tell("base URL", server.v2BaseUrl);

heading("The account");
let calls = 0;
const throttle = createThrottle({ limit: 1200, interval: 3_600_000 });
const v2 = new V2Client({
  baseUrl: server.v2BaseUrl,
  email,
  apiKey,
  throttle,
  onEvent: ({ type }) => {
    if (type === "request") calls += 1;
  },
});
const account = await v2.accounts.me();
tell("signed in as", `${account.username} <${account.email}>`);

heading("Lists, page by page");
calls = 0;
let lists = 0;
for await (const page of v2.lists.list().pages()) {
  lists += page.items.length;
  tell(`page ${page.page} of ${page.pages_count}`, `${page.items.length} lists, ${lists} so far`);
}
tell("calls", `${calls} for ${lists} lists`);
const { used, remaining } = throttle.snapshot();
tell("this hour", `${used} of 1200 calls used, ${remaining} left`);

heading("Opt-in settings");
const single = await v2.lists.configureOptIn(vip.id, {
  opt_in_type: "single",
  first_optin_message: "Welcome to VIP! Reply STOP to leave.",
});
tell("single", `confirms with "${single.first_optin_message}"`);
const double = await v2.lists.configureOptIn(vip.id, {
  opt_in_type: "double",
  opt_in_requests: [
    {
      collected_data: "zip_code",
      request_message: "What is your ZIP code?",
      retry_message: "Please reply with five digits.",
      follow_up: true,
      follow_up_hour: 2,
      no_response_message: "Still there? We only need your ZIP code.",
      success_action: "nextrequest",
    },
    {
      collected_data: "yes",
      request_message: "Reply YES to join VIP.",
      retry_message: "Reply YES to join, STOP to leave.",
      follow_up: false,
      success_action: "optinsubscriber",
      opt_in_message: "You are in!",
    },
  ],
});
for (const [index, step] of double.opt_in_requests.entries()) {
  tell(`double, step ${index + 1}`, `${step.collected_data}: "${step.request_message}"`);
}

heading("A phone opts in by text; then the client removes it");
const phone = "+13125550142";
for (const text of ["VIP", "60601", "yes"]) {
  const replies = service.receiveText({ from: phone, text }).map((reply) => reply.text);
  tell(`phone: ${text}`, replies.join(" / "));
}
const subscriber = await v2.subscribers.remove(vip.id, phone);
tell("removed", `${subscriber.phone_number} at ${subscriber.opted_out_at}`);
const { counts } = await v2.lists.retrieve(vip.id);
tell("counts of VIP", `${counts.subscribers} subscribed, ${counts.unsubscribed} unsubscribed`);

heading("Scheduled messages until Christmas Eve");
const days = { start_date: "20261210", end_date: new Date("2026-12-24T00:00:00Z") };
for await (const message of v2.scheduledMessages.list(vip.id, days)) {
  tell(message.sent_at.slice(0, 10), `${message.name}, recipients: ${message.recipient_count}`);
}

heading("A report, polled until it is finished");
const finished = await v2.momtReports.waitUntilFinished(report.id, {
  interval: 60,
  onProgress: ({ percent_complete, processed_rows }) => {
    const done = Math.round(percent_complete / 5);
    const bar = "█".repeat(done) + "░".repeat(20 - done);
    tell("progress", `${bar} ${percent_complete.toFixed(0).padStart(3)} %, ${processed_rows} rows`);
    service.advance({ minutes: 2.5 });
  },
});
tell("messages", `${finished.mo_count} from phones, ${finished.mt_count} to phones`);
const path = join(mkdtempSync(join(tmpdir(), "tour-")), "report.csv");
const { body, size } = await downloadReport(finished);
await writeFile(path, body);
tell("file", `${size} bytes, saved as ${path}`);

heading("An RCS text, and a file that falls back to SMS");
const rcs = new TransactionalClient({ baseUrl: server.transactionalBaseUrl, apiKey });
const message = {
  phoneNumber: "(206) 555-0123",
  webhookUrl: "https://example.com/webhooks/messages",
  smsFailover: "Your table is ready.",
};
const text = await rcs.sendRcsText({ ...message, rcsPayload: { text: "Your table is ready 🎉" } });
tell("text", `${text.message}: ${text.transactionId}`);
service.setRcsReachable(message.phoneNumber, false);
const file = { url: "https://example.com/menu.pdf" };
const sent = await rcs.sendRcsFile({ ...message, rcsPayload: { file } });
tell("file", `${sent.message}: ${sent.transactionId}`);
for (const { channel, to, text, file } of service.outbox.slice(-2)) {
  tell(`by ${channel}`, `to ${to}: ${text ?? file}`);
}

heading("The client refuses a smart quote in an SMS fallback, and sends nothing");
const smart = "It’s ready";
await rcs
  .sendRcsText({ ...message, rcsPayload: { text: smart }, smsFailover: smart })
  .catch((error) => {
    if (!ValidationError.is(error)) throw error;
    for (const { path, message } of error.errors) tell(path.join("."), message);
    tell("outcome", `"${error.outcome}": you may send again`);
  });
tell("toGsm7 returns", `${toGsm7(smart)} (${analyzeGsm7(toGsm7(smart)).septets} septets)`);

heading("The client and the service refuse a phone number with the same error class");
const invalid = { ...message, phoneNumber: "555 123 4567", rcsPayload: { text: "Hi" } };
for (const validateRequests of [true, false]) {
  await rcs.sendRcsText(invalid, { validateRequests }).catch((error) => {
    if (!ValidationError.is(error)) throw error;
    const [issue] = error.errors;
    tell(`by the ${error.source}`, `${issue?.path.join(".")}: ${issue?.message}`);
  });
}

heading("A batch of 200 messages meets faults, stops half-way, and runs again");
service.failNext({ status: 429, headers: { "retry-after": "1" }, times: 2 });
service.failNext({ fault: "dropped", times: 3 });
const ledger = memoryLedger();
const sentBefore = service.outbox.length;
const guests = Array.from({ length: 200 }, (_, index) => `+1206${5550100 + index}`);
const sendBatch = () =>
  sendMany(rcs, guests, {
    batch: "reminders",
    ledger,
    toMessage: (phoneNumber) => ({
      ...message,
      phoneNumber,
      rcsPayload: { text: "See you tomorrow 🎉" },
    }),
  });
let done = 0;
for await (const _ of sendBatch()) {
  done += 1;
  if (done === 100) break; // as a deployment or Ctrl+C would
}
tell("first run", `stopped after ${done} results`);
const { accepted, inDoubt, skippedBy } = await sendBatch();
tell(
  "second run",
  `sent ${accepted}, and skipped ${skippedBy.acceptedBefore} that were sent before`,
);
const phones = service.outbox.slice(sentBefore).map(({ to }) => to);
tell("in doubt", `${inDoubt}: their responses were lost, so a person or a webhook decides`);
tell("duplicates", phones.length - new Set(phones).size);

await server.close();
heading("Next");
tell("tour's code", "examples/tour.ts");
tell("the inbox", "npm run fake, then open http://127.0.0.1:4010/__fake/");
tell("more examples", "npm run example");
