// Runs an example: `npm run example NAME`. It runs against the fake service, filled with sample data, unless environment variables
// name an account (MESSAGING_V2_BASE_URL, …). Without a name, lists the examples. `--build` first builds the package, which examples import.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const HERE = import.meta.dirname;
const WITH_PACKAGES = join(HERE, "with-packages");

const filesIn = (folder: string): [name: string, path: string][] =>
  readdirSync(folder)
    .filter(
      (file) => /^[a-z-]+\.ts$/.test(file) && !["run.ts", "tour.ts", "people.ts"].includes(file),
    )
    .map((file) => [file.replace(".ts", ""), join(folder, file)]);

/** Paths of the examples by name. */
const examples = new Map([
  ...filesIn(HERE),
  ...filesIn(WITH_PACKAGES),
  ["application-test", join(HERE, "testing/node-test.test.ts")] as const,
  ["browser", join(HERE, "browser/server.ts")] as const,
]);

const mustBuild = process.argv[2] === "--build";
const [name = "", ...given] = process.argv.slice(mustBuild ? 3 : 2);
const file = examples.get(name);
if (file === undefined) {
  const usage = `Usage: npm run example NAME\n\n  ${[...examples.keys()].join("\n  ")}`;
  if (name === "") console.log(usage);
  else console.error(`There is no example "${name}".\n\n${usage}`);
  process.exit(name === "" ? 0 : 1);
}

if (mustBuild) execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });

if (file.startsWith(WITH_PACKAGES)) {
  const { installExamplePackages } = await import("../test/support/example-packages.ts");
  installExamplePackages();
}

const scratch = mkdtempSync(join(tmpdir(), "example-"));
const endings: (() => unknown)[] = [() => rmSync(scratch, { recursive: true })];
const env: NodeJS.ProcessEnv = { ...process.env };
let args = given;

if (!process.env.MESSAGING_V2_BASE_URL && !process.env.MESSAGING_TRANSACTIONAL_BASE_URL) {
  args = await startFake();
}
if (["shared-throttle", "fleet"].includes(name) && !process.env.REDIS_URL) {
  env.REDIS_URL = await startRedis();
}
if (name === "fleet" && !process.env.DATABASE_URL) env.DATABASE_URL = await startDatabase();

const child = spawn(process.execPath, [file, ...args], { env, stdio: "inherit" });
process.on("SIGINT", () => {}); // the example handles Ctrl+C
process.on("SIGTERM", () => child.kill());
const [code] = await once(child, "exit");
for (const end of endings) await end();
process.exit(code ?? 0);

/** Starts the fake service. Returns the given arguments, or suitable arguments for the example if there are none. */
async function startFake(): Promise<string[]> {
  const { createFakeService } = await import("messaging-service-client/testing");
  const { listen } = await import("messaging-service-client/testing/node");
  const service = createFakeService();
  const lists = Array.from({ length: 12 }, (_, index) =>
    service.addList({ name: `Store ${index + 1}`, keyword_names: [`STORE${index + 1}`] }),
  );
  const list = service.addList({ name: "VIP", keyword_names: ["VIP"] });
  const phones = [1, 2, 3, 4].map(() => service.addSubscriber(list.id).phone_number);
  for (const [day, { id }] of lists.slice(0, 6).entries()) {
    const moment = new Date(Date.now() + day * 86_400_000 + 3_600_000).toISOString();
    service.addScheduledMessage(id, { name: `Sale ${day + 1}`, sent_at: moment });
  }
  const report = service.addReport({ minutes: 0.04, total_rows: 12_000 });

  const server = await listen(service);
  endings.push(() => server.close());
  const { email, apiKey } = service.account;
  Object.assign(env, {
    MESSAGING_V2_BASE_URL: server.v2BaseUrl,
    MESSAGING_V2_EMAIL: email,
    MESSAGING_V2_API_KEY: apiKey,
    MESSAGING_TRANSACTIONAL_BASE_URL: server.transactionalBaseUrl,
    MESSAGING_TRANSACTIONAL_API_KEY: apiKey,
    POLL_MS: "200",
    ALLOWED_PHONES: env.ALLOWED_PHONES ?? "+12065550123",
  });
  console.error(`Running against the fake service at ${server.v2BaseUrl}\n`);

  const batch = join(scratch, "phones.txt");
  writeFileSync(batch, phones.join("\n"));
  const reminders = join(scratch, "reminders.csv");
  const rows = Array.from(
    { length: 40 },
    (_, index) => `g${index},Guest ${index},+1206555${1000 + index}`,
  );
  writeFileSync(reminders, ["id,name,phone", ...rows].join("\n"));
  const sheets = ["guests.csv", "opt-outs.csv"].map((file) => join(WITH_PACKAGES, file));
  const spreadsheet = [...sheets, join(scratch, "opening.db"), "--encoding", "windows-1252"];
  const defaults: Readonly<Record<string, readonly string[]>> = {
    "first-message": ["(206) 555-0123"],
    "through-proxy": phones,
    "export-lists": [join(scratch, "lists.csv")],
    "double-opt-in": [String(list.id)],
    "wait-for-report": [String(report.id), join(scratch, "report.csv")],
    "remove-subscribers": [String(list.id), batch],
    "send-reminders": [reminders, "2026-11-22", join(scratch, "reminders.db")],
    "from-spreadsheet": [...spreadsheet, "--send"],
    "order-ready": [join(scratch, "orders.db")],
    "mcp-server": [join(scratch, "texts.db")],
  };
  return given.length > 0 ? given : [...(defaults[name] ?? [])];
}

/** Starts a Redis for the example on a free port, and returns its URL. */
async function startRedis(): Promise<string> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  const port = typeof address === "object" && address ? address.port : 6379;
  probe.close();
  const options = [
    "--bind",
    "127.0.0.1",
    "--port",
    String(port),
    "--save",
    "",
    "--appendonly",
    "no",
  ];
  const redis = spawn("redis-server", options, { cwd: scratch, stdio: "ignore" });
  redis.on("error", () => {
    console.error("redis-server is not installed: install it, or set REDIS_URL to your own Redis.");
    process.exit(1);
  });
  endings.push(() => redis.kill());
  return `redis://127.0.0.1:${port}`;
}

/** Starts a Postgres for the example on a free port, and returns its URL. */
async function startDatabase(): Promise<string> {
  const { startPostgres } = await import("../test/support/servers/postgres-server.ts");
  const server = await startPostgres();
  endings.push(() => server[Symbol.asyncDispose]());
  return `postgres://postgres@127.0.0.1:${server.port}/postgres`;
}
