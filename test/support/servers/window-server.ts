// A server in its own process that grants a limited number of requests in any window, and callers that must never be refused.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createThrottle } from "../../../src/index.ts";
import { keepTickBusy } from "../busy-tick.ts";
import { clientsOf } from "../calls.ts";

const SCRIPT = new URL("window-server-process.ts", import.meta.url).pathname;

/** Counts of the server. */
export interface Counts {
  readonly granted: number;
  readonly refused: number;
  /** Shortest time in milliseconds in which one request more than the limit arrived. */
  readonly tightestMs: number;
}

/** Result of a run: the counts of the server, and the slowest response, which shows how busy the machine was. */
export interface Run extends Counts {
  readonly slowestMs: number;
}

/** Work of the caller while it waits for its calls. */
export type Caller = "idle" | "busy";

const reply = async <T>(child: ChildProcess): Promise<T> => {
  const [message] = await once(child, "message");
  return message as T;
};

/** Makes twice as many calls at once as the server grants in a window. */
export const runCaller = async (caller: Caller, limit: number, interval: number): Promise<Run> => {
  const child = fork(SCRIPT, [`${limit}`, `${interval}`]);
  const baseUrl = `http://127.0.0.1:${await reply<number>(child)}`;
  let slowestMs = 0;
  const timedFetch: typeof fetch = async (url, init) => {
    const startedAt = performance.now();
    const response = await fetch(url, init);
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    return response;
  };
  const throttle = createThrottle({ limit, interval });
  const { v2 } = clientsOf({ baseUrl }, { throttle, fetch: timedFetch, retry: 0 });
  const timer = caller === "busy" ? setInterval(keepTickBusy, 10, 90) : undefined;
  const calls = Array.from({ length: 2 * limit }, () => v2.accounts.me());
  if (caller === "busy") keepTickBusy(90);
  await Promise.allSettled(calls);
  clearInterval(timer);
  child.send("counts");
  const counts = await reply<Counts>(child);
  child.disconnect();
  return { ...counts, slowestMs };
};
