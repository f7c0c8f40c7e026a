// The ledgers for durable sends that a runtime supports.
import {
  type Ledger,
  memoryLedger,
  postgresLedger,
  sqliteLedger,
} from "messaging-service-client/bulk";
import { ledgerChecks } from "messaging-service-client/testing";
import type { Check, LedgerKind, World } from "./world.ts";

/** Returns a name that no other run of the suite has used. */
const newName = (): string => `sends_${crypto.randomUUID().replaceAll("-", "")}`;

/** Creates a Postgres pool over HTTP, for a worker without sockets. */
const overHttp = (url: string) => ({
  query: async (text: string, values: unknown[]): Promise<unknown> => {
    const response = await fetch(url, { method: "POST", body: JSON.stringify({ text, values }) });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  },
});

const makers: Readonly<Record<LedgerKind, (world: World) => Ledger>> = {
  memory: memoryLedger,
  sqlite: ({ folder }) => sqliteLedger(`${folder}/${newName()}.db`),
  postgres: ({ sqlUrl }) => postgresLedger(overHttp(sqlUrl), { table: newName() }),
};

export const ledgers: Readonly<Record<string, Check>> = {
  "the ledgers of the runtime pass every ledger check": async (world) => {
    for (const kind of world.ledgers) {
      for (const { name, run } of ledgerChecks(() => makers[kind](world))) {
        await run().catch((error: unknown) => {
          throw new Error(`${kind}: ${name}: ${error}`);
        });
      }
    }
  },
};
