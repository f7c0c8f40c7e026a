import { afterAll, beforeAll } from "vitest";
import { createPool, type Pool, type PostgresServer, startPostgres } from "./postgres-server.ts";

const TIMEOUT_MS = 300_000;

/** Starts a server with a pool before the tests of a file or a `describe`, and stops both after them. */
export const usePostgres = (): { readonly server: PostgresServer; readonly pool: Pool } => {
  const postgres = {} as { server: PostgresServer; pool: Pool };
  beforeAll(async () => {
    postgres.server = await startPostgres();
    postgres.pool = createPool(postgres.server.port);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await postgres.pool.end();
    await postgres.server[Symbol.asyncDispose]();
  });
  return postgres;
};
