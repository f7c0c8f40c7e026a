// Runs the quickstarts with the real frameworks and runtimes.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { createFakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";
import { expect, onTestFinished, test, vi } from "vitest";
import { codeBlocksOf, ROOT } from "../docs/pages.ts";
import { newApplication } from "../support/application.ts";
import { installExamplePackages } from "../support/example-packages.ts";
import { installFixture } from "../support/fixture.ts";
import { EXAMPLES } from "../support/run-example.ts";
import { newPort } from "../support/servers/new-port.ts";

// Installing packages and building an application takes a long time on a busy machine.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const WEB = join(EXAMPLES, "web");
const PROGRAMS = join(ROOT, "test/support/programs");

/** Starts a program with the environment variables of a fake service and a free port. It ends with the test. */
const start = async (cwd: string, command: string, args: readonly string[]) => {
  const service = createFakeService();
  const server = await listen(service);
  const port = await newPort();
  const env = {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: "1",
    PORT: `${port}`,
    MESSAGING_TRANSACTIONAL_BASE_URL: server.transactionalBaseUrl,
    MESSAGING_TRANSACTIONAL_API_KEY: service.account.apiKey,
    MESSAGING_V2_BASE_URL: server.v2BaseUrl,
    MESSAGING_V2_EMAIL: service.account.email,
    MESSAGING_V2_API_KEY: service.account.apiKey,
  };
  const child = spawn(command, [...args], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  child.stderr.pipe(process.stderr, { end: false });
  const logged: string[] = [];
  child.stderr.on("data", (chunk) => logged.push(String(chunk)));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await server.close();
  });
  return { service, url: `http://127.0.0.1:${port}`, logged, child };
};

type Application = Awaited<ReturnType<typeof start>>;

const post = async (url: string, order = 17, phone = "(206) 555-0123") => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ phone });
  const response = await fetch(`${url}/orders/${order}/ready`, { method: "POST", headers, body });
  const retryAfter = response.headers.get("retry-after");
  const { status, headers: received } = response;
  return { status, headers: received, retryAfter, body: await response.json() };
};

/** Asserts that a quickstart sends a message and maps errors as in the table of outcomes. */
const assertQuickstart = async ({ service, url, logged }: Application) => {
  const answers = () =>
    post(url, 17, "123").then(
      ({ status }) => status,
      () => undefined,
    );
  await expect.poll(answers, { timeout: 120_000 }).toBe(422);
  const headers = { "content-type": "application/json" };
  for (const [request, statuses] of [
    [{ headers, body: "{" }, [400]],
    [{ headers, body: "null" }, [400, 422]],
    [{ headers, body: "" }, [400, 422]],
    [{}, [400, 422]],
  ] as const) {
    const { status } = await fetch(`${url}/orders/17/ready`, { method: "POST", ...request });
    expect(statuses, JSON.stringify(request)).toContain(status);
  }
  expect(service.requests).toEqual([]);

  const sent = await post(url);
  expect(service.outbox).toMatchObject([{ to: "+12065550123", text: "Order 17 is ready 🎉" }]);
  const { transactionId } = service.outbox[0] ?? {};
  expect(sent).toMatchObject({ status: 202, retryAfter: null, body: { transactionId } });

  service.failNext({ fault: "dropped" });
  const lost = await post(url, 18);
  expect(lost).toMatchObject({ status: 502, body: { code: "connection", outcome: "unknown" } });
  // A 401 from the service is about the application's API key. It must not log the visitor out.
  service.failNext({ status: 401, headers: { "www-authenticate": "Basic", "x-service": "1" } });
  const unauthorized = await post(url, 19);
  expect(unauthorized).toMatchObject({ status: 500, body: { code: "authentication" } });
  expect(
    unauthorized.headers.get("www-authenticate") ?? unauthorized.headers.get("x-service"),
  ).toBe(null);
  service.failNext({ status: 429, headers: { "retry-after": "30" } });
  expect(await post(url, 20)).toMatchObject({
    status: 503,
    retryAfter: "30",
    body: { outcome: "rejected" },
  });
  expect(service.outbox).toHaveLength(2);
  // The headers and the body of the service may contain personal data.
  expect(logged.join("")).not.toContain("x-service");
};

/** Asserts that a quickstart ends at SIGTERM, although a client keeps one connection busy, and that it responds to each send. */
const assertEndsAtSigterm = async ({ service, url, child }: Application) => {
  service.failNext({ fault: "slow", delayMs: 100, times: 100 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (order: number) =>
    new Promise<number | undefined>((resolve) => {
      const headers = { "content-type": "application/json" };
      const options = { agent, method: "POST", headers };
      const request = httpRequest(`${url}/orders/${order}/ready`, options, (response) => {
        response.resume().on("end", () => resolve(response.statusCode));
      });
      request.on("error", () => resolve(undefined));
      request.end(JSON.stringify({ phone: "(206) 555-0123" }));
    });
  expect(await send(50)).toBe(202);
  const ended = once(child, "exit");
  const sends = service.sends.length;
  const first = send(51);
  await expect.poll(() => service.sends.length, { interval: 5 }).toBe(sends + 1);
  child.kill("SIGTERM");
  const statuses = [await first];
  for (let order = 52; child.exitCode === null && order < 100; order += 1) {
    statuses.push(await send(order));
  }
  expect(await ended).toEqual([0, null]);
  const accepted = statuses.filter((status) => status === 202);
  expect(accepted).toHaveLength(service.sends.length - sends);
  expect(accepted.length).toBeLessThan(20);
};

/** Bodies that a JSON parser rejects, with their content types. */
const BODIES = [
  ["<status>delivered</status>", "text/xml"],
  ["{", "application/json"],
  ["", "application/json"],
  ["status=delivered", "application/x-www-form-urlencoded"],
  ["\u0000", undefined],
] as const;

/** Asserts that a quickstart accepts any request to a webhook URL as proof of its send. */
const assertWebhooks = async ({ service, url }: Application) => {
  for (const [index, [body, type]] of BODIES.entries()) {
    const order = 30 + index;
    service.failNext({ fault: "dropped" });
    expect(await post(url, order)).toMatchObject({ status: 502 });
    expect(await post(url, order)).toMatchObject({ status: 502, body: { code: "ledger" } });
    const sends = service.sends.length;
    const { pathname } = new URL(service.sends.at(-1)?.webhookUrl ?? "");
    const headers = type && { "content-type": type };
    const response = await fetch(`${url}${pathname}`, {
      method: "POST",
      body: new TextEncoder().encode(body),
      ...(headers && { headers }),
    });
    expect([type, response.status]).toEqual([type, 204]);
    expect(await post(url, order)).toMatchObject({ status: 202 });
    expect(service.sends).toHaveLength(sends);
  }
};

/** Creates an application from a quickstart. */
const newQuickstart = (): string => {
  const folder = newApplication(installExamplePackages());
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of readdirSync(WEB).filter((name) => name.endsWith(".ts"))) {
    copyFileSync(join(WEB, file), join(folder, file));
  }
  copyFileSync(join(PROGRAMS, "lambda-program.ts"), join(folder, "lambda-program.ts"));
  return folder;
};

test.each(["express", "koa", "fastify", "h3", "hono"])(
  "the quickstart for %s sends a message, maps errors to HTTP statuses, confirms by any webhook, and ends at SIGTERM",
  async (name) => {
    const application = await start(newQuickstart(), process.execPath, [`${name}.ts`]);
    await assertQuickstart(application);
    await assertWebhooks(application);
    await assertEndsAtSigterm(application);
  },
);

/**
 * Application that imports the module of the guide. It is a string because the syntax settings of this project do not allow
 * parameter decorators in a file.
 */
const NEST_APPLICATION = `import "reflect-metadata";
import { Body, Controller, HttpCode, Module, Param, Post } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { TransactionalClient } from "messaging-service-client";
import { MessagingModule } from "./messaging.module.js";

@Controller()
class OrdersController {
  constructor(private readonly rcs: TransactionalClient) {}

  @Post("orders/:id/ready")
  @HttpCode(202)
  async ready(@Param("id") id: string, @Body() order: { phone: string }) {
    const { transactionId } = await this.rcs.sendRcsText({
      phoneNumber: order?.phone,
      webhookUrl: "https://example.com/webhooks/messages",
      rcsPayload: { text: "Order " + id + " is ready 🎉" },
      smsFailover: "Order " + id + " is ready",
    });
    return { transactionId };
  }
}

@Module({ imports: [MessagingModule], controllers: [OrdersController] })
class AppModule {}

NestFactory.create(AppModule, { logger: false }).then((app) =>
  app.listen(Number(process.env.PORT), "127.0.0.1"),
);
`;

test("a NestJS application with the module of the guide sends a message and maps errors to HTTP statuses", async () => {
  const folder = newApplication(join(installFixture("second-ring"), "node_modules"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [module] = codeBlocksOf("docs/guides/web-services.md").filter(({ code }) =>
    code.includes("@nestjs/common"),
  );
  writeFileSync(join(folder, "messaging.module.ts"), module?.code ?? "");
  copyFileSync(join(WEB, "status-of.ts"), join(folder, "status-of.ts"));
  writeFileSync(join(folder, "main.ts"), NEST_APPLICATION);
  const settings = ["--module", "nodenext", "--target", "es2022", "--strict", "--skipLibCheck"];
  const decorators = ["--experimentalDecorators", "--emitDecoratorMetadata"];
  const types = ["--typeRoots", join(ROOT, "node_modules/@types"), "--types", "node"];
  const tsc = join(ROOT, "node_modules/typescript7/bin/tsc");
  const args = [tsc, "--ignoreConfig", ...settings, ...decorators, ...types, "main.ts"];
  const compiled = promisify(execFile)(process.execPath, args, { cwd: folder });
  expect(await compiled.catch(({ stdout }) => stdout)).toEqual({ stdout: "", stderr: "" });
  await assertQuickstart(await start(folder, process.execPath, ["main.js"]));
});

test("the quickstart for AWS Lambda sends a message and maps errors to HTTP statuses", async () => {
  await assertQuickstart(await start(newQuickstart(), process.execPath, ["lambda-program.ts"]));
});

test("the quickstart for Cloudflare Workers sends a message in workerd and maps errors to HTTP statuses", async () => {
  const folder = newQuickstart();
  const workerd = join(installFixture("runtimes"), "node_modules/.bin/workerd");
  await build({
    absWorkingDir: folder,
    entryPoints: ["worker.ts"],
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    outfile: "worker.mjs",
    logLevel: "error",
  });
  const names = ["MESSAGING_TRANSACTIONAL_BASE_URL", "MESSAGING_TRANSACTIONAL_API_KEY"];
  const bindings = names.map((name) => `(name = "${name}", fromEnvironment = "${name}")`);
  const port = await newPort();
  writeFileSync(
    join(folder, "workerd.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "quickstart", worker = (
      modules = [(name = "worker", esModule = embed "worker.mjs")],
      compatibilityDate = "2026-10-01",
      bindings = [${bindings}],
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "quickstart")],
);
`,
  );
  const application = await start(folder, workerd, ["serve", "workerd.capnp"]);
  await assertQuickstart({ ...application, url: `http://127.0.0.1:${port}` });
});

/** The example page, and a page that does not depend on a request. The build renders the second one without an API key. */
const PAGES = {
  lists: readFileSync(join(WEB, "next-page.jsx"), "utf8"),
  prerendered: `import { V2Client } from "messaging-service-client/v2";
    export default function Page() {
      try {
        return <p>{String(new V2Client())}</p>;
      } catch ({ message }) {
        return <p>{message}</p>;
      }
    }`,
};

test("a Next.js application builds without credentials, shows the current lists, sends a message and maps errors to HTTP statuses", async () => {
  const folder = newApplication(join(installFixture("bundlers"), "node_modules"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const route = join(folder, "app/orders/[id]/ready");
  mkdirSync(route, { recursive: true });
  const files = { "next-route.ts": "route.js", "status-of.ts": "status-of.js" };
  for (const [from, to] of Object.entries(files)) {
    // If Next.js found TypeScript files, it would install TypeScript and its types.
    const code = stripTypeScriptTypes(readFileSync(join(WEB, from), "utf8"));
    writeFileSync(join(route, to), code);
  }
  const layout = "export default ({ children }) => <html><body>{children}</body></html>;";
  writeFileSync(join(folder, "app/layout.js"), layout);
  for (const [name, page] of Object.entries(PAGES)) {
    mkdirSync(join(folder, "app", name));
    writeFileSync(join(folder, "app", name, "page.jsx"), page);
  }
  // Uses one process instead of one for each part of the build and each processor. No other build reads the cache. The browser
  // code comes from Next.js itself, so only the server code needs minification.
  const config = `export default {
    experimental: { cpus: 1, webpackBuildWorker: false },
    webpack: (config, { isServer }) => {
      config.cache = false;
      config.optimization.minimize &&= isServer;
      return config;
    },
  };`;
  writeFileSync(join(folder, "next.config.mjs"), config);
  const bin = join(folder, "node_modules/next/dist/bin/next");
  // The build must not need an API key, so none is set here.
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
  const building = [bin, "build", "--webpack"];
  const { stdout } = await promisify(execFile)(process.execPath, building, { cwd: folder, env });
  expect(stdout).toMatch(/ƒ \/lists$/m);
  const args = [bin, "start", "--hostname", "127.0.0.1"];
  const application = await start(folder, process.execPath, args);
  await assertQuickstart(application);
  const show = async (page: string) => (await fetch(`${application.url}/${page}`)).text();
  for (const name of ["First", "Second"]) {
    application.service.addList({ name });
    expect(await show("lists")).toContain(`<p>${name}</p>`);
  }
  expect(await show("prerendered")).toContain("set MESSAGING_V2_API_KEY");
});
