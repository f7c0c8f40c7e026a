// A server in its own process that allows a limited number of requests in any window, and callers that it must never refuse.
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
  /** Shortest time in milliseconds within which `limit + 1` requests arrived. */
  readonly tightestMs: number;
  /** Longest time in milliseconds for which the server itself was blocked, because the machine was busy. */
  readonly slowestMs: number;
}

/** Event loop of the caller: idle, busy in most ticks, or blocked for 60 ms right before every second request leaves. */
export type Caller = "idle" | "busy" | "blocked";

const reply = async <T>(child: ChildProcess): Promise<T> => {
  const [message] = await once(child, "message");
  return message as T;
};

/** Makes a number of concurrent calls to a server that allows `limit` in any window of `interval`. */
export const runCaller = async (
  caller: Caller,
  limit: number,
  interval: number,
  calls = 2 * limit,
): Promise<Counts> => {
  const child = fork(SCRIPT, [`${limit}`, `${interval}`]);
  const baseUrl = `http://127.0.0.1:${await reply<number>(child)}`;
  const throttle = createThrottle({ limit, interval });
  let requests = 0;
  const blockingFetch: typeof fetch = (url, init) => {
    const response = fetch(url, init);
    requests += 1;
    if (caller === "blocked" && requests % 2 === 0) keepTickBusy(60);
    return response;
  };
  const { v2 } = clientsOf({ baseUrl }, { throttle, retry: 0, fetch: blockingFetch });
  const timer = caller === "busy" ? setInterval(keepTickBusy, 10, 90) : undefined;
  const all = Array.from({ length: calls }, () => v2.accounts.me());
  if (caller === "busy") keepTickBusy(90);
  await Promise.allSettled(all);
  clearInterval(timer);
  child.send("counts");
  const counts = await reply<Counts>(child);
  child.disconnect();
  return counts;
};
