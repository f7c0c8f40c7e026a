import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, inject, onTestFinished, test } from "vitest";

const DIST = join(inject("application"), "node_modules/messaging-service-client/dist");

/** String that only the page of the inbox contains. */
const PAGE = "Waiting for the first message";

/** Returns the code that a file loads immediately: its own code and its static imports. */
const loadedAtOnce = (file: string, seen = new Set<string>()): string => {
  if (seen.has(file)) return "";
  seen.add(file);
  const code = readFileSync(file, "utf8");
  const statics = code.replace(/=> [^\n;]*\brequire\([^)]*\)/g, "");
  const specifiers = [
    ...statics.matchAll(/(?:\bfrom|\bimport|\brequire\()\s*["'](\.[^"'\n]+)["']/g),
  ].map(([, specifier = ""]) => specifier);
  return [code, ...specifiers.map((name) => loadedAtOnce(join(dirname(file), name), seen))].join();
};

describe.each(["js", "cjs"])("the inbox in dist/*.%s", (extension) => {
  test("the inbox is in exactly one file of the package", () => {
    const files = readdirSync(DIST).filter((name) => name.endsWith(`.${extension}`));
    const carriers = files.filter((name) => readFileSync(join(DIST, name), "utf8").includes(PAGE));
    expect(carriers).toHaveLength(1);
  });

  test.each(["index", "v2", "transactional", "schemas", "testing", "testing/msw", "testing/node"])(
    "the inbox is not loaded by %s",
    (entry) => {
      const code = loadedAtOnce(join(DIST, `${entry}.${extension}`));
      expect(code.length).toBeGreaterThan(1000);
      expect(code).not.toContain(PAGE);
    },
  );
});

describe("the inbox of the fake command", () => {
  /** Starts the command. Returns a function that reads its output so far. */
  const start = async (...args: readonly string[]): Promise<() => string> => {
    const command = join(dirname(dirname(DIST)), ".bin/messaging-service-client");
    const child = spawn(command, ["fake", "--port", "0", ...args]);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    onTestFinished(async () => {
      child.kill();
      await once(child, "exit");
    });
    await expect.poll(() => output, { timeout: 20_000 }).toMatch(/^contents [\s\S]*\n\n/m);
    return () => output;
  };
  const inboxOf = (output: string) => /^inbox {2,}(\S+)$/m.exec(output)?.[1];

  test("the fake command prints the URL of the inbox, and serves it with its policy", async () => {
    const url = inboxOf((await start())());
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/__fake\/$/);
    const page = await fetch(url ?? "");
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'self';/);
    expect(await page.text()).toContain('src="inbox.js"');
    expect(await (await fetch(`${url}inbox.js`)).text()).toContain(PAGE);
    expect((await fetch(`${url}state`)).status).toBe(200);
  });

  test("the fake command serves no inbox with --no-inbox", async () => {
    const output = await start("--host", "0.0.0.0", "--no-inbox");
    expect(inboxOf(output())).toBeUndefined();
    const baseUrl = /^version 2 +(\S+)/m.exec(output())?.[1];
    expect((await fetch(`${baseUrl}/__fake/`)).status).toBe(501);
    await expect.poll(output).toContain(" 501 ");
    expect(output()).not.toContain("WARNING");
  });

  test("the fake command warns that everyone can read and control it if --host is not loopback", async () => {
    expect((await start())()).not.toContain("WARNING");
    const output = await start("--host", "0.0.0.0");
    await expect.poll(output).toMatch(/everyone .* can read and control/);
  });
});
