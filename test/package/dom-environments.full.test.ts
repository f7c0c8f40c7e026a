// The packed package in the environments of Jest and vitest. Most of their globals differ from those of Node and of browsers.
import { execFile } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { account, list, page, transaction } from "../support/calls.ts";
import { installFixture } from "../support/fixture.ts";
import { type Loopback, startLoopback } from "../support/servers/loopback.ts";

const PROGRAMS = new URL("../support/programs/", import.meta.url).pathname;
const application = inject("application");

const refusal = {
  error: "Invalid request",
  errors: [{ code: "custom", message: "no", path: ["name"] }],
};

/** A server that accepts calls from any origin. */
let server: Loopback;
beforeAll(async () => {
  server = await startLoopback(({ request: { method, url, headers }, response }) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*, authorization");
    response.setHeader("access-control-allow-methods", "*");
    const [status, body] = url.startsWith("/refused")
      ? [400, refusal]
      : url.endsWith("/me")
        ? [200, account]
        : url.startsWith("/api/v2/lists?")
          ? [200, { ...page, lists: [list.list] }]
          : [200, { ...transaction, got: headers["x-a"] }];
    if (method === "OPTIONS") response.writeHead(204).end();
    else if (!url.startsWith("/hang")) response.writeHead(status).end(JSON.stringify(body));
  });
  for (const name of ["dom-suite.cjs", "jsdom-with-fetch.cjs"]) {
    copyFileSync(join(PROGRAMS, name), join(application, name));
  }
  writeFileSync(join(application, "dom-suite.test.mjs"), 'import "./dom-suite.cjs";\n');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const pathIn = (fixture: string, name: string) =>
  createRequire(join(installFixture(fixture), "package.json")).resolve(name);

const resultsOf = (name: string) => join(application, `dom-results-${name}.json`);
const readResults = (name: string) => JSON.parse(readFileSync(resultsOf(name), "utf8"));

/** Runs the suite in a test runner. The runner writes the result of each step in each of its environments. */
const run = async (program: string, args: readonly string[]) => {
  const env = {
    ...process.env,
    SERVICE_URL: server.baseUrl,
    JEST_JSDOM: pathIn("test-runners", "jest-environment-jsdom"),
    NODE_FETCH: pathIn("second-ring", "node-fetch-2"),
  };
  const path = join(installFixture("test-runners"), "node_modules", program);
  await promisify(execFile)(process.execPath, [path, ...args], { cwd: application, env });
};

/** The default timeout of both runners, five seconds, is too short on a busy machine. */
const SLOWLY = "--testTimeout=60000";
const runJest = (environments: Readonly<Record<string, string>>) => {
  const projects = Object.entries(environments).map(([name, testEnvironment]) => ({
    ...{ displayName: name, rootDir: application, testMatch: ["**/dom-suite.cjs"] },
    // The suite is CommonJS and needs no transform, so Jest does not load Babel.
    ...{ testEnvironment, globals: { RESULTS: resultsOf(name) }, transform: {} },
  }));
  return run("jest/bin/jest.js", ["--config", JSON.stringify({ projects }), "-i", SLOWLY]);
};
const runVitest = (environments: readonly string[]) => {
  const projects = environments.map((environment) => {
    const env = { RESULTS: resultsOf(environment) };
    const include = ["dom-suite.test.mjs"];
    return { test: { name: environment, environment, env, include, globals: true } };
  });
  const config = `export default ${JSON.stringify({ test: { projects } })};`;
  writeFileSync(join(application, "vitest.config.mjs"), config);
  return run("vitest/vitest.mjs", ["run", "--root", application, SLOWLY]);
};

const sent = { ...transaction, got: "1" };
const refused = "ValidationError: GET /refused: Invalid request: name: no (rejected, false, 1)";
/** Steps that do not depend on the environment. */
const WITH_NODE_FETCH = {
  constructors: 2,
  "node-fetch, send": sent,
  "node-fetch, refused": refused,
  "node-fetch, wrong": expect.stringMatching(/^ResponseValidationError: .+ lacks `list`/),
  "node-fetch, walk": [{ id: list.list.id }],
};
const WITH_FETCH = {
  "own fetch, send": sent,
  "own fetch, get": account.account,
  "own fetch, refused": refused,
  "own fetch, abort": "AbortError: GET /hang: aborted (unknown, false, 1)",
  fake: 1,
};

describe("DOM environments", () => {
  // One process per runner takes half as long as one process per environment.
  beforeAll(async () => {
    await runJest({
      "jest-jsdom": pathIn("test-runners", "jest-environment-jsdom"),
      "jest-jsdom-fetch": join(application, "jsdom-with-fetch.cjs"),
      "jest-node": "node",
    });
    await runVitest(["jsdom", "happy-dom", "node"]);
  });

  test("clients work under Jest with jsdom, and name what it lacks", () => {
    const missing = "this environment has no `fetch`: pass the option `fetch`";
    expect(readResults("jest-jsdom")).toMatchObject({
      ...WITH_NODE_FETCH,
      "own fetch, get": `ConnectionError: GET /api/v2/accounts/me: ${missing} (not_sent, false, 1)`,
      fake: expect.stringContaining("Request is not defined"),
    });
  });

  test("under Jest with jsdom and Node's fetch, the error names the signal that fetch refuses", () => {
    const told =
      /^ConnectionError: .+`fetch` threw TypeError: .+AbortSignal.+\(unknown, false, 1\)$/;
    expect(readResults("jest-jsdom-fetch")).toMatchObject({
      ...WITH_NODE_FETCH,
      "own fetch, send": expect.stringMatching(told),
      "own fetch, get": expect.stringMatching(told),
    });
  });

  test("clients work under Jest with node, where they call fetch: Jest hides the process's dispatcher", () => {
    const ends = { ...WITH_NODE_FETCH, ...WITH_FETCH, "own fetch, carrier": "fetch" };
    expect(readResults("jest-node")).toMatchObject(ends);
  });

  test.each([
    ["jsdom", "dispatcher"],
    ["happy-dom", "fetch"],
    ["node", "dispatcher"],
  ])("clients work under vitest with %s, where an attempt calls: %s", (environment, carrier) => {
    const ends = { ...WITH_NODE_FETCH, ...WITH_FETCH, "own fetch, carrier": carrier };
    expect(readResults(environment)).toMatchObject(ends);
  });
});
