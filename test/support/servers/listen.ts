import type { Http2SecureServer } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";

/** A server on loopback that counts its connections, and closes them when it is disposed. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
  seen(): number;
}

/** Makes a server of any protocol listen on a free port of loopback. */
export const listen = async (server: Server | Http2SecureServer): Promise<Listening> => {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
