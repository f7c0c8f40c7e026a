// Makes one call without the option `fetch` to a server of its own, and prints how the attempt went to the network.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { V2Client } from "../../../src/v2.ts";
import { account } from "../tables/response-fixtures.ts";

const server = createServer((_, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ status: "OK", account }));
});
server.listen(0, "127.0.0.1", async () => {
  const { port } = server.address() as AddressInfo;
  const v2 = new V2Client({
    baseUrl: `http://127.0.0.1:${port}`,
    email: "owner@example.com",
    apiKey: "key",
    retry: 0,
  });
  const seen = await v2.accounts
    .me()
    .withResponse()
    .then(
      ({ response }) => (response.body === null ? "dispatcher" : "fetch"),
      ({ code, outcome }) => `${code}: ${outcome}`,
    );
  console.log(seen);
  server.close();
  server.closeAllConnections();
});
