// How a client without the option `fetch` reaches the network, in processes of the oldest and the newest minor of each major
// version of Node. Compares what each process observes of the client's attempts and of a `fetch` request.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERSION } from "../../../src/core/transport/platform.ts";
import { bundleProgram } from "../../support/bundle.ts";
import { account } from "../../support/calls.ts";
import { installFixture } from "../../support/fixture.ts";
import { type Loopback, respond, startLoopback } from "../../support/servers/loopback.ts";

const run = promisify(execFile);
const CHILD = new URL("../../support/programs/default-adapter-child.ts", import.meta.url).pathname;

const runtimes = join(installFixture("runtimes"), "node_modules");
const NODES = [
  ["the oldest Node 22", join(runtimes, "node22-lowest/bin/node")],
  ["the newest Node 22", join(runtimes, "node22/bin/node")],
  ["the oldest Node 24", join(runtimes, "node24-lowest/bin/node")],
  ["the newest Node 24", process.execPath],
  ["the oldest Node 26", join(runtimes, "node26-lowest/bin/node")],
  ["the newest Node 26", join(runtimes, "node26/bin/node")],
] as const;

/** The events that a process observed for a request, and the end of the request. */
interface Watched {
  readonly end: string;
  readonly seen: readonly string[];
}
/** Events of the diagnostics channels. */
const EVENTS = ["create in the context of the call", "headers", "trailers"];
const INSPECTED = ["loadingFinished", "requestWillBeSent", "responseReceived"];
const USER_AGENT = `messaging-service-client/${VERSION}`;

/** Returns Node options that run code of an application before the program. */
const before = (code: string): readonly string[] => [
  "--import",
  `data:text/javascript,${encodeURIComponent(code)}`,
];

const PATCH = before(`const { fetch } = globalThis;
  globalThis.fetch = (...args) => (see("patch"), fetch(...args));`);

const UNKNOWN_UNDICI = before(
  `Object.defineProperty(process.versions, "undici", { value: "9.0.0" });`,
);

const INSPECTOR = before(`import { Session } from "node:inspector";
  const session = new Session();
  session.connect();
  session.post("Network.enable");
  for (const name of ${JSON.stringify(INSPECTED)}) session.on("Network." + name, () => see(name));`);

/** A dispatcher that is not part of undici. It forwards requests to Node's dispatcher. */
const FOREIGN = before(`void Response;
  for (const version of [1, 2]) {
    const key = Symbol.for("undici.globalDispatcher." + version);
    const own = globalThis[key];
    if (own) globalThis[key] = { dispatch: (...args) => (see("foreign"), own.dispatch(...args)) };
  }`);

const importUndici = (major: number): string => {
  const fixture = createRequire(join(installFixture("first-ring"), "package.json"));
  return `import undici from ${JSON.stringify(pathToFileURL(fixture.resolve(`undici-${major}`)))};`;
};
const globalAgent = (major: number) =>
  before(`${importUndici(major)}
    const agent = new undici.Agent();
    const dispatch = agent.dispatch.bind(agent);
    agent.dispatch = (...args) => (see("dispatch"), dispatch(...args));
    undici.setGlobalDispatcher(agent);`);
const globalMock = (major: number) =>
  before(`${importUndici(major)}
    const mock = new undici.MockAgent();
    const data = ${JSON.stringify(account)};
    const reply = () => (see("mock"), { statusCode: 200, data });
    mock.get(process.argv[2]).intercept({ path: "/api/v2/accounts/me" }).reply(reply).persist();
    undici.setGlobalDispatcher(mock);`);

/** Starts a proxy that responds in place of the service. It supports tunnels and, for undici 8 with http URLs, plain requests. */
const startProxy = async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.setHeader("content-type", "application/json").end(JSON.stringify(account));
  });
  server.on("connect", (_, socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    server.emit("connection", socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: () => requests,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
};

const folder = mkdtempSync(join(tmpdir(), "platform-"));
let program: string;
let server: Loopback;
beforeAll(async () => {
  program = await bundleProgram(CHILD, folder);
  server = await startLoopback(respond(200, account));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

describe.each(NODES)("in %s", (name, node) => {
  let version: readonly number[];
  beforeAll(async () => {
    const { stdout } = await run(node, ["-p", "process.versions.node"]);
    version = stdout.split(".").map(Number);
  });
  const isFrom = (atLeastMajor: number, atLeastMinor: number): boolean => {
    const [major = 0, minor = 0] = version;
    return major > atLeastMajor || (major === atLeastMajor && minor >= atLeastMinor);
  };

  /** Returns the carrier of an attempt if nothing is patched. Before 22.3, Node cannot decode bodies outside of `fetch`. */
  const byDefault = (): string => (isFrom(22, 3) ? "dispatcher" : "fetch");

  /** Runs the program. Returns the observations of each thread for a `fetch` request and for an attempt of the client. */
  const watchThreads = async (
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    flags: readonly string[] = [],
  ): Promise<readonly { readonly byFetch: Watched; readonly byClient: Watched }[]> => {
    const options = { env: { ...process.env, ...env } };
    const { stdout } = await run(node, [...args, program, server.baseUrl, ...flags], options);
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  const watch = async (args: readonly string[], env?: Readonly<Record<string, string>>) => {
    const [thread] = await watchThreads(args, env);
    return thread as NonNullable<typeof thread>;
  };

  test("an attempt of any thread goes to the process's dispatcher, before Node 22.3 through fetch, and diagnostics channels report it in its context", async () => {
    const threads = await watchThreads([], {}, ["worker"]);
    expect(threads).toHaveLength(2);
    for (const { byFetch, byClient } of threads) {
      expect(byClient).toEqual({ end: byDefault(), seen: EVENTS });
      expect(byFetch.seen).toEqual(EVENTS);
    }
    expect(server.requests.at(-1)?.headers["user-agent"]).toBe(USER_AGENT);
  });

  test("an attempt calls a patched fetch, with the user agent of the package", async () => {
    const { byFetch, byClient } = await watch(PATCH);
    expect(byClient).toEqual({ end: "fetch", seen: byFetch.seen });
    expect(byFetch.seen).toContain("patch");
    expect(server.requests.at(-1)?.headers["user-agent"]).toBe(USER_AGENT);
  });

  test("an attempt calls fetch if the version of undici is unknown", async () => {
    const { byClient } = await watch(UNKNOWN_UNDICI);
    expect(byClient).toEqual({ end: "fetch", seen: EVENTS });
  });

  test("an attempt reaches a dispatcher that is not undici's as fetch does", async () => {
    const { byFetch, byClient } = await watch(FOREIGN);
    expect(byClient).toEqual({ end: byDefault(), seen: byFetch.seen });
    expect(byFetch.seen).toContain("foreign");
  });

  test.for([6, 7, 8])(
    "an attempt reaches the global Agent or MockAgent of undici %i wherever fetch does",
    async (major, { skip }) => {
      skip(major === 8 && !isFrom(22, 19), "undici 8 needs Node 22.19");
      // The `fetch` of Node 26 does not read the symbol under which undici 6 sets its dispatcher.
      const isSeen = major > 6 || !isFrom(26, 0);
      // An Agent and a MockAgent are reached in the same way, so each major of Node tests each of them once.
      const isAgent = name.includes("newest");
      const { byFetch, byClient } = await watch((isAgent ? globalAgent : globalMock)(major));
      expect(byClient).toEqual({ end: byDefault(), seen: byFetch.seen });
      expect(byFetch.seen.includes(isAgent ? "dispatch" : "mock")).toBe(isSeen);
    },
  );

  test("an attempt goes through the proxy that NODE_USE_ENV_PROXY turns on", async () => {
    using proxy = await startProxy();
    const env = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxy.url, NO_PROXY: "" };
    const before = server.requests.length;
    expect((await watch([], env)).byClient.end).toBe(byDefault());
    const isKnown = isFrom(24, 0) || isFrom(22, 21);
    expect([proxy.seen(), server.requests.length - before]).toEqual(isKnown ? [2, 0] : [0, 2]);
  });

  test("the inspector shows an attempt as it shows fetch", async ({ skip }) => {
    skip(!isFrom(24, 0), "Node 22 does not show its inspector the requests of fetch");
    const { byFetch, byClient } = await watch(["--experimental-network-inspection", ...INSPECTOR]);
    expect(byClient.seen).toEqual([...EVENTS, ...INSPECTED].toSorted());
    expect(byFetch.seen).toEqual(byClient.seen);
  });

  test("an attempt needs the permission for the network, and is not sent without it", async () => {
    const name = isFrom(22, 13) ? "--permission" : "--experimental-permission";
    const permission = [name, "--allow-fs-read=*"];
    // Node 22 and 24 have no permission for the network.
    const isGuarded = isFrom(25, 0);
    const { byClient } = await watch([...permission, ...(isGuarded ? ["--allow-net"] : [])]);
    expect(byClient).toEqual({ end: byDefault(), seen: EVENTS });
    if (!isGuarded) return;
    const denied = await watch(permission);
    expect(denied.byFetch.end).toBe("ERR_ACCESS_DENIED");
    expect(denied.byClient).toEqual({ end: "connection: not_sent", seen: denied.byFetch.seen });
  });
});
