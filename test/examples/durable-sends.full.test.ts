import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createFakeService, type FakeService } from "messaging-service-client/testing";
import { beforeAll, expect, test, vi } from "vitest";
import { installExamplePackages } from "../support/example-packages.ts";
import { copyExamples, newFolder, run, start } from "../support/run-example.ts";
import { REFUSED_URL } from "../support/servers/loopback.ts";
import { newPort } from "../support/servers/new-port.ts";
import { startPostgres } from "../support/servers/postgres-server.ts";
import { startRedis } from "../support/servers/redis-server.ts";

const REMINDERS = "with-packages/send-reminders.ts";

// Installing packages and starting processes takes a long time on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

beforeAll(() => void installExamplePackages());

const writeGuests = (count: number): string => {
  const path = join(newFolder(), "guests.csv");
  const rows = Array.from({ length: count }, (_, index) => `g${index},Ada,+1206555${1000 + index}`);
  writeFileSync(path, ["id,name,phone", ...rows].join("\n"));
  return path;
};

/** Arguments of the example: the file, the day and the ledger. */
const of = (path: string) => [path, "2026-11-22", `${path}.db`];

/** Returns how many phones received a text, and asserts that none received two. */
const textedOnce = ({ outbox }: FakeService): number => {
  const phones = outbox.map(({ to }) => to);
  expect(new Set(phones).size).toBe(phones.length);
  return phones.length;
};

test.each(["SIGINT", "SIGTERM"] as const)(
  "send-reminders finishes and records its sends at %s, and continues from there when it is started again",
  async (signal) => {
    const service = createFakeService();
    service.failNext({ fault: "slow", delayMs: 60, times: 60 });
    const path = writeGuests(60);
    const { child, shown } = await start(REMINDERS, of(path), service);
    await expect.poll(() => service.outbox.length, { timeout: 60_000 }).toBeGreaterThan(6);
    child.kill(signal);
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(shown.stdout).toContain("Stopped (signal). Run it again to go on.");
    expect(shown.stdout).not.toContain("may have been sent");
    const sentBefore = textedOnce(service);
    const others = `0 not sent, 0 in doubt, ${60 - service.outbox.length} not tried`;
    expect(shown.stdout).toContain(`${sentBefore} sent, ${others}`);
    expect(sentBefore).toBeLessThan(60);

    const again = await run(REMINDERS, of(path), service);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain(
      `60 guests: ${60 - sentBefore} to send, ${sentBefore} sent before`,
    );
    expect(textedOnce(service)).toBe(60);
  },
);

test("send-reminders lists the sends in doubt after it was killed, and repeats only those that a person decides", async () => {
  const service = createFakeService();
  service.failNext({ fault: "hang", times: 4 });
  const path = writeGuests(12);
  const { child } = await start(REMINDERS, of(path), service);
  await expect.poll(() => service.requests.length, { timeout: 60_000 }).toBe(4);
  child.kill("SIGKILL");
  await once(child, "close");
  // Backdates the claims as if the job were restarted much later. Otherwise, it waits as long as the killed calls may have taken.
  const database = new DatabaseSync(`${path}.db`);
  database.prepare("UPDATE messaging_sends SET at = ?").run(new Date(0).toISOString());
  database.close();

  const again = await run(REMINDERS, of(path), service);
  const inDoubt = [...again.stdout.matchAll(/^(g\d+) may have been sent at /gm)].map(
    ([, id]) => id,
  );
  expect(inDoubt.sort()).toEqual(["g0", "g1", "g2", "g3"]);
  expect(again.stdout).toContain("8 sent, 0 not sent, 4 in doubt");
  expect(again.code).toBe(1);
  expect(textedOnce(service)).toBe(8);

  const decided = ["--sent", "g0", "--again", "g1", "--again", "g2", "--sent", "g99"];
  const last = await run(REMINDERS, [...of(path), ...decided], service);
  expect(last.stdout.match(/^\S+ was not in doubt on 2026-11-22$/gm)).toEqual([
    "g99 was not in doubt on 2026-11-22",
  ]);
  expect(last.stdout).toContain("2 sent, 0 not sent, 1 in doubt");
  expect(last.code).toBe(1);
  expect(last.stdout.match(/may have been sent/g)).toHaveLength(1);
  expect(textedOnce(service)).toBe(10);
});

test("send-reminders names a guest whose number is invalid, and exits with 1", async () => {
  const service = createFakeService();
  const path = join(newFolder(), "guests.csv");
  writeFileSync(path, "id,name,phone\ng1,Ada,555 123 4567\ng2,Grace,(206) 555-0123");
  const { stdout, code } = await run(REMINDERS, of(path), service);
  expect(stdout).toContain("1 guests: 1 to send, 0 sent before");
  expect(stdout).toMatch(/row 2, phone: Enter a valid U\.S\./);
  expect(stdout).toContain("1 sent, 1 not sent, 0 in doubt");
  expect(code).toBe(1);
  expect(textedOnce(service)).toBe(1);
});

test("send-reminders reminds the guests of the file beside it, and names the column that a different file lacks", async () => {
  const service = createFakeService();
  const folder = copyExamples();
  const job = (file: string) =>
    run(join(folder, "send-reminders.ts"), [join(folder, file), "2026-11-22"], service);
  expect(await job("reminders.csv")).toMatchObject({ code: 0 });
  expect(service.outbox.map(({ text }) => text)).toContain(
    "See you on Sunday, November 22, José 👋",
  );
  const texted = textedOnce(service);
  expect(texted).toBe(3);

  writeFileSync(join(folder, "others.csv"), "name,phone\nAda,2065550199\n");
  const { stderr, code } = await job("others.csv");
  expect(stderr).toContain("no row has the headers id (id) and name (name, first name");
  expect([code, textedOnce(service)]).toEqual([1, texted]);
});

test("send-reminders reads a file with a title row that is not UTF-8, once a person has confirmed the encoding", async () => {
  const service = createFakeService();
  const path = join(newFolder(), "guests.csv");
  const text = "Guests of Sunday,,\n,,\nid,First name,Mobile phone\ng1,Zoë,(206) 555-0123\n,,\n";
  writeFileSync(path, text, "latin1");
  const first = await run(REMINDERS, of(path), service);
  expect(first.stderr).toContain("--encoding windows-1252: Zoë");
  expect([first.code, textedOnce(service)]).toEqual([1, 0]);
  const args = [...of(path), "--encoding", "windows-1252"];
  expect(await run(REMINDERS, args, service)).toMatchObject({ code: 0 });
  expect(service.outbox[0]?.text).toBe("See you on Sunday, November 22, Zoë 👋");
});

test.each(["", "11/22/2026", "2026-02-30", "2026-13-01"])(
  "send-reminders refuses the day %j, which does not exist or would name a different batch",
  async (day) => {
    const service = createFakeService();
    const path = writeGuests(1);
    const { stderr, code } = await run(REMINDERS, [path, day, `${path}.db`], service);
    expect(stderr).toContain(`Pass the day as in 2026-11-22, not "${day}".`);
    expect([code, textedOnce(service)]).toEqual([1, 0]);
  },
);

test("send-reminders exits with 1 while a guest is refused or has the id of a different guest", async () => {
  const service = createFakeService();
  const path = join(newFolder(), "guests.csv");
  writeFileSync(path, "id,name,phone\ng1,Ada,+12065550123\ng2,Bob,+12065550124");
  const issue = { code: "custom", message: "is blocked", path: ["phoneNumber"] };
  const body = { error: "Invalid request", errors: [issue] };
  service.failNext({ status: 422, body, times: 2 });
  const refused = await run(REMINDERS, of(path), service);
  expect(refused.stdout).toMatch(/^g1: rejected, POST .*: 422/m);
  expect(refused.stdout).toContain("0 sent, 2 not sent, 0 in doubt");

  writeFileSync(
    path,
    "id,name,phone\ng1,Ada,+12065550123\ng2,Bob,+12065550125\ng2,Eve,+12065550126",
  );
  const again = await run(REMINDERS, of(path), service);
  expect(again.stdout).toMatch(/^g1: rejected_before$/m);
  expect(again.stdout).toMatch(/^g2: duplicate$/m);
  expect(again.stdout).toContain("1 sent, 2 not sent, 0 in doubt");

  writeFileSync(path, "id,name,phone\ng2,Bob,+12065550127");
  const changed = await run(REMINDERS, of(path), service);
  expect(changed.stdout).toMatch(/^g2: changed$/m);
  expect([refused.code, again.code, changed.code]).toEqual([1, 1, 1]);
  expect(textedOnce(service)).toBe(1);
});

test("send-reminders counts a guest whose response was lost as in doubt and not as not sent", async () => {
  const service = createFakeService();
  service.failNext({ fault: "dropped" });
  const { stdout, code } = await run(REMINDERS, of(writeGuests(1)), service);
  expect(stdout).toContain("0 sent, 0 not sent, 1 in doubt, 0 not tried");
  expect(stdout).toMatch(/^g0 may have been sent at \S+ \(connection\): find out/m);
  expect([code, textedOnce(service)]).toEqual([1, 1]);
});

test("send-reminders exits with 1 and gives the reason if the service cannot be reached", async () => {
  const path = writeGuests(60);
  const service = createFakeService();
  const { stdout, code } = await run(REMINDERS, of(path), service, {
    MESSAGING_TRANSACTIONAL_BASE_URL: REFUSED_URL,
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^g\d+: not_sent, POST .*no connection was made/m);
  expect(stdout).toMatch(/^0 sent, [5-9] not sent, 0 in doubt, 5\d not tried$/m);
  expect(stdout).toMatch(/^Stopped \(POST .*\)\. Run it again to go on\.$/m);
});

test("order-ready sends one text for repeated requests, and its webhook settles a send in doubt", async () => {
  const service = createFakeService();
  const path = join(newFolder(), "orders.db");
  const { shown } = await start("with-packages/order-ready.ts", [path], service);
  await expect.poll(() => shown.stdout, { timeout: 60_000 }).toMatch(/\n$/);
  expect(shown.stdout).toContain("/orders/17/ready -d phone=");
  const url = /http:.+?(?=\/orders)/.exec(shown.stdout)?.[0] ?? "";
  const order = async (id: number, phone = "(206) 555-0123") => {
    const body = new URLSearchParams({ phone });
    const response = await fetch(`${url}/orders/${id}/ready`, { method: "POST", body });
    return { status: response.status, body: await response.json() };
  };

  const first = await order(17);
  expect(first).toMatchObject({ status: 200, body: { sentNow: true } });
  const second = await order(17);
  expect(second.body).toMatchObject({ sentNow: false, transactionId: first.body.transactionId });
  expect(service.outbox).toHaveLength(1);

  // A double click sends the message once, and both requests return the same transaction.
  service.failNext({ fault: "slow", delayMs: 200 });
  const [click, double] = await Promise.all([order(20), order(20)]);
  expect([click.status, double.status]).toEqual([200, 200]);
  expect(click.body.transactionId).toBe(double.body.transactionId);
  expect(service.outbox).toHaveLength(2);

  expect(await order(18, "12")).toMatchObject({ status: 422, body: { outcome: "not_sent" } });
  service.failNext({ status: 429, headers: { "retry-after": "30" } });
  expect(await order(18)).toMatchObject({ status: 503, body: { outcome: "rejected" } });
  service.failNext({ status: 401 });
  expect(await order(18)).toMatchObject({ status: 500, body: { code: "authentication" } });

  service.failNext({ fault: "dropped" });
  expect(await order(19)).toMatchObject({ status: 502, body: { outcome: "unknown" } });
  const doubt = { code: "ledger", outcome: "unknown" };
  expect(await order(19)).toMatchObject({ status: 502, body: doubt });
  const body = service.requests.at(-1)?.body as { webhookUrl: string } | undefined;
  const hook = `${url}${new URL(body?.webhookUrl ?? "").pathname}`;
  expect((await fetch(hook, { method: "POST" })).status).toBe(204);
  expect(await order(19)).toMatchObject({ status: 200, body: { sentNow: false } });
  expect(service.outbox).toHaveLength(3);
});

const hasRedis = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"].some((path) =>
  existsSync(path),
);
if (!hasRedis) console.warn("SKIPPED: the example of a fleet, for there is no redis-server");

test.runIf(hasRedis)(
  "the three processes of fleet share one budget and text each guest once",
  async () => {
    const { stdout, code } = await run("run.ts", ["fleet"]);
    expect(code).toBe(0);
    const shares = [...stdout.matchAll(/ sent (\d+), /g)].map(([, count]) => Number(count));
    expect(shares).toHaveLength(3);
    expect(shares.reduce((total, share) => total + share)).toBe(60);
    expect(stdout).toContain("60 guests: 60 texted once, 0 in doubt");
  },
);

test("send-reminders leaves no send in doubt if SIGTERM arrives twice", async () => {
  const service = createFakeService({ latency: 2_000 });
  const { child, shown } = await start(REMINDERS, of(writeGuests(60)), service);
  await expect.poll(() => service.requests.length, { timeout: 60_000 }).toBeGreaterThan(0);
  child.kill("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill("SIGTERM");
  const [code] = await once(child, "close");
  expect(code).toBe(1);
  expect(shown.stdout).toContain(`${textedOnce(service)} sent, 0 not sent, 0 in doubt`);
});

test.runIf(hasRedis)(
  "fleet leaves no send in doubt if SIGTERM reaches its children as well as the parent",
  async () => {
    await using redis = await startRedis(await newPort());
    await using postgres = await startPostgres();
    const service = createFakeService({ latency: 2_000 });
    const { child, shown } = await start("with-packages/fleet.ts", [], service, {
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      DATABASE_URL: `postgres://postgres@127.0.0.1:${postgres.port}/postgres`,
    });
    await expect.poll(() => service.requests.length, { timeout: 60_000 }).toBeGreaterThan(8);
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
    for (const pid of children.trim().split(" ")) process.kill(Number(pid), "SIGTERM");
    child.kill("SIGTERM");
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(shown.stdout).toContain(`60 guests: ${textedOnce(service)} texted once, 0 in doubt`);
  },
);
