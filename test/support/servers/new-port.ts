import { randomInt } from "node:crypto";
import getPort from "get-port";

/** Returns a port below those that a system hands out, and above the last port that browsers block. */
const candidate = () => randomInt(11_000, 30_000);

/** Returns a free port that the system gives to nobody else before a server listens on it, or while the server restarts. */
export const newPort = (): Promise<number> =>
  getPort({ port: Array.from({ length: 9 }, candidate) });
