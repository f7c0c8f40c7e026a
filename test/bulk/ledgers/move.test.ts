// Moves a ledger as described in the guide "Operate durable sends".
import { execFile } from "node:child_process";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { TransactionalClient } from "messaging-service-client";
import { type Ledger, postgresLedger, sendMany, sqliteLedger } from "messaging-service-client/bulk";
import { createFakeService } from "messaging-service-client/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeBlocksOf } from "../../docs/pages.ts";
import { newApplication } from "../../support/application.ts";
import { installFixture } from "../../support/fixture.ts";
import {
  createPool,
  type Pool,
  type PostgresServer,
  startPostgres,
} from "../../support/servers/postgres-server.ts";

const TIMEOUT_MS = 120_000;
const run = promisify(execFile);

const entriesOf = async (ledger: Ledger) => {
  const entries = [];
  for await (const { ageMs: _, ...entry } of ledger.entries()) entries.push(entry);
  return entries;
};

describe("a ledger that moves", { timeout: TIMEOUT_MS }, () => {
  let folder: string;
  let server: PostgresServer;
  let pool: Pool;

  const service = createFakeService();
  const { transactionalBaseUrl: baseUrl, fetch, account } = service;
  const rcs = new TransactionalClient({ baseUrl, fetch, apiKey: account.apiKey });
  const messages = Array.from({ length: 40 }, (_, index) => ({
    phoneNumber: `+120655501${10 + index}`,
    webhookUrl: "https://example.com/webhooks/messages",
    rcsPayload: { text: "See you tomorrow" },
    smsFailover: "See you tomorrow",
  }));
  const sendTo = (ledger: Ledger, count: number) =>
    sendMany(rcs, messages.slice(0, count), {
      batch: "reminders",
      ledger,
      stopAfterFailures: false,
    });

  beforeAll(async () => {
    folder = newApplication(join(installFixture("first-ring"), "node_modules"));
    server = await startPostgres();
    pool = createPool(server.port);
    const ledger = sqliteLedger(join(folder, "sends.db"));
    service.failNext({ fault: "dropped", times: 3 });
    expect(await sendTo(ledger, 20)).toMatchObject({ accepted: 17, unknown: 3 });
    await ledger.close();
  }, TIMEOUT_MS);
  afterAll(async () => {
    await pool.end();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  test("the program of the guide moves every entry from SQLite to Postgres, even if it is run twice, and the next run texts nobody again", async () => {
    const program = codeBlocksOf("docs/guides/operate-durable-sends.md").find(({ code }) =>
      code.includes("INSERT INTO"),
    );
    writeFileSync(join(folder, "move.ts"), program?.code ?? "");
    const to = postgresLedger(pool);
    expect((await to.counts("reminders")).accepted).toBe(0); // creates the table
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${server.port}/postgres`;
    const env = { ...process.env, DATABASE_URL };
    for (let times = 0; times < 2; times += 1) {
      await run(process.execPath, ["move.ts"], { cwd: folder, env });
    }

    const from = sqliteLedger(join(folder, "sends.db"));
    expect(await to.counts("reminders")).toEqual(await from.counts("reminders"));
    expect(await entriesOf(to)).toEqual(await entriesOf(from));
    await from.close();

    const { accepted, skippedBy } = await sendTo(to, 40);
    expect([accepted, skippedBy]).toMatchObject([20, { acceptedBefore: 17, inDoubt: 3 }]);
    const phones = service.outbox.map(({ to: phone }) => phone);
    expect(new Set(phones).size).toBe(phones.length);
  });

  test("a copy by VACUUM INTO has every entry; a plain copy of the file alone can lack the latest entries", async () => {
    const path = join(folder, "copied.db");
    copyFileSync(join(folder, "sends.db"), path);
    const database = new DatabaseSync(path);
    const from = sqliteLedger(path);
    await sendTo(from, 40);
    copyFileSync(path, join(folder, "plain.db"));
    database.exec(`VACUUM INTO '${join(folder, "vacuumed.db")}'`);

    const vacuumed = sqliteLedger(join(folder, "vacuumed.db"));
    expect(await entriesOf(vacuumed)).toEqual(await entriesOf(from));
    const plain = sqliteLedger(join(folder, "plain.db"));
    expect((await entriesOf(plain)).length).toBeLessThan((await entriesOf(from)).length);
    await plain.close();
    await from.close();
    await vacuumed.close();
    database.close();
  });
});
