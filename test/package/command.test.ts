import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";

const application = inject("application");
const COMMAND = join(application, "node_modules/.bin/messaging-service-client");

/** Program of an application that leaves one key in doubt. */
const PROGRAM = `
  import { sqliteLedger } from "messaging-service-client/bulk";
  const ledger = sqliteLedger(process.argv[1]);
  const at = new Date(0).toISOString();
  await ledger.claim({ id: "i", batch: "b", key: "order-17", digest: "d", ref: "r", owner: "o", at });
  await ledger.close();`;

test("the packed ledger command settles the doubt that an application has left", async () => {
  const folder = await mkdtemp(join(tmpdir(), "packed-ledger-"));
  const path = join(folder, "sends.db");
  const run = promisify(execFile);
  const node = ["--input-type=module", "--eval", PROGRAM, path];
  await run(process.execPath, node, { cwd: application });
  const { stdout: doubts } = await run(COMMAND, ["ledger", path, "doubts"]);
  expect(doubts).toMatch(/^order-17 +b +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +no result yet$/m);
  await run(COMMAND, ["ledger", path, "resolve", "b", "order-17", "--as", "accepted", "--yes"]);
  const { stdout: status } = await run(COMMAND, ["ledger", path, "status", "--json"]);
  expect(JSON.parse(status).batches).toMatchObject([{ accepted: 1, sending: 0 }]);
  await rm(folder, { recursive: true });
});
