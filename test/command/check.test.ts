import { execFile } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { main } from "../../src/command/main.ts";
import { createFake } from "../support/fakes/fake-service.ts";
import { createCertificate } from "../support/servers/certificate.ts";
import {
  CASES,
  type CheckCase,
  EMAIL,
  type Fault,
  RCS_KEY,
  SHAPES,
  type Shape,
  STATUSES,
  V2_KEY,
} from "./check-cases.ts";

const service = createFake({ account: { email: EMAIL, apiKey: V2_KEY } });
const { id } = service.addList({ name: "VIP of Carla", message_help: "Call 206-555-0188." });
service.addList({ name: "Newsletter of Carla" });
service.addSubscriber(id);
service.addScheduledMessage(id, { content: "Sale starts tomorrow." });

/** All data of the service, and the API keys. `check` must print none of them. */
const SECRETS = [
  ...[EMAIL, V2_KEY, RCS_KEY, btoa(`${EMAIL}:${V2_KEY}`), "another-key", "Carla", "Sale", "0188"],
  ...["2065550123", ...service.phones.map(({ phoneNumber }) => phoneNumber)],
];

/** Responds like the fake service, but with a separate API key for the transactional API. */
const respond = async (fault: Fault | undefined, message: IncomingMessage, to: ServerResponse) => {
  const { method = "", url = "", headers } = message;
  const { pathname: path, searchParams } = new URL(`http://localhost${url}`);
  const body = await text(message);
  const key = String(headers["x-api-key"] ?? "");
  const swapped = { [RCS_KEY]: V2_KEY, [V2_KEY]: RCS_KEY }[key] ?? key;
  const own = service.handle({
    ...{ method, path, body, query: Object.fromEntries(searchParams) },
    headers: { ...(headers as Record<string, string>), ...(key && { "x-api-key": swapped }) },
  });
  const credentials = String(headers.authorization ?? key);
  const faulty = fault?.({ method, path, key, credentials });
  if (faulty === "breaks") return message.socket.destroy();
  if (faulty === undefined) return to.writeHead(own.status, own.headers).end(own.body);
  const { status, headers: more, body: given = "", breaks, change } = faulty;
  if (breaks) {
    to.writeHead(status, more).write(given, () => message.socket.destroy());
    return undefined;
  }
  if (!change) return to.writeHead(status, more).end(given);
  const changed = JSON.stringify(change(JSON.parse(own.body)));
  return to.writeHead(own.status, { "content-type": "application/json", ...more }).end(changed);
};

const start = async ({ fault, tls }: Pick<CheckCase, "fault" | "tls">) => {
  const listener = (message: IncomingMessage, response: ServerResponse) =>
    respond(fault, message, response).catch(() => response.destroy());
  const server = tls ? createTlsServer(createCertificate(), listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};

const CLI = new URL("../../src/command/cli.ts", import.meta.url).pathname;

/** Runs the command as a process. */
const runProcess = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const options = { env: { ...process.env, ...env } };
    execFile(process.execPath, [CLI, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });

describe("check as a process", () => {
  test.each<[status: number | undefined, said: string, exempt?: string]>([
    [
      407,
      "The proxy refused the tunnel with status 407: check its address and credentials. Requests go through PROXY.",
    ],
    [
      502,
      "The proxy refused the tunnel with status 502: check its address and credentials. Requests go through PROXY.",
    ],
    [undefined, "PROXY cannot be reached"],
    [undefined, "PROXY cannot be reached", "nowhere.invalid:444"],
    [undefined, "PROXY cannot be reached", "where.invalid"],
    ...["nowhere.invalid", "nowhere.invalid:443", "invalid", ".INVALID", "a, *.invalid", "*"].map(
      (exempt) =>
        [undefined, "The host name cannot be resolved: check", exempt] as [
          undefined,
          string,
          string,
        ],
    ),
  ])(
    "check names the proxy of the environment that responds %j, unless Node bypasses it: %s, NO_PROXY=%s",
    async (status, said, NO_PROXY = "") => {
      const proxy = createServer().on("connect", (_, socket) => {
        socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`);
      });
      await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
      const { port } = proxy.address() as AddressInfo;
      if (status === undefined) proxy.close();
      const { code, stdout } = await runProcess(["check"], {
        ...{ NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: `http://joe:secret-5d@127.0.0.1:${port}` },
        ...{ MESSAGING_V2_BASE_URL: "https://nowhere.invalid", MESSAGING_V2_EMAIL: EMAIL },
        ...{ MESSAGING_V2_API_KEY: V2_KEY, NO_PROXY },
      });
      proxy.close();
      const text = stdout.replaceAll(/\s+/g, " ");
      const named = `the proxy http://127.0.0.1:${port} (HTTPS_PROXY)`;
      expect(text).toContain(said.replace("PROXY", named));
      expect(text.includes("(HTTPS_PROXY)")).toBe(said.includes("PROXY"));
      expect(text).not.toContain("secret-5d");
      expect(code).toBe(1);
    },
  );

  test("check prints no colors in a pipe, and its exit code reflects its steps", async () => {
    const { host, close } = await start({});
    const own = ["--base-url", `http://${host}`, "--email", EMAIL, "--api-key", V2_KEY];
    const { code, stdout, stderr } = await runProcess(["check", ...own]);
    close();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^version 2\n✓ account/);
    expect(stdout).not.toContain("\u001b");
    expect(await runProcess(["check", "--strickt"])).toMatchObject({ code: 2, stdout: "" });
  });

  test.each([
    [RCS_KEY, "a pipe that nobody reads", "| true", 5, /^exit 0\n$/],
    ["another-key-1c2d", "a pipe that nobody reads", "| true", 7, /^exit 1\n$/],
    [RCS_KEY, "a full disk", ">/dev/full", 5, /^The output .+: ENOSPC.+\nexit 1\n$/],
  ])("check with the key %s makes its steps into %s", async (key, _, to, requests, said) => {
    const before = service.requests.length;
    const { host, close } = await start({});
    const args = `check --base-url http://${host} --email ${EMAIL} --api-key ${V2_KEY} --transactional-base-url http://${host} --transactional-api-key ${key}`;
    const script = `{ "${process.execPath}" "${CLI}" ${args}; echo "exit $?" >&2; } ${to}`;
    const { stderr } = await promisify(execFile)("sh", ["-c", script]);
    close();
    expect(stderr).toMatch(said);
    expect(service.requests.length - before).toBe(requests);
  });
});

describe("the command", () => {
  test.each([
    [["--help"], 0, /check.+fake.+ledger.+Exit codes/s],
    [["--version"], 0, /^\d+\.\d+\.\d+\S*$/],
    [["check", "--help"], 0, /--base-url <url>.+--strict.+--json/s],
    [["fake", "--help"], 0, /--port <number>.+--help/s],
    [["ledger", "--help"], 0, /status.+doubts.+resolve/s],
    [[], 2, /^Name a command: check, fake, ledger\.$/m],
    [["legder"], 2, /^There is no command "legder"\. Name a command: check, fake, ledger\.$/m],
    [["postgres://app:secret-9f3a@db/sends"], 2, /no command "\*\*\*@db\/sends"/],
  ])("%j exits with %j and prints what it can do", async (args, code, said) => {
    const printed: string[] = [];
    for (const method of ["log", "error"] as const) {
      vi.spyOn(console, method).mockImplementation((line: string) => void printed.push(line));
    }
    expect(await main(args)).toBe(code);
    expect(printed.join("\n")).toMatch(said);
    for (const line of printed.join("\n").split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe("check", () => {
  const printed: string[] = [];
  let stop = () => {};

  beforeEach(() => {
    printed.length = 0;
    for (const method of ["log", "error", "warn"] as const) {
      vi.spyOn(console, method).mockImplementation((line: string) => void printed.push(line));
    }
    for (const name of ["BASE_URL", "EMAIL", "API_KEY"]) {
      vi.stubEnv(`MESSAGING_V2_${name}`, undefined);
      vi.stubEnv(`MESSAGING_TRANSACTIONAL_${name}`, undefined);
    }
  });
  afterEach(() => stop());

  const check = async ({ flags, ...row }: CheckCase, ...more: readonly string[]) => {
    const { host, close } = await start(row);
    stop = close;
    const given: CheckCase["flags"] = {
      ...{ "base-url": `http://${host}`, email: EMAIL, "api-key": V2_KEY },
      ...{ "transactional-base-url": `http://${host}`, "transactional-api-key": RCS_KEY },
      ...flags,
    };
    const args = Object.entries(given ?? {}).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return value === true ? [`--${name}`] : [`--${name}`, value.replace("SERVER", host)];
    });
    const code = await main(["check", ...args, ...more]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colors.
    return { code, output: printed.join("\n").replaceAll(/\u001b\[\d+m/g, "") };
  };

  test.each(CASES)("check distinguishes each problem: $name", async (row) => {
    const { code, output } = await check(row);
    const words = output.replaceAll(/\s*\n\s*/g, " ");
    for (const said of row.says) {
      if (typeof said === "string") expect(words).toContain(said);
      else expect(words).toMatch(said);
    }
    if (row.never) expect(words).not.toMatch(row.never);
    expect(code, output).toBe(row.code ?? 1);
    for (const secret of SECRETS) expect(output).not.toContain(secret);
  });

  test.each(CASES.filter(({ code }) => code !== 2))(
    "check --json prints the same result, without a secret: $name",
    async (row) => {
      const { code, output } = await check(row, "--json");
      const { passed, steps } = JSON.parse(output);
      expect(passed).toBe(code === 0);
      expect(code).toBe(row.code ?? 1);
      for (const { result, text, todo } of steps) {
        expect(text).toEqual(expect.any(String));
        expect(todo !== undefined).toBe(result === "failed");
      }
      for (const secret of SECRETS) expect(output).not.toContain(secret);
    },
  );

  describe.each(STATUSES)("a response with status $status", ({ status, says, shapes = {} }) => {
    test.each(Object.keys(SHAPES) as Shape[])(
      `check recognizes status ${status} with a body of this shape: %s`,
      async (shape) => {
        const fault: Fault = ({ key }) => ({
          status,
          body: SHAPES[shape].replace("KEY", key || V2_KEY),
        });
        const { code, output } = await check({ name: "", says: [], fault }, "--json");
        expect(code).toBe(1);
        const steps: readonly { api: string; step: string; text: string }[] =
          JSON.parse(output).steps;
        const [account, send] = steps.filter(({ step }) => step !== "clock");
        expect(account?.text).toContain(shapes[shape] ?? says);
        const said = 'it says "account is not known: [redacted], ***@*** +';
        for (const step of [account, send]) {
          expect(step?.text.includes(said)).toBe(shape === "documented");
          expect(step?.text).not.toMatch(/no (complete )?response/);
        }
        expect(send?.text.includes("ACCEPTED")).toBe(shape === "JSON" && status < 300);
        for (const secret of SECRETS) expect(output).not.toContain(secret);
      },
    );
  });

  /** Starts a server for each API and records the credentials that it receives. */
  const startTwo = async (fault: Fault) => {
    const seen = { v2: new Set<string>(), rcs: new Set<string>() };
    const record =
      (api: keyof typeof seen): Fault =>
      (request) => {
        seen[api].add(request.credentials);
        return fault(request);
      };
    const servers = [
      await start({ fault: record("v2") }),
      await start({ fault: record("rcs") }),
    ] as const;
    stop = () => {
      for (const { close } of servers) close();
    };
    const [v2, rcs] = servers.map(({ host }) => `http://${host}`);
    return { seen, urls: { "base-url": v2, "transactional-base-url": rcs } };
  };

  test.each([401, 403])(
    "check sends no key to the host of the other API after a %i",
    async (status) => {
      const { seen, urls } = await startTwo(() => ({ status, body: "{}" }));
      const own = { "api-key": V2_KEY, "transactional-api-key": RCS_KEY, email: EMAIL };
      const args = Object.entries({ ...urls, ...own }).map(([name, value]) => `--${name}=${value}`);
      expect(await main(["check", ...args])).toBe(1);
      expect([...seen.v2]).toEqual([`Basic ${btoa(`${EMAIL}:${V2_KEY}`)}`]);
      expect([...seen.rcs]).toEqual([RCS_KEY]);
      expect(printed.join(" ").replaceAll(/\s+/g, " ")).toContain(
        "Compare it with MESSAGING_TRANSACTIONAL_API_KEY: a key is tried only at the host that it was given for.",
      );
    },
  );

  test("check tries a key that both APIs were given at both hosts", async () => {
    const { seen, urls } = await startTwo(({ method }) =>
      method === "GET" ? { status: 401, body: "{}" } : undefined,
    );
    const own = { "api-key": RCS_KEY, "transactional-api-key": RCS_KEY, email: EMAIL };
    const args = Object.entries({ ...urls, ...own }).map(([name, value]) => `--${name}=${value}`);
    expect(await main(["check", ...args])).toBe(1);
    expect(printed.join(" ").replaceAll(/\s+/g, " ")).toContain(
      "the key is valid for the transactional API",
    );
    expect([...seen.v2, ...seen.rcs]).toEqual([`Basic ${btoa(`${EMAIL}:${RCS_KEY}`)}`, RCS_KEY]);
  });

  test("check reads settings without a flag from the environment variables of the clients", async () => {
    vi.stubEnv("MESSAGING_V2_API_KEY", V2_KEY);
    vi.stubEnv("MESSAGING_V2_EMAIL", EMAIL);
    const flags = { "api-key": undefined, email: undefined };
    expect(await check({ name: "", says: [], flags })).toMatchObject({ code: 0 });
  });

  test("check changes nothing, sends nobody anything, and makes five requests", async () => {
    const seen = { outbox: service.outbox.length, state: JSON.stringify(service.save()) };
    const requests = service.requests.length;
    expect((await check({ name: "", says: [] })).code).toBe(0);
    expect(service.outbox).toHaveLength(seen.outbox);
    expect(JSON.stringify(service.save())).toBe(seen.state);
    expect(service.requests.slice(requests).map(({ endpoint }) => endpoint)).toEqual([
      ...["GET /api/v2/accounts/me", "GET /api/v2/lists", "GET /api/v2/lists/{ID}"],
      "GET /api/v2/lists/{ID}/messages/scheduled",
      "POST /transactional_messages/send_rcs_text",
    ]);
  });
});
