// Runs an example as a child process against the fake service of a test, over real HTTP on loopback.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { FakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";
import { onTestFinished } from "vitest";
import { newApplication } from "./application.ts";
import { installExamplePackages } from "./example-packages.ts";

export const EXAMPLES = new URL("../../examples/", import.meta.url).pathname;

export const WITH_PACKAGES = join(EXAMPLES, "with-packages");

/** Creates a folder that is removed when the test ends. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "examples-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Copies the examples in `with-packages` into an application, as a person would, and returns its folder. */
export const copyExamples = (): string => {
  const folder = newApplication(installExamplePackages());
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of readdirSync(WITH_PACKAGES)) {
    copyFileSync(join(WITH_PACKAGES, file), join(folder, file));
  }
  return folder;
};

/** Registers a function that ends a process or a server. By default, it is called at the end of the test. */
type OnEnd = (end: () => Promise<void> | void) => unknown;

/** Returns the environment variables that make an example use a fake service. */
export const accountOf = async (service: FakeService, onEnd: OnEnd = onTestFinished) => {
  const { account } = service;
  const server = await listen(service);
  onEnd(() => server.close());
  return {
    MESSAGING_V2_BASE_URL: server.v2BaseUrl,
    MESSAGING_V2_EMAIL: account.email,
    MESSAGING_V2_API_KEY: account.apiKey,
    MESSAGING_TRANSACTIONAL_BASE_URL: server.transactionalBaseUrl,
    MESSAGING_TRANSACTIONAL_API_KEY: account.apiKey,
  };
};

/** Starts `node FILE …`. Without a service, the environment contains no account. */
export const start = async (
  file: string,
  args: readonly string[],
  service?: FakeService,
  variables: Readonly<Record<string, string>> = {},
  onEnd: OnEnd = onTestFinished,
) => {
  const others = Object.entries(process.env).filter(([key]) => !key.startsWith("MESSAGING_"));
  const account = service ? await accountOf(service, onEnd) : {};
  const env = { ...Object.fromEntries(others), POLL_MS: "50", ...account, ...variables };
  const child = spawn(process.execPath, [resolve(EXAMPLES, file), ...args], { env });
  onEnd(() => void child.kill());
  const shown = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    shown.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    shown.stderr += chunk;
  });
  return { child, shown };
};

/** Runs an example, and returns its output and exit code. */
export const run = async (
  file: string,
  args: readonly string[] = [],
  service?: FakeService,
  variables: Readonly<Record<string, string>> = {},
) => {
  const { child, shown } = await start(file, args, service, variables);
  const [code] = await once(child, "close");
  return { ...shown, code: code as number };
};
