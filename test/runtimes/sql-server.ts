import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { requireFixture } from "../support/fixture.ts";

/** Postgres that accepts statements over HTTP. */
export interface SqlServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts PGlite behind an HTTP server on loopback. */
export const startSqlServer = async (): Promise<SqlServer> => {
  const { PGlite } = requireFixture("pglite", "@electric-sql/pglite");
  const database = await PGlite.create();
  const server = createServer(async (request, response) => {
    try {
      const { text: statement, values } = JSON.parse(await text(request));
      response.end(JSON.stringify(await database.query(statement, values)));
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
      await database.close();
    },
  };
};
