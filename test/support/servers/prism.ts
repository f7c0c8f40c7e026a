import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { installFixture } from "../fixture.ts";
import { newPort } from "./new-port.ts";

export const FIXTURE = new URL("../../fixtures/tools", import.meta.url).pathname;
export const DOCS = new URL("../../../docs/openapi", import.meta.url).pathname;

export const tool = (name: string): string => join(FIXTURE, "node_modules/.bin", name);

/** Installs Prism and redocly if they are missing, and returns whether they are available. */
export const installTools = (): boolean => {
  try {
    installFixture("tools");
    return true;
  } catch {
    console.warn(
      "SKIPPED: the OpenAPI documents are not checked, because Prism and redocly are not installed",
    );
    return false;
  }
};

/** A document served by Prism, which responds with an error to any request that violates it. */
export interface Prism {
  readonly baseUrl: string;
  readonly stop: () => Promise<void>;
}

/** Starts Prism in place of the service or, if the service's URL is given, in front of it, where it checks only responses. */
export const startPrism = async (document: string, service?: string): Promise<Prism> => {
  const port = await newPort();
  const [command, upstream] = service
    ? [["proxy", "--validate-request=false"], [service]]
    : [["mock"], []];
  const child: ChildProcess = spawn(
    process.execPath,
    [
      ...[tool("prism"), ...command, "--errors", "--port", String(port)],
      ...[join(DOCS, document), ...upstream],
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  // Read to the end, because Prism exits if its output is not read.
  await new Promise<void>((resolve, reject) => {
    let log = "";
    child.stdout?.on("data", (chunk) => {
      log += chunk;
      if (log.includes("is listening")) resolve();
    });
    child.once("exit", () => reject(new Error(`Prism has ended:\n${log}`)));
  });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, "exit");
    },
  };
};
