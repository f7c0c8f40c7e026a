import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeService, type FakeService } from "messaging-service-client/testing";
import { beforeAll, expect, test, vi } from "vitest";
import { installPackages, newFolder, run, start } from "../support/run-example.ts";

const REMINDERS = "with-packages/send-reminders.ts";

// Installing packages and starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

beforeAll(installPackages);

const writeGuests = (count: number): string => {
  const path = join(newFolder(), "guests.csv");
  const rows = Array.from({ length: count }, (_, index) => `g${index},Ada,+1206555${1000 + index}`);
  writeFileSync(path, ["id,name,phone", ...rows].join("\n"));
  return path;
};

/** Returns how many phones were texted, and asserts that none was texted twice. */
const textedOnce = ({ outbox }: FakeService): number => {
  const phones = outbox.map(({ to }) => to);
  expect(new Set(phones).size).toBe(phones.length);
  return phones.length;
};

test("send-reminders finishes and records its current sends at Ctrl+C, and continues from there", async () => {
  const service = createFakeService();
  service.failNext({ fault: "slow", delayMs: 60, times: 60 });
  const path = writeGuests(60);
  const { child, shown } = await start(REMINDERS, [path], service);
  await expect.poll(() => service.outbox.length, { timeout: 60_000 }).toBeGreaterThan(6);
  child.kill("SIGINT");
  const [code] = await once(child, "close");
  expect(code).toBe(1);
  expect(shown.stdout).toContain("Stopped (signal). Run it again to go on.");
  expect(shown.stdout).not.toContain("may have been sent");
  const sentBefore = textedOnce(service);
  expect(shown.stdout).toContain(`${sentBefore} sent, 0 refused`);
  expect(sentBefore).toBeLessThan(60);

  const again = await run(REMINDERS, [path], service);
  expect(again.code).toBe(0);
  expect(again.stdout).toContain(
    `60 guests: ${60 - sentBefore} to send, ${sentBefore} sent before`,
  );
  expect(textedOnce(service)).toBe(60);
});

test("a killed send-reminders lists the sends in doubt, and sends again only those that a person decides", async () => {
  const service = createFakeService();
  service.failNext({ fault: "hang", times: 4 });
  const path = writeGuests(12);
  const { child } = await start(REMINDERS, [path], service);
  await expect.poll(() => service.requests.length, { timeout: 60_000 }).toBe(4);
  child.kill("SIGKILL");
  await once(child, "close");

  const again = await run(REMINDERS, [path], service);
  const inDoubt = [...again.stdout.matchAll(/^(g\d+) may have been sent at /gm)].map(
    ([, id]) => id,
  );
  expect(inDoubt.sort()).toEqual(["g0", "g1", "g2", "g3"]);
  expect(textedOnce(service)).toBe(8);

  const decided = ["--sent", "g0", "--again", "g1", "--again", "g2"];
  const last = await run(REMINDERS, [path, ...decided], service);
  expect(last.stdout).toContain("2 sent, 0 refused");
  expect(last.stdout.match(/may have been sent/g)).toHaveLength(1);
  expect(textedOnce(service)).toBe(10);
});

test("send-reminders names a guest whose number is invalid before it sends anything", async () => {
  const service = createFakeService();
  const path = join(newFolder(), "guests.csv");
  writeFileSync(path, "id,name,phone\ng1,Ada,555 123 4567\ng2,Grace,(206) 555-0123");
  const { stdout, code } = await run(REMINDERS, [path], service);
  expect(stdout).toContain("2 guests: 1 to send, 0 sent before\n  g1: ");
  expect(code).toBe(0);
  expect(textedOnce(service)).toBe(1);
});

test("order-ready sends one text for many requests, and its webhook resolves a send in doubt", async () => {
  const service = createFakeService();
  const path = join(newFolder(), "orders.db");
  const { shown } = await start("with-packages/order-ready.ts", [path], service);
  await expect.poll(() => shown.stdout, { timeout: 60_000 }).toMatch(/http:\S+/);
  const url = /http:\S+/.exec(shown.stdout)?.[0] ?? "";
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

  expect(await order(18, "12")).toMatchObject({ status: 422, body: { outcome: "not_sent" } });

  service.failNext({ fault: "dropped" });
  expect(await order(19)).toMatchObject({ status: 502, body: { outcome: "unknown" } });
  expect(await order(19)).toMatchObject({ status: 409 });
  const body = service.requests.at(-1)?.body as { webhookUrl: string } | undefined;
  const hook = `${url}${new URL(body?.webhookUrl ?? "").pathname}`;
  expect((await fetch(hook, { method: "POST" })).status).toBe(204);
  expect(await order(19)).toMatchObject({ status: 200, body: { sentNow: false } });
  expect(service.outbox).toHaveLength(2);
});

const hasRedis = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"].some((path) =>
  existsSync(path),
);
if (!hasRedis) console.warn("SKIPPED: the example of a fleet, for there is no redis-server");

test.runIf(hasRedis)(
  "the three processes of fleet text each guest once, within one budget",
  async () => {
    const { stdout, code } = await run("run.ts", ["fleet"]);
    expect(code).toBe(0);
    const shares = [...stdout.matchAll(/ sent (\d+), /g)].map(([, count]) => Number(count));
    expect(shares).toHaveLength(3);
    expect(shares.reduce((total, share) => total + share)).toBe(60);
    expect(stdout).toContain("60 guests: 60 texted once, 0 in doubt");
  },
);
