// A port on loopback that accepts no connections because its queue is full, as behind a firewall that drops packets.
import { connect, type Socket } from "node:net";
import { Worker } from "node:worker_threads";

export interface BlackHole extends AsyncDisposable {
  readonly port: number;
  /** Accepts all connections that still wait, and returns the number of bytes that arrive within a moment. */
  open(): Promise<number>;
}

/** The thread listens and then sleeps. The system accepts connections for it until the queue is full. */
const THREAD = `
  const { parentPort, workerData } = require("node:worker_threads");
  const state = new Int32Array(workerData);
  const server = require("node:net").createServer((socket) => {
    socket.on("error", () => {}).on("data", ({ length }) => Atomics.add(state, 1, length));
  });
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(state, 0, 0);
  });
`;

export const startBlackHole = async (): Promise<BlackHole> => {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const thread = new Worker(THREAD, { eval: true, workerData: state.buffer });
  const port = await new Promise<number>((resolve) => thread.once("message", resolve));
  const sockets: Socket[] = [];
  for (let isOpen = true; isOpen; ) {
    isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => {});
      // A busy process is told about a connection only after its timers have run.
      setTimeout(() => setImmediate(resolve, false), 300);
      sockets.push(socket);
    });
  }
  return {
    port,
    async open() {
      Atomics.store(state, 0, 1);
      Atomics.notify(state, 0);
      // The system tries to connect again after one second, and after three.
      await new Promise((resolve) => setTimeout(resolve, 4000));
      return Atomics.load(state, 1);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await thread.terminate();
    },
  };
};
