// The table of agents in the guide "Tracing and privacy": what each real agent sends to its collector about a removal.
import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { createFakeService } from "messaging-service-client/testing";
import { type ListeningService, listen } from "messaging-service-client/testing/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT, readPage } from "../docs/pages.ts";
import { newApplication } from "../support/application.ts";
import { installFixture } from "../support/fixture.ts";
import { type Collector, placesOf, startCollector } from "./collector.ts";

const PAGE = "docs/guides/tracing-and-privacy.md";
const PROGRAM = "agent-program.ts";
const HOST = "https://app.example.com";
/** Phone numbers of the removals that the agent shows, and of the removals that the setup in the guide hides. */
const SHOWN = { bare: "2065550101", traced: "2065550102", alone: "2065550105", listId: 17 };
const HIDDEN = { bare: "2065550103", traced: "2065550104", alone: "2065550106", listId: 27 };
type Phones = typeof SHOWN;

/** An agent and its row in the guide's table. */
interface AgentRow {
  /** First cell of the row, where `%` stands for the installed version. */
  readonly title: string;
  /** Name of the agent in the program. */
  readonly name: string;
  /** Name of the package in the fixture. */
  readonly packageName: string;
  /** Name of the package that the guide imports. */
  readonly importedAs: string;
  /** Places where the phone number appears, without and with `traced`. */
  readonly bare: readonly string[];
  readonly traced: readonly string[];
  /** Places where it appears with `traced` outside a transaction; absent if the table does not say. */
  readonly alone?: readonly string[];
  /** Places where the endpoint appears. Events and errors contain it, so it shows that the agent has received them. */
  readonly endpoint: readonly string[];
  /** Whether the setup hides phone numbers for every host. Default: `false`. */
  readonly hidesAll?: boolean;
  /** Whether the spans of `traced` reach the agent. Default: `true`. */
  readonly isBridged?: boolean;
  /** Variables that configure the collector's address and stop the agent from contacting other hosts. */
  readonly env: (collector: Collector) => Readonly<Record<string, string>>;
}

const url = ({ port }: Collector): string => `http://127.0.0.1:${port}`;

const sentry = {
  name: "sentry",
  importedAs: "@sentry/node",
  endpoint: ["spans", "errors", "breadcrumbs"],
  env: ({ port }: Collector) => ({ SENTRY_DSN: `http://key@127.0.0.1:${port}/1` }),
};
const datadog = {
  name: "datadog",
  importedAs: "dd-trace",
  endpoint: ["spans"],
  bare: ["spans"],
  traced: ["spans"],
  env: (collector: Collector) => ({
    DD_TRACE_AGENT_URL: url(collector),
    DD_INSTRUMENTATION_TELEMETRY_ENABLED: "false",
    DD_REMOTE_CONFIGURATION_ENABLED: "false",
  }),
};
const elastic = {
  name: "elastic",
  packageName: "elastic-apm-node",
  importedAs: "elastic-apm-node",
  endpoint: ["spans", "errors"],
  bare: ["spans"],
};
const elasticEnv = (collector: Collector) => ({
  ELASTIC_APM_SERVER_URL: url(collector),
  ELASTIC_APM_CLOUD_PROVIDER: "none",
  ELASTIC_APM_CENTRAL_CONFIG: "false",
});

const AGENTS: readonly AgentRow[] = [
  {
    title: "OpenTelemetry, `sdk-node` %",
    name: "opentelemetry",
    packageName: "@opentelemetry/sdk-node",
    importedAs: "@opentelemetry/sdk-node",
    endpoint: ["spans", "logs"],
    bare: ["spans"],
    traced: [],
    env: (collector) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: url(collector),
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_LOGS_EXPORTER: "otlp",
      OTEL_METRICS_EXPORTER: "otlp",
    }),
  },
  {
    ...sentry,
    title: "Sentry %",
    packageName: "sentry-10",
    bare: ["spans", "breadcrumbs"],
    traced: [],
  },
  {
    ...sentry,
    title: "Sentry %",
    packageName: "sentry-11",
    bare: ["spans", "breadcrumbs"],
    traced: ["spans", "breadcrumbs"],
  },
  { ...datadog, title: "Datadog `dd-trace` %", packageName: "dd-trace-5" },
  { ...datadog, title: "Datadog `dd-trace` %", packageName: "dd-trace-6" },
  {
    title: "New Relic %",
    name: "newrelic",
    packageName: "newrelic",
    importedAs: "newrelic",
    hidesAll: true,
    endpoint: ["spans", "logs", "errors"],
    bare: ["spans"],
    traced: ["spans"],
    env: ({ port }) => ({
      NEW_RELIC_LICENSE_KEY: "0".repeat(40),
      NEW_RELIC_HOST: "localhost",
      NEW_RELIC_PORT: `${port}`,
      NEW_RELIC_LOG_ENABLED: "false",
      ...Object.fromEntries(
        ["AWS", "AZURE", "GCP", "PCF", "DOCKER", "KUBERNETES"].map((cloud) => [
          `NEW_RELIC_UTILIZATION_DETECT_${cloud}`,
          "false",
        ]),
      ),
    }),
  },
  {
    ...elastic,
    title: "Elastic APM % in a transaction",
    traced: [],
    alone: ["spans"],
    env: elasticEnv,
  },
  {
    ...elastic,
    title: "Elastic APM % without `opentelemetryBridgeEnabled`",
    traced: ["spans"],
    isBridged: false,
    env: (collector) => ({
      ...elasticEnv(collector),
      ELASTIC_APM_OPENTELEMETRY_BRIDGE_ENABLED: "false",
    }),
  },
];

/** Setup code from the guide. */
const SET_UPS = [...readPage(PAGE).matchAll(/```[jt]s\n([\s\S]*?)```/g)].map(
  ([, code = ""]) => code,
);

const setUpOf = ({ importedAs }: AgentRow): string => {
  const isNewRelic = importedAs === "newrelic";
  const words = isNewRelic ? "exports.config" : `from "${importedAs}"`;
  const found = SET_UPS.filter((code) => code.includes(words));
  expect(found, importedAs).toHaveLength(1);
  return found[0] ?? "";
};

describe("what the agents of the guide show", { timeout: 180_000 }, () => {
  let folder: string;
  let server: ListeningService;
  let hidden: ListeningService;
  const service = createFakeService();

  beforeAll(async () => {
    folder = newApplication(join(installFixture("agents"), "node_modules"));
    copyFileSync(join(ROOT, "test/support/programs", PROGRAM), join(folder, PROGRAM));
    server = await listen(service);
    hidden = await listen(service);
  });
  afterAll(async () => {
    await Promise.all([server.close(), hidden.close()]);
    rmSync(folder, { recursive: true });
  });

  /**
   * Runs the program with an agent and returns what the collector received. The setup in the guide hides phone numbers only for
   * the host in its example.
   */
  const watch = async (row: AgentRow, format: "esm" | "cjs", seen: readonly Phones[]) => {
    const { name, packageName, importedAs, env } = row;
    await using collector = await startCollector(name === "newrelic");
    const cwd = mkdtempSync(join(folder, "process-"));
    const setUp = setUpOf(row).replaceAll(HOST, new URL(hidden.v2BaseUrl).origin);
    const code = seen.includes(HIDDEN) ? setUp : setUp.replaceAll("/subscribers/", "/elsewhere/");
    const isConfig = name === "newrelic";
    const source = isConfig ? 'import "newrelic";' : code.replace(importedAs, packageName);
    const extension = format === "esm" ? "mjs" : "cjs";
    const instrument = join(cwd, `instrument.${extension}`);
    writeFileSync(instrument, (await transform(source, { loader: "ts", format })).code);
    if (isConfig) writeFileSync(join(cwd, "newrelic.cjs"), code);
    if (collector.cert) writeFileSync(join(cwd, "cert.pem"), collector.cert);
    const option = format === "esm" ? "--import" : "--require";
    const args = [PROGRAM, name, packageName, format];
    await promisify(execFile)(process.execPath, [option, instrument, ...args], {
      cwd: folder,
      timeout: 60_000,
      env: {
        ...process.env,
        ...env(collector),
        ...(isConfig ? { NEW_RELIC_HOME: cwd, NODE_EXTRA_CA_CERTS: join(cwd, "cert.pem") } : {}),
        SERVICES: JSON.stringify(
          seen.map(({ alone, ...phones }) => ({
            ...phones,
            ...(row.alone ? { alone } : {}),
            baseUrl: (alone === HIDDEN.alone ? hidden : server).v2BaseUrl,
          })),
        ),
        MESSAGING_V2_EMAIL: service.account.email,
        MESSAGING_V2_API_KEY: service.account.apiKey,
      },
    });
    // An agent that sends nothing must not pass.
    expect(placesOf(collector, "job")).toContain("spans");
    return collector;
  };

  const versionOf = (packageName: string): string => {
    const path = join(folder, "node_modules", packageName, "package.json");
    return JSON.parse(readFileSync(path, "utf8")).version;
  };

  test("every row of the guide's table names an agent that the tests run", () => {
    const [table = ""] = readPage(PAGE).match(/\| agent \|.*\n(?:\|.*\n)+/) ?? [];
    expect(table.trimEnd().split("\n").slice(2)).toHaveLength(AGENTS.length);
  });

  test.each(AGENTS)(
    "$title ($packageName) shows what the guide says, and nothing after the guide's set-up",
    async (row) => {
      const processes = row.hidesAll
        ? [watch(row, "esm", [SHOWN]), watch(row, "cjs", [SHOWN]), watch(row, "esm", [HIDDEN])]
        : [watch(row, "esm", [SHOWN, HIDDEN]), watch(row, "cjs", [SHOWN, HIDDEN])];
      const collectors = await Promise.all(processes);
      for (const collector of collectors.slice(0, 2)) {
        expect(placesOf(collector, SHOWN.bare)).toEqual(row.bare);
        expect(placesOf(collector, SHOWN.traced)).toEqual(row.traced);
        expect(placesOf(collector, SHOWN.alone)).toEqual(row.alone ?? []);
        expect(placesOf(collector, "{SUBSCRIBER_ID}")).toEqual(row.endpoint);
        const spans = row.isBridged === false ? [] : ["spans"];
        expect(placesOf(collector, `${SHOWN.listId + 1}/subscribers/REDACTED`)).toEqual(spans);
      }
      for (const collector of collectors) {
        const hidden = [HIDDEN.bare, HIDDEN.traced, HIDDEN.alone].flatMap((phone) =>
          placesOf(collector, phone),
        );
        expect(hidden).toEqual([]);
      }
      const cells = [row.bare, row.traced].map((places) => places.join(" and ") || "nothing");
      const title = row.title.replace("%", versionOf(row.packageName));
      expect(readPage(PAGE)).toContain(`| ${[title, ...cells].join(" | ")} |`);
    },
  );
});
