// A server of raw sockets on loopback, which records the exact bytes and sends only the bytes of the test.
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface RawServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Bytes that arrived on each connection. */
  readonly received: string[];
  /** Number of connections that were made. */
  seen(): number;
}

/** Starts a server that runs `onData` for each chunk, with everything that arrived so far. */
export const startRaw = async (
  onData: (socket: Socket, received: string) => unknown,
): Promise<RawServer> => {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const index = received.push("") - 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (bytes) => {
      received[index] += bytes.toString("latin1");
      onData(socket, received[index] ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    received,
    seen: () => received.length,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
