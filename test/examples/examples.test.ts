import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createFakeService } from "messaging-service-client/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { EXAMPLES, newFolder, run, WITH_PACKAGES } from "../support/run-example.ts";
import { REFUSED_PORT } from "../support/servers/loopback.ts";

// Starting processes takes a long time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** The only example that has several files. test/package/web-page.full.test.ts runs it. */
const BROWSER = join(EXAMPLES, "browser");

test("every example of the runner has at most 92 lines, begins with the command that runs it, and is in the guide", () => {
  const guide = readFileSync(join(EXAMPLES, "../docs/guides/examples.md"), "utf8");
  const files = [EXAMPLES, WITH_PACKAGES, BROWSER].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file)),
  );
  const examples = files.filter((path) => !/(tour|run|people)\.ts$/.test(path));
  expect(examples).toHaveLength(9 + 11);
  for (const path of examples) {
    const text = readFileSync(path, "utf8");
    const name = /([\w-]+)\.ts$/.exec(path)?.[1];
    expect(text.trimEnd().split("\n").length, path).toBeLessThanOrEqual(92);
    if (path.startsWith(BROWSER)) continue;
    expect(text, path).toContain(`\`node ${name}.ts`);
    expect(guide, path).toContain(`[${name}](`);
  }
});

test("first-message sends one text and prints its id", async () => {
  const service = createFakeService();
  const { stdout, code } = await run("first-message.ts", ["(206) 555-0123"], service);
  const [sent] = service.outbox;
  expect(sent).toMatchObject({ channel: "rcs", to: "+12065550123" });
  expect(stdout).toContain(sent?.transactionId);
  expect(code).toBe(0);
});

test("first-message explains that a phone number is invalid, and sends nothing", async () => {
  const service = createFakeService();
  const { stderr, code } = await run("first-message.ts", ["555 123 4567"], service);
  expect(stderr).toContain("phoneNumber: must be a valid U.S. or Canadian phone number");
  expect(code).toBe(1);
  expect(service.requests).toEqual([]);
});

/** Starts a proxy that forwards requests and records their URLs. */
const startProxy = async () => {
  const urls: string[] = [];
  const server = createServer((incoming, response) => {
    const { url = "", method, headers } = incoming;
    urls.push(url);
    const forwarded = request(url, { method, headers }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 502, upstream.headers);
      upstream.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { urls, port: (server.address() as AddressInfo).port };
};

const through = (port: number) => ({ HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: "" });

test("through-proxy sends each text once through the proxy that the environment names", async () => {
  const service = createFakeService();
  const { urls, port } = await startProxy();
  const phones = ["(206) 555-0123", "(206) 555-0124"];
  const { stdout, code } = await run("through-proxy.ts", phones, service, through(port));
  expect(code).toBe(0);
  for (const { transactionId } of service.outbox) expect(stdout).toContain(transactionId);
  expect(service.outbox.map(({ to }) => to).sort()).toEqual(["+12065550123", "+12065550124"]);
  expect(urls).toHaveLength(2);
});

test("through-proxy says that nothing was sent if there is no proxy", async () => {
  const service = createFakeService();
  const args = ["(206) 555-0123"];
  const { stderr, code } = await run("through-proxy.ts", args, service, through(REFUSED_PORT));
  expect(stderr).toContain("(206) 555-0123: not_sent, ");
  expect(code).toBe(1);
  expect(service.outbox).toEqual([]);
});

test("export-lists writes every list, quoted as CSV, page by page", async () => {
  const service = createFakeService();
  for (let number = 1; number <= 1_500; number += 1) service.addList({ name: `List ${number}` });
  service.addList({ name: '=SUM(A1), "quoted"', keyword_names: ["ONE", "TWO"] });
  service.deleteList(service.addList({ name: "Deleted" }).id);
  const path = join(newFolder(), "lists.csv");
  const { stdout, stderr, code } = await run("export-lists.ts", [path], service);
  const rows = readFileSync(path, "utf8").trimEnd().split("\r\n");
  expect(rows[0]).toBe("\uFEFFid,name,opt_in_type,keywords,subscribers,unsubscribed,cleaned");
  expect(rows).toHaveLength(1 + 1_501);
  expect(rows.at(-1)).toContain(`,"'=SUM(A1), ""quoted""",single,ONE TWO,0,0,0`);
  expect(rows.join()).not.toContain("Deleted");
  expect(stderr).toMatch(/1501 of 1501 lists\n$/);
  expect(stdout).toContain("1501 lists");
  expect(code).toBe(0);
});

test("export-lists writes nothing if it is started again after it has finished", async () => {
  const service = createFakeService();
  for (let number = 1; number <= 5; number += 1) service.addList();
  const path = join(newFolder(), "lists.csv");
  await run("export-lists.ts", [path], service);
  const [file, requests] = [readFileSync(path, "utf8"), service.requests.length];
  service.addList();
  const { stdout, code } = await run("export-lists.ts", [path], service);
  expect(stdout).toContain("is complete: 5 lists");
  expect(code).toBe(0);
  expect(readFileSync(path, "utf8")).toBe(file);
  expect(service.requests).toHaveLength(requests);
});

test("export-lists does not continue a file that has lost rows", async () => {
  const service = createFakeService();
  for (let number = 1; number <= 2_500; number += 1) service.addList();
  const path = join(newFolder(), "lists.csv");
  service.failNext({ status: 404, endpoint: "GET /api/v2/lists", times: 1 });
  expect((await run("export-lists.ts", [path], service)).code).toBe(1);
  await run("export-lists.ts", [path], service);
  const position = JSON.parse(readFileSync(`${path}.position`, "utf8"));
  writeFileSync(
    `${path}.position`,
    JSON.stringify({ ...position, next: { page: 2, per_page: 1000 } }),
  );
  writeFileSync(path, "");
  const { stderr, code } = await run("export-lists.ts", [path], service);
  expect(stderr).toContain("has lost rows");
  expect(code).toBe(1);
});

test("double-opt-in configures a list that then asks two questions", async () => {
  const service = createFakeService();
  const list = service.addList({ keyword_names: ["VIP"] });
  const { stdout, code } = await run("double-opt-in.ts", [String(list.id)], service);
  expect(code).toBe(0);
  expect(stdout).toContain("2. yes: Reply YES to join.");
  const replies = ["VIP", "Ada", "YES"].flatMap((text) =>
    service.receiveText({ from: "+12065550123", text }).map((reply) => reply.text),
  );
  expect(replies).toEqual([
    "Welcome! What is your first name?",
    "Reply YES to join. Msg & data rates may apply.",
    "You are in! Reply HELP for help, STOP to leave.",
  ]);
});

test("calendar shows only the messages of the next seven days", async () => {
  const service = createFakeService();
  const { id } = service.addList();
  for (const [name, days] of Object.entries({ Sale: 2, Later: 9 })) {
    const sent_at = new Date(Date.now() + days * 86_400_000).toISOString();
    service.addScheduledMessage(id, { name, sent_at, recipient_count: 7 });
  }
  const { stdout, code } = await run("calendar.ts", [], service);
  expect(stdout).toMatch(/(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/);
  expect(stdout).toContain("Sale");
  expect(stdout).toContain("to 7");
  expect(stdout).toContain("1 scheduled messages");
  expect(stdout).not.toContain("Later");
  expect(code).toBe(0);
});

test("wait-for-report shows progress until the report is finished, and saves its file", async () => {
  // A minute passes between polls.
  let polls: readonly unknown[] = [];
  const now = () => new Date(Date.UTC(2027, 0, 1) + polls.length * 60_000);
  const service = createFakeService({ now });
  polls = service.requests;
  const { id } = service.addReport({ minutes: 10, total_rows: 3_000 });
  const path = join(newFolder(), "report.csv");
  const { stdout, stderr, code } = await run("wait-for-report.ts", [String(id), path], service);
  expect(stderr).toContain("50 %  1500 of 3000 rows");
  expect(stderr).toContain("100 %  3000 of 3000 rows");
  expect(stdout).toContain("1000 messages from phones, 2000 to phones");
  expect(stderr).toMatch(/100 % {2}(\d+) of \1 bytes/);
  expect(readFileSync(path, "utf8").trimEnd().split("\r\n")).toHaveLength(1 + 3_000);
  expect(existsSync(`${path}.part`)).toBe(false);
  expect(code).toBe(0);
});

test("wait-for-report exits with an error if the report failed", async () => {
  const service = createFakeService();
  const { id } = service.addReport();
  service.failReport(id, ["no rows"]);
  const { stderr, code } = await run("wait-for-report.ts", [String(id)], service);
  expect(stderr).toContain("no rows");
  expect(code).toBe(1);
});

test("remove-subscribers lists unknown outcomes, and its next run continues with them", async () => {
  const service = createFakeService();
  const { id } = service.addList();
  const phones = [1, 2, 3].map(() => service.addSubscriber(id).phone_number);
  const path = join(newFolder(), "phones.txt");
  writeFileSync(path, [...phones, "+12065550199"].join("\n"));
  // The service removes the subscriber, but the response is lost.
  service.failNext({ fault: "dropped", times: 3 });

  const first = await run("remove-subscribers.ts", [String(id), path], service);
  expect(first.code).toBe(1);
  expect(first.stdout).toMatch(/ 1 {2}unknown\n/);
  expect(first.stdout).toMatch(/ 2 {2}removed\n/);
  expect(first.stdout).toMatch(/ 1 {2}404: perhaps not on the list\n/);
  expect(service.subscribersOf(id).every(({ opted_out_at }) => opted_out_at)).toBe(true);

  const before = service.requests.length;
  const second = await run("remove-subscribers.ts", [String(id), path], service);
  expect(second.stdout).toMatch(/ 2 {2}removed before\n/);
  // The meaning of a 404 is not documented, so both removals are retried.
  expect(second.stdout).toMatch(/ 2 {2}404: perhaps not on the list\n/);
  expect(second.code).toBe(1);
  expect(service.requests.slice(before).map((request) => request.path)).toEqual(
    [phones[0] ?? "", "+12065550199"].map(
      (phone) => `/api/v2/lists/${id}/subscribers/${encodeURIComponent(phone)}`,
    ),
  );
});

test("remove-subscribers reaches the new phone numbers of a file that starts with numbers that are not on the list", async () => {
  const service = createFakeService();
  const { id } = service.addList();
  const phone = service.addSubscriber(id).phone_number;
  const path = join(newFolder(), "phones.txt");
  const gone = Array.from({ length: 6 }, (_, index) => `+1206555019${index}`);
  // A file exported from a spreadsheet begins with a byte order mark.
  writeFileSync(path, `\uFEFF${[...gone, phone].join("\r\n")}\r\n`);
  const { stdout, code } = await run("remove-subscribers.ts", [String(id), path], service);
  expect(stdout).toMatch(/ 6 {2}404: perhaps not on the list\n/);
  expect(stdout).toMatch(/ 1 {2}removed\n/);
  expect(code).toBe(1);
});

test("remove-subscribers lists the lines without a phone number, and does not send them", async () => {
  const service = createFakeService();
  const { id } = service.addList();
  const { phone_number } = service.addSubscriber(id);
  const path = join(newFolder(), "phones.txt");
  writeFileSync(path, `phone\n\n${phone_number}\n123\n`);
  const { stdout, stderr, code } = await run("remove-subscribers.ts", [String(id), path], service);
  expect(stderr).toMatch(/^line 1: Enter a valid .*\nline 4: Enter a valid .*\n$/m);
  expect(stdout).toMatch(/^ +1 {2}removed\nSome phones may still be subscribed/);
  expect(code).toBe(1);
  expect(service.requests).toHaveLength(1);
});

test("remove-subscribers stops if the key is not accepted", async () => {
  const service = createFakeService();
  const { id } = service.addList();
  const path = join(newFolder(), "phones.txt");
  writeFileSync(path, "+12065550123\n+12065550124");
  service.failNext({ status: 401 });
  const { stdout, stderr, code } = await run("remove-subscribers.ts", [String(id), path], service);
  expect(stderr).toMatch(/Stopped \(DELETE .*: 401.*\): the other phones were not tried/);
  expect(stdout).toMatch(/ 1 {2}rejected\n/);
  expect(code).toBe(1);
  expect(existsSync(`${path}.db`)).toBe(true);
  expect(service.requests).toHaveLength(1);
});

test("the runner lists every example at once, because that needs no build", async () => {
  const { scripts } = JSON.parse(readFileSync(join(EXAMPLES, "../package.json"), "utf8"));
  expect(scripts.example).toBe("node examples/run.ts --build");
  // There is no package next to this copy that could be built or imported.
  const copy = newFolder();
  cpSync(EXAMPLES, copy, { recursive: true, filter: (path) => !path.includes("node_modules") });
  const list = (...args: string[]) =>
    spawnSync(process.execPath, [join(copy, "run.ts"), "--build", ...args], { encoding: "utf8" });
  const [without, unknown] = [list(), list("no-such-example")];
  expect([without.status, unknown.status]).toEqual([0, 1]);
  expect(unknown.stderr).toContain('There is no example "no-such-example"');
  for (const output of [without.stdout, unknown.stderr]) {
    for (const name of ["first-message", "web-form", "application-test"]) {
      expect(output).toContain(`  ${name}\n`);
    }
  }
});

test("the tour ends with its own code, the inbox and the examples", async () => {
  const { stdout, stderr, code } = await run("tour.ts");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [, end = ""] = stdout.split("\nNext\n");
  expect(end).toContain("examples/tour.ts\n");
  expect(existsSync(join(EXAMPLES, "../examples/tour.ts"))).toBe(true);
  expect(end).toContain("npm run fake, then open http://127.0.0.1:4010/__fake/\n");
  expect(end).toContain("npm run example\n");
  expect(stdout).toMatch(/duplicates +0\n/);
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});

test("the runner starts a fake service", async () => {
  const { stdout, stderr, code } = await run("run.ts", ["remove-subscribers"]);
  expect(stderr).toContain("against the fake service");
  expect(stdout).toContain("4  removed");
  expect(code).toBe(0);
});
