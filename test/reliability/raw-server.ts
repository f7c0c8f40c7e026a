// A server of bare sockets on loopback: it sees the very bytes, and speaks HTTP only as far as it is told.
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface RawServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** What arrived on each connection, byte for byte. */
  readonly received: string[];
  /** How many connections were made. */
  seen(): number;
}

/** Starts a server that does something about each piece that arrives, given all that did so far. */
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
