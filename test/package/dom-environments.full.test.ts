// The packed package in the environments of Jest and vitest, most of whose globals differ from those of Node and of a browser.
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
const results = join(application, "dom-results.json");

const refusal = {
  error: "Invalid request",
  errors: [{ code: "custom", message: "no", path: ["name"] }],
};

/** A server that any origin may call. */
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

/** Runs the suite in a test runner, and returns how each of its steps ended. */
const run = async (program: string, args: readonly string[]) => {
  writeFileSync(results, "{}");
  const env = {
    ...process.env,
    SERVICE_URL: server.baseUrl,
    JEST_JSDOM: pathIn("test-runners", "jest-environment-jsdom"),
    NODE_FETCH: pathIn("second-ring", "node-fetch-2"),
    RESULTS: results,
  };
  await promisify(execFile)(process.execPath, [program, ...args], { cwd: application, env });
  return JSON.parse(readFileSync(results, "utf8"));
};

/** A busy machine needs more than the five seconds of both runners. */
const SLOWLY = "--testTimeout=60000";
const inJest = (environment: string) => {
  const args = ["--rootDir", application, "--testMatch", "**/dom-suite.cjs", SLOWLY];
  return run(join(installFixture("test-runners"), "node_modules/jest/bin/jest.js"), [
    ...args,
    "--env",
    environment,
  ]);
};
const inVitest = (environment: string) => {
  const folder = join(installFixture("test-runners"), "node_modules/vitest");
  const args = ["run", "--root", application, "--globals", "--environment", environment, SLOWLY];
  return run(join(folder, "vitest.mjs"), [...args, "dom-suite.test.mjs"]);
};

const sent = { ...transaction, got: "1" };
const refused = "ValidationError: GET /refused: Invalid request: name: no (rejected, false, 1)";
/** Steps that need nothing from the environment. */
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
  test("clients work under Jest with jsdom, and name what it lacks", async () => {
    const missing = "this environment has no `fetch`: pass the option `fetch`";
    expect(await inJest(pathIn("test-runners", "jest-environment-jsdom"))).toMatchObject({
      ...WITH_NODE_FETCH,
      "own fetch, get": `ConnectionError: GET /api/v2/accounts/me: ${missing} (not_sent, false, 1)`,
      fake: expect.stringContaining("Request is not defined"),
    });
  });

  test("under Jest with jsdom and Node's fetch, the error names the signal that fetch refuses", async () => {
    const told =
      /^ConnectionError: .+`fetch` threw a TypeError: .+AbortSignal.+\(not_sent, false, 1\)$/;
    expect(await inJest(join(application, "jsdom-with-fetch.cjs"))).toMatchObject({
      ...WITH_NODE_FETCH,
      "own fetch, send": expect.stringMatching(told),
      "own fetch, get": expect.stringMatching(told),
    });
  });

  test("clients work under Jest with node, where they call fetch: Jest hides the process's dispatcher", async () => {
    const ends = { ...WITH_NODE_FETCH, ...WITH_FETCH, "own fetch, carrier": "fetch" };
    expect(await inJest("node")).toMatchObject(ends);
  });

  test.each([
    ["jsdom", "dispatcher"],
    ["happy-dom", "fetch"],
    ["node", "dispatcher"],
  ])(
    "clients work under vitest with %s, where an attempt calls: %s",
    async (environment, carrier) => {
      const ends = { ...WITH_NODE_FETCH, ...WITH_FETCH, "own fetch, carrier": carrier };
      expect(await inVitest(environment)).toMatchObject(ends);
    },
  );
});
