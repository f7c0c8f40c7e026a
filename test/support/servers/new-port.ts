import { randomInt } from "node:crypto";
import getPort from "get-port";

/** Ports below those that a system hands out, and above the last that browsers block. */
const candidate = () => randomInt(11_000, 30_000);

/** Returns a free port that nobody is given before a server listens at it, or while the server restarts. */
export const newPort = (): Promise<number> =>
  getPort({ port: Array.from({ length: 9 }, candidate) });
