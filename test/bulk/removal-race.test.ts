// Two removals retry a removal in doubt, and a send uses their batch and key. No call may open the claim of a different call.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Ledger,
  memoryLedger,
  postgresLedger,
  removeMany,
  sendMany,
  sqliteLedger,
} from "messaging-service-client/bulk";
import { afterAll, expect, test } from "vitest";
import { createFake, rcsOf, v2Of } from "../support/fakes/fake-service.ts";
import { usePostgres } from "../support/servers/use-postgres.ts";
import { BATCH, collect, gate, inShort, messageTo, phone } from "./batches.ts";

const postgres = usePostgres();
const folder = mkdtempSync(join(tmpdir(), "removal-race-"));
afterAll(() => rmSync(folder, { recursive: true }));

const LEDGERS: Readonly<Record<string, () => Ledger>> = {
  memory: memoryLedger,
  SQLite: () => sqliteLedger(join(folder, "sends.db"), { create: true }),
  Postgres: () => postgresLedger(postgres.pool, { create: true }),
};

test.each(Object.keys(LEDGERS))(
  "the repeat of a removal in doubt opens no claim that a send has made in the meantime, in %s",
  async (name) => {
    const ledger = LEDGERS[name]?.() ?? memoryLedger();
    const service = createFake();
    const { id: listId } = service.addList();
    const options = { listId, batch: BATCH, concurrency: 1 };
    const v2 = v2Of(service, { retry: 0 });
    const remove = (own = ledger) =>
      collect(removeMany(v2, [phone(1)], { ...options, ledger: own }));
    const send = () =>
      collect(sendMany(rcsOf(service), [messageTo(phone(1))], { batch: BATCH, ledger }));

    service.failNext({ status: 503 });
    expect((await remove()).map(inShort)).toEqual(["unknown"]);

    // The second removal has read the doubt, but resolves the key only after the send is in doubt.
    const [isRead, mayDecide] = [gate(), gate()];
    const slow: Ledger = {
      ...ledger,
      resolve: async (...decision) => {
        isRead.open();
        await mayDecide.opened;
        return ledger.resolve(...decision);
      },
    };
    const second = remove(slow);
    await isRead.opened;
    service.failNext({ status: 404 });
    expect((await remove()).map(inShort)).toEqual(["rejected"]);
    service.failNext({ fault: "dropped" });
    expect((await send()).map(inShort)).toEqual(["unknown"]);
    expect(service.outbox).toHaveLength(1);
    mayDecide.open();

    expect((await second).map(inShort)).toEqual(["in_doubt"]);
    expect((await send()).map(inShort)).toEqual(["in_doubt"]);
    expect(service.outbox).toHaveLength(1);
    await ledger.close();
  },
  120_000,
);
