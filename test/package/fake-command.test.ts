import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, inject, test } from "vitest";
import { refusedCases } from "../support/wire-cases/refused-cases.ts";
import { transactionalCases } from "../support/wire-cases/transactional-cases.ts";
import { expectAnswer, toFetch } from "../support/wire-cases/wire-case.ts";
import { OWNER } from "../support/wire-cases/world.ts";

const COMMAND = join(inject("application"), "node_modules/.bin/messaging-service-client-fake");

/** The command as an application's own process, and what it prints. */
const start = (...args: readonly string[]) => {
  const child = spawn(COMMAND, args);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const printed = (pattern: RegExp) =>
    expect.poll(() => output, { timeout: 20_000 }).toMatch(pattern);
  const ended = once(child, "exit") as Promise<[code: number | null, signal: string | null]>;
  return { child, printed, ended, output: () => output };
};

describe("the command messaging-service-client-fake", () => {
  let child: ChildProcessWithoutNullStreams | undefined;
  afterEach(() => {
    child?.kill("SIGKILL");
  });

  const started = async () => {
    const command = start("--port", "0");
    child = command.child;
    await command.printed(/there are .*\n\n/);
    const field = (name: string) =>
      new RegExp(`^${name} +(\\S+)`, "m").exec(command.output())?.[1] ?? "";
    const basic = `Basic ${btoa(`${field("e-mail")}:${field("API key")}`)}`;
    return { ...command, field, headers: { authorization: basic } };
  };

  test("prints both base URLs and credentials, and serves something to look at", async () => {
    const { field, headers } = await started();
    const lists = await fetch(`${field("version 2")}/api/v2/lists`, { headers });
    expect(await lists.json()).toMatchObject({ count: 2, lists: [{ name: "VIP" }, {}] });
    const send = await fetch(`${field("transactional")}/transactional_messages/send_rcs_text`, {
      method: "POST",
      headers: { "x-api-key": field("API key") },
      body: "{}",
    });
    expect(send.status).toBe(400);
  });

  describe("answers as the other doors do", () => {
    const { email, apiKey } = OWNER;
    const command = start("--port", "0", "--email", email, "--api-key", apiKey);
    afterAll(() => void command.child.kill());

    // What needs no list of the tests' own.
    const cases = [...transactionalCases, ...refusedCases].filter(
      ({ before, status }) => !before && status !== 404,
    );
    test.each(cases)("$name", async (wireCase) => {
      await command.printed(/there are .*\n\n/);
      const { target, init } = toFetch(wireCase);
      const baseUrl = /^version 2 +(\S+)/m.exec(command.output())?.[1];
      await expectAnswer(wireCase, await fetch(`${baseUrl}${target}`, init));
    });
  });

  test("logs one line for each request, without credentials, numbers or texts", async () => {
    const { field, headers, output, printed } = await started();
    const before = output().length;
    const removal = `${field("version 2")}/api/v2/lists/2/subscribers/%2B12065550100`;
    await fetch(removal, { method: "DELETE", headers });
    await fetch(`${field("version 2")}/nowhere?phone=2065550100`);
    await printed(/GET \(no such route\)\n$/);
    const lines = output().slice(before).trimEnd().split("\n");
    expect(lines).toEqual([
      expect.stringMatching(/^\S+Z 200 DELETE \/api\/v2\/lists\/\{ID\}\/subscribers\/\{\w+\}$/),
      expect.stringMatching(/^\S+Z 501 GET \(no such route\)$/),
    ]);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("ends cleanly at %s", async (signal) => {
    const { child, field, headers, ended } = await started();
    // A connection that is kept alive does not keep it.
    await (await fetch(`${field("version 2")}/api/v2/lists`, { headers })).text();
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
  });

  test("answers 429 where --rate-limit asks for it", async () => {
    const command = start("--port", "0", "--rate-limit");
    child = command.child;
    await command.printed(/there are .*\n\n/);
    const url = /^version 2 +(\S+)/m.exec(command.output())?.[1];
    const key = /^API key +(\S+)/m.exec(command.output())?.[1];
    const email = /^e-mail +(\S+)/m.exec(command.output())?.[1];
    const headers = { authorization: `Basic ${btoa(`${email}:${key}`)}` };
    const statuses = new Map<number, number>();
    for (let call = 0; call < 1201; call += 1) {
      const response = await fetch(`${url}/api/v2/accounts/me`, { headers });
      await response.arrayBuffer();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [200, 1200],
      [429, 1],
    ]);
  });

  test("tells its options", async () => {
    const { ended, output } = start("--help");
    expect(await ended).toEqual([0, null]);
    expect(output()).toMatch(/--port.+--host.+--rate-limit/s);
  });

  test.each([
    ["--port", "eighty"],
    ["--port", "70000"],
    ["--colour", "red"],
  ])("refuses %s %s, and tells its options", async (...args) => {
    const { ended, output } = start(...args);
    expect(await ended).toEqual([1, null]);
    expect(output()).toContain(args[0]);
    expect(output()).toContain("--rate-limit");
  });
});
