import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createPool, startPostgres } from "../support/servers/postgres-server.ts";

/** Postgres that accepts statements over HTTP. */
export interface SqlServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a Postgres behind an HTTP server on loopback. */
export const startSqlServer = async (): Promise<SqlServer> => {
  const postgres = await startPostgres();
  const pool = createPool(postgres.port);
  const server = createServer(async (request, response) => {
    try {
      const { text: statement, values } = JSON.parse(await text(request));
      const { rows } = await pool.query(statement, values);
      response.end(JSON.stringify({ rows }));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pool.end();
      await postgres[Symbol.asyncDispose]();
    },
  };
};
