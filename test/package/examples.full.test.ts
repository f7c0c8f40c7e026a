// Copies the examples into an empty folder, installs the packages listed in the guide, and runs each example as described there.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createFakeService } from "messaging-service-client/testing";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { addSampleData } from "../../src/command/fake/fake-command.ts";
import { codeBlocksOf, readPage, SETUP } from "../docs/pages.ts";
import { accountOf } from "../support/run-example.ts";
import { newPort } from "../support/servers/new-port.ts";
import { startPostgres } from "../support/servers/postgres-server.ts";
import { hasRedis, startRedis } from "../support/servers/redis-server.ts";
import { examples } from "../tools/generate/example-list.ts";

const TIMEOUT_MS = 300_000;
const PAGE = readPage("docs/guides/examples.md");
const [copy = ""] = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script]) => script);
/** Returns the packages that an example needs, as listed in the guide's table. */
const needsOf = (name: string): readonly string[] => {
  const [, needs = ""] =
    new RegExp(`^\\| \\[${name}\\].* \\| (?:\`(.+)\`)?[^|]*\\|$`, "m").exec(PAGE) ?? [];
  return needs.split(" ").filter(Boolean);
};

/** Servers among the examples. They run until they are stopped. */
const SERVERS = ["browser", "order-ready", "web-form"];
/** Nonzero exit codes. The first run of this example only shows the messages. */
const CODES: Readonly<Record<string, number>> = { "from-spreadsheet": 1 };

describe("an empty folder with the copied examples", { timeout: TIMEOUT_MS }, () => {
  let folder: string;
  const npm = {
    npm_config_prefer_offline: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
  };
  const shell = (script: string) =>
    execFileSync("bash", ["--norc", "-euo", "pipefail", "-c", script], {
      cwd: folder,
      env: { ...process.env, ...npm },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "examples-"));
    const [tarball = ""] = globSync(join(inject("application"), "*.tgz"));
    shell(copy.replace("npm install messaging-service-client", `npm install ${tarball}`));
    shell(`npm install ${[...new Set(examples.flatMap(({ name }) => needsOf(name)))].join(" ")}`);
  }, TIMEOUT_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts an example in its folder with the guide's arguments and a fake service with the sample data of the command. */
  const start = async (name: string) => {
    const { path, input } = examples.find((example) => example.name === name) ?? {
      path: "",
      input: "",
    };
    const service = createFakeService();
    addSampleData(service);
    service.advance({ hours: 1 }); // the report is finished
    const cwd = dirname(join(folder, path));
    const env = {
      ...process.env,
      ...(await accountOf(service)),
      ...variables,
      POLL_MS: "50",
      PORT: "0",
    };
    const child = spawn("bash", ["-c", `exec ${process.execPath} ${basename(path)} ${input}`], {
      cwd,
      env,
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const shown = { text: "" };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        shown.text += text;
      });
    }
    return { child, shown, service };
  };
  const variables: Record<string, string> = {};

  test.each(examples.filter(({ servers }) => servers.length === 0).map(({ name }) => name))(
    "the example %s runs as the guide says, after the packages that its row names are installed",
    async (name) => {
      const { child, shown } = await start(name);
      if (SERVERS.includes(name)) {
        await expect.poll(() => shown.text, { timeout: 60_000 }).toMatch(/http:\/\/127/);
        child.kill("SIGTERM");
      }
      child.stdin.end();
      const [code, signal] = await once(child, "close");
      expect([code, signal, shown.text]).toEqual([CODES[name] ?? 0, null, expect.anything()]);
    },
  );

  if (!hasRedis)
    console.warn("SKIPPED: the examples that need Redis, for there is no redis-server");
  test.runIf(hasRedis).each(["fleet", "shared-throttle"])(
    "the example %s runs as the guide says, with the servers that its row names",
    async (name) => {
      await using redis = await startRedis(await newPort());
      await using postgres = await startPostgres();
      variables.REDIS_URL = `redis://127.0.0.1:${redis.port}`;
      variables.DATABASE_URL = `postgres://postgres@127.0.0.1:${postgres.port}/postgres`;
      const { child, shown } = await start(name);
      const [code] = await once(child, "close");
      expect([code, shown.text]).toEqual([0, expect.anything()]);
    },
  );

  test("a program that imports `./setup.ts` or `./status-of.ts`, and every example, compile in a person's editor", () => {
    const [editor = "", init = ""] = [
      ...readPage("docs/guides/getting-started.md").matchAll(
        /`(npm install --save-dev typescript[^`]*|npx tsc --init[^`]*)`/g,
      ),
    ].map(([, command = ""]) => command);
    shell(`${editor}\n${init}`);
    shell("npm install --save-dev @types/aws-lambda @types/express @types/koa");
    shell("npm install express koa @koa/router fastify h3 hono");
    const blocks = [
      "docs/guides/web-services.md",
      "docs/guides/send-many.md",
      "docs/guides/reports.md",
    ]
      .flatMap(codeBlocksOf)
      .filter(({ mark }) => mark === "" || mark.includes("examples.full.test.ts"));
    const files = blocks.map(({ code }, index) => {
      writeFileSync(join(folder, `block-${index}.ts`), `${code}\nexport {};\n`);
      return `block-${index}.ts`;
    });
    writeFileSync(join(folder, "setup.ts"), SETUP);
    shell("cp examples/web/status-of.ts .");
    // Next.js needs its own settings.
    const web = globSync("examples/web/*.ts", { cwd: folder, exclude: ["**/next-route.ts"] });
    const config = {
      extends: "./tsconfig.json",
      files: [...files, ...web, ...examples.map(({ path }) => path)],
    };
    writeFileSync(join(folder, "tsconfig.check.json"), JSON.stringify(config));
    const compiled = shell("npx tsc -p tsconfig.check.json || true");
    expect(compiled).toBe("");
  });

  test("the rows of a report are read as the guide says", async () => {
    const { code = "" } =
      codeBlocksOf("docs/guides/reports.md").find(({ mark }) =>
        mark.includes("examples.full.test.ts"),
      ) ?? {};
    writeFileSync(join(folder, "setup.ts"), SETUP);
    writeFileSync(join(folder, "rows.ts"), code);
    shell("npm install csv-parse");
    const shown = shell("node --import ./setup.ts rows.ts");
    expect(shown.trim().split("\n").length).toBeGreaterThan(1);
    expect(readFileSync(join(folder, "package.json"), "utf8")).toContain("csv-parse");
  });
});
