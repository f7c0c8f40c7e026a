import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, describe, expect, inject, test } from "vitest";
import { rcsText } from "../support/fakes/fake-service.ts";

const COMMAND = join(inject("application"), "node_modules/.bin/messaging-service-client");

/** Starts the command as an application would and collects its output. */
const start = (...args: readonly string[]) => {
  const child = spawn(COMMAND, ["fake", ...args]);
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

describe("messaging-service-client fake", () => {
  const children: ChildProcessWithoutNullStreams[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  const started = async (...args: readonly string[]) => {
    const command = start("--port", "0", ...args);
    children.push(command.child);
    await command.printed(/contents [\s\S]*\n\n/);
    const field = (name: string) =>
      new RegExp(`^${name} +(\\S+)`, "m").exec(command.output())?.[1] ?? "";
    const basic = `Basic ${btoa(`${field("e-mail")}:${field("API key")}`)}`;
    return { ...command, field, headers: { authorization: basic } };
  };

  test("the fake command prints both base URLs, the credentials and its sample data, serves sample lists, and logs one line for each request", async () => {
    const { field, headers, output, printed } = await started();
    expect(output()).toMatch(
      /^contents +2 lists, 1 report, 3 phone numbers\n +Sample data: (.*)\n.*--empty/m,
    );
    const state = await (await fetch(`${field("inbox")}state`)).json();
    const nameOf = (list: { id: number; name: string }) => `list ${list.id} "${list.name}"`;
    const ids = [...state.lists.map(nameOf), `report ${state.reports[0].id}`].join(", ");
    expect(output()).toContain(` Sample data: ${ids}.\n`);
    const before = output().length;
    const path = `${field("version 2")}/api/v2/lists`;
    const shown = await (await fetch(path, { headers })).json();
    expect(shown).toMatchObject({ count: 2, lists: [{ name: "VIP" }, {}] });
    const send = await fetch(`${field("transactional")}/transactional_messages/send_rcs_text`, {
      method: "POST",
      headers: { "x-api-key": field("API key") },
      body: "{}",
    });
    expect(send.status).toBe(400);

    // The log contains no credentials, phone numbers or texts.
    const removal = `${path}/${shown.lists[0].id}/subscribers/%2B12065550100`;
    await fetch(removal, { method: "DELETE", headers });
    await fetch(`${field("version 2")}/nowhere?phone=2065550100`);
    await printed(/GET \(no such route\)\n$/);
    expect(output().slice(before).trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^\S+Z 200 GET \/api\/v2\/lists$/),
      expect.stringMatching(/^\S+Z 400 POST \/transactional_messages\/send_rcs_text$/),
      expect.stringMatching(/^\S+Z 200 DELETE \/api\/v2\/lists\/\{ID\}\/subscribers\/\{\w+\}$/),
      expect.stringMatching(/^\S+Z 501 GET \(no such route\)$/),
    ]);
  });

  test("--empty starts without sample data", async () => {
    const empty = await started("--empty");
    expect(empty.output()).toMatch(/^contents +only an account\n\n$/m);
    const call = async (method: string, path: string, body = "") => {
      const response = await fetch(`${empty.field("inbox")}${path}`, {
        method,
        ...(body && { body }),
      });
      return response.status === 204 ? undefined : response.json();
    };
    const nothing = { lists: [], phones: [], reports: [], faults: [], clock: { nextDueAt: null } };
    expect(await call("GET", "state")).toMatchObject(nothing);
    await call("POST", "lists", "{}");
    await call("POST", "reset");
    expect(await call("GET", "state")).toMatchObject(nothing);
    const seeded = await started("--empty", "--seed-lists", "2");
    expect(seeded.output()).toMatch(/^contents +2 lists, 0 reports, 0 phone numbers$/m);
  });

  test("the fake command creates a new key in each run unless --api-key sets one", async () => {
    const [first, second] = [await started(), await started()].map(({ field }) => field("API key"));
    expect(first).toMatch(/^fake-[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
    expect((await started("--api-key", "my-own-key")).field("API key")).toBe("my-own-key");
  });

  test("--state keeps the key, even after a reset, and a new file gets a new key", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fake-key-"));
    const run = async (file: string, ...args: readonly string[]) => {
      const command = await started("--state", join(folder, file), ...args);
      const stop = async () => {
        command.child.kill("SIGTERM");
        await command.ended;
      };
      return { ...command, stop, key: command.field("API key") };
    };
    const first = await run("a.json");
    await first.stop();
    const second = await run("a.json");
    expect(second.key).toBe(first.key);
    expect(second.key).toMatch(/^fake-[0-9a-f]{32}$/);
    await fetch(`${second.field("inbox")}reset`, { method: "POST" });
    const account = `${second.field("version 2")}/api/v2/accounts/me`;
    expect((await fetch(account, second)).status).toBe(200);
    await second.stop();
    const third = await run("a.json", "--api-key", "my-own-key");
    expect(third.key).toBe("my-own-key");
    await third.stop();
    const fourth = await run("a.json");
    expect(fourth.key).toBe("my-own-key");
    await fourth.stop();
    const other = await run("b.json");
    expect([first.key, "my-own-key"]).not.toContain(other.key);
    await rm(folder, { recursive: true });
  });

  test("--env prints only the settings that create the clients", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fake-env-"));
    const command = start("--port", "0", "--env", "--email", "a&b$c#d@example.com");
    children.push(command.child);
    let env = "";
    command.child.stdout.on("data", (chunk: string) => {
      env += chunk;
    });
    await command.printed(/contents [\s\S]*\n\n/);
    const file = join(folder, ".env");
    await writeFile(file, env);
    const program = join(inject("application"), "fake-env.mjs");
    await writeFile(
      program,
      `import { TransactionalClient, V2Client } from "messaging-service-client";
      const message = ${JSON.stringify(rcsText)};
      const { transactionId } = await new TransactionalClient().sendRcsText(message);
      console.log((await new V2Client().accounts.me()).email, transactionId.length);`,
    );
    const ways = {
      "the --env-file of Node": [process.execPath, `--env-file=${file}`, program],
      "a shell": ["sh", "-c", `set -a; . ${file}; exec ${process.execPath} ${program}`],
    };
    for (const [way, [path = "", ...args]] of Object.entries(ways)) {
      const { stdout } = await promisify(execFile)(path, args);
      expect(stdout, way).toBe("a&b$c#d@example.com 36\n");
    }
    await command.printed(/202 POST/);
    // The log goes to stderr, so you can redirect stdout to a file while the command runs.
    expect(env.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^MESSAGING_V2_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/),
      "MESSAGING_V2_EMAIL='a&b$c#d@example.com'",
      expect.stringMatching(/^MESSAGING_V2_API_KEY=fake-\w+$/),
      expect.stringMatching(/^MESSAGING_TRANSACTIONAL_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/),
      expect.stringMatching(/^MESSAGING_TRANSACTIONAL_API_KEY=fake-\w+$/),
    ]);
    await rm(folder, { recursive: true });
  });

  test("--allow-origin admits the pages of an origin; others are refused, and a local one is named once", async () => {
    const page = "http://localhost:3000";
    const { field, headers, output, printed } = await started("--allow-origin", page);
    const statusFor = async (origin: string) => {
      const from = { ...headers, origin, "sec-fetch-site": "cross-site" };
      const url = `${field("version 2")}/api/v2/accounts/me`;
      const response = await fetch(url, { headers: from });
      return [response.status, response.headers.get("access-control-allow-origin")];
    };
    expect(await statusFor(page)).toEqual([200, page]);
    for (let request = 0; request < 2; request += 1) {
      expect(await statusFor("http://localhost:5173")).toEqual([403, null]);
      expect(await statusFor("https://evil.example")).toEqual([403, null]);
    }
    await printed(/A page of http:\/\/localhost:5173 was refused; --allow-origin/);
    expect(output().match(/was refused/g)).toHaveLength(1);
  });

  const send = async (field: (name: string) => string, webhookUrl = rcsText.webhookUrl) => {
    const response = await fetch(`${field("transactional")}/transactional_messages/send_rcs_text`, {
      method: "POST",
      headers: { "x-api-key": field("API key") },
      body: JSON.stringify({ ...rcsText, webhookUrl }),
    });
    return { status: response.status, body: await response.json() };
  };

  test("--state survives kills during writes, because the file stays whole and the next start deletes a temporary file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fake-kills-"));
    const file = join(folder, "state.json");
    let count = 0;
    for (let kill = 0; kill < 3; kill += 1) {
      // The file that an earlier kill left behind.
      await writeFile(`${file}.tmp`, "{ half a st");
      const {
        child: command,
        ended,
        field,
        headers,
      } = await started(...["--state", file, "--seed-lists", "5000"]);
      expect(await readdir(folder)).toEqual(["state.json"]);
      const lists = `${field("version 2")}/api/v2/lists`;
      const before = await (await fetch(`${lists}?per_page=1`, { headers })).json();
      expect(before.count).toBeGreaterThanOrEqual(count);
      count = before.count;
      const watcher = watch(folder);
      const writing = once(watcher, "change");
      for (let change = 0; change < 3; change += 1) {
        await fetch(`${lists}/`, { method: "POST", headers, body: '{ "list": {} }' });
      }
      // A write has started and takes some milliseconds.
      await writing;
      watcher.close();
      await pause(2 * kill);
      command.kill("SIGKILL");
      await ended;
      expect(JSON.parse(await readFile(file, "utf8")).lists.length).toBeGreaterThanOrEqual(count);
    }
    expect(count).toBeGreaterThanOrEqual(5002);
    await rm(folder, { recursive: true });
  });

  test("--send-rate-limit limits sends, and --latency delays responses", async () => {
    const { field } = await started("--send-rate-limit", "2/60", "--latency", "150-200");
    const startedMs = performance.now();
    const statuses = [await send(field), await send(field), await send(field)];
    expect(performance.now() - startedMs).toBeGreaterThan(2 * 145);
    expect(statuses.map(({ status }) => status)).toEqual([202, 202, 429]);
  });

  test("--webhooks posts its template to the origin of --webhooks-to", async () => {
    const received: string[] = [];
    const application = createServer(async (request, response) => {
      received.push(`${request.url} ${await text(request)}`);
      response.end("thanks");
    }).listen(0, "127.0.0.1");
    await once(application, "listening");
    const { port } = application.address() as AddressInfo;
    const folder = await mkdtemp(join(tmpdir(), "fake-webhooks-"));
    const template = join(folder, "webhook.json");
    await writeFile(template, '{ "id": "{{transactionId}}", "status": "{{event}}" }');
    const to = `http://127.0.0.1:${port}`;
    const { field } = await started("--webhooks", template, "--webhooks-to", to);
    const { body } = await send(field, "https://shop.example.com/hooks/7");
    const webhook = JSON.stringify({ id: body.transactionId, status: "delivered" });
    await expect.poll(() => received).toEqual([`/hooks/7 ${webhook}`]);
    application.close();
    await rm(folder, { recursive: true });
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "the fake command goes on when nobody reads its output, and exits cleanly at %s",
    async (signal) => {
      const { child, field, headers, ended } = await started();
      child.stdout.destroy();
      // An idle keep-alive connection must not keep the command running.
      const path = `${field("version 2")}/api/v2/lists`;
      for (const page of [1, 2, 3]) await (await fetch(`${path}?page=${page}`, { headers })).text();
      child.kill(signal);
      expect(await ended).toEqual([0, null]);
    },
  );

  test("--state keeps the last change when a second signal arrives at once", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fake-signals-"));
    const file = join(folder, "state.json");
    const { child, field, ended } = await started("--state", file);
    const body = JSON.stringify({ from: "2065550170", text: "VIP" });
    await fetch(`${field("inbox")}texts`, { method: "POST", body });
    const signals = setInterval(() => child.kill("SIGINT"), 1);
    await ended;
    clearInterval(signals);
    expect(await readFile(file, "utf8")).toContain("+12065550170");
    await rm(folder, { recursive: true });
  });

  test.each([
    ["--port", "70000"],
    ["--host", "nowhere.invalid"],
    ["--webhooks-to", "http://app:3000"],
    ["--state", "no-such-folder/state.json"],
    ["--hots", "a"],
    ["--webhooks", "no-such-file.json"],
  ])("the fake command refuses %s %j, and names it", async (name, value) => {
    // The default port may be in use.
    const port = name === "--port" ? [] : ["--port=0"];
    const { ended, output } = start(...port, `${name}=${value}`);
    const [code] = await ended;
    expect(output()).toContain(name);
    // A missing file, host or port may exist at the next start. Any other value is a usage error.
    const isUsage = !/^(nowhere\.invalid|no-such)/.test(value);
    expect(code).toBe(isUsage ? 2 : 1);
    expect(output().includes("--help")).toBe(isUsage);
  });
});
