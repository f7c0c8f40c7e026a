// A TCP proxy that delivers some packets late, as a network or a frozen machine does. The client gives up, and the statement
// still arrives.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Returns a promise that delays a packet until it resolves, or `undefined` to deliver the packet at once. */
export type Delay = (packet: string) => Promise<unknown> | undefined;

export interface LateProxy extends AsyncDisposable {
  readonly port: number;
}

/** Passes packets on in order, each after its delay, and ends the connection after the last one. */
const forward = (from: Socket, to: Socket, delay: Delay): void => {
  let delivered: Promise<unknown> = Promise.resolve();
  from.on("data", (packet) => {
    const isLate = delay(packet.toString("latin1"));
    delivered = delivered.then(() => isLate).then(() => to.write(packet));
  });
  from.on("close", () => void delivered.then(() => to.end()));
  from.on("error", () => {});
};

/**
 * Starts a proxy on loopback in front of a server's port.
 *
 * @param target Port, or a function that returns the port for each new connection.
 */
export const startLateProxy = async (
  target: number | (() => number),
  delay: Delay,
): Promise<LateProxy> => {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const port = typeof target === "number" ? target : target();
    const upstream = connect(port, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    }
    forward(client, upstream, delay);
    forward(upstream, client, () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
};
