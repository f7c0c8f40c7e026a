// A service that reads a request over a kept-alive connection and dies before it responds.
import { createServer, type Server } from "node:http";
import { account, singleOptIn, subscriber, transaction } from "../calls.ts";
import { newPort } from "./new-port.ts";

export const RETURNS = ["at once", "after 700 ms", "never"] as const;
export type Returns = (typeof RETURNS)[number];

export interface DyingServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Methods of the requests whose bodies were read, except for the request that opens the connection. */
  readonly read: readonly string[];
}

const SUCCESS = JSON.stringify({ ...account, ...singleOptIn, ...subscriber, ...transaction });

/** Starts a service that dies when it has read its second request, and then accepts everything. */
export const startDying = async (returns: Returns): Promise<DyingServer> => {
  const port = await newPort();
  const read: string[] = [];
  let server: Server | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () =>
    new Promise<void>((resolve) => {
      server = createServer(async (request, response) => {
        request.on("error", () => {});
        for await (const _ of request);
        const isFirst = request.url !== "/warm" && read.push(`${request.method}`) === 1;
        if (!isFirst) {
          response.setHeader("content-type", "application/json").end(SUCCESS);
          return;
        }
        if (returns !== "at once") {
          server?.close();
          if (returns !== "never") timer = setTimeout(start, 700);
        }
        request.socket.destroy();
      });
      server.keepAliveTimeout = 0;
      server.listen(port, "127.0.0.1", resolve);
    });
  await start();
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    read,
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      server?.close();
      server?.closeAllConnections();
    },
  };
};
