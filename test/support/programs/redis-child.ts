// A process that shares the budget of one account with others through Redis.
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { RateLimiterRedis } from "rate-limiter-flexible";
import {
  MessagingServiceError,
  ThrottleError,
  throttleFrom,
  V2Client,
} from "../../../src/index.ts";
import { createClient } from "../servers/redis-server.ts";

/** Task of the process. */
export interface Task {
  readonly baseUrl: string;
  readonly redisPort: number;
  /** Path of the package of the client. */
  readonly ioredis: string;
  readonly points: number;
  readonly duration: number;
  /** Number of concurrent calls, or one call after another until Redis has stopped and restarted. */
  readonly calls: number | "until it comes back";
  readonly totalTimeout?: number;
}

const say = (said: object) => console.log(JSON.stringify(said));

const task: Task = JSON.parse(process.argv[2] ?? "");
const { baseUrl, redisPort, ioredis, points, duration, totalTimeout } = task;
const storeClient = createClient(redisPort, createRequire(import.meta.url)(ioredis));
const limiter = new RateLimiterRedis({ storeClient, points, duration, keyPrefix: "messaging" });
const v2 = new V2Client({
  ...{ baseUrl, email: "owner@example.com", apiKey: "key-5f3a9c71e2", totalTimeout },
  throttle: throttleFrom(limiter, { key: "account-1" }),
});

let done = 0;
const failures: Record<string, number> = {};
const call = async (): Promise<boolean> => {
  try {
    await v2.accounts.me();
    done += 1;
    return true;
  } catch (error) {
    const { code, outcome } = MessagingServiceError.is(error) ? error : { code: "?", outcome: "?" };
    const reason = ThrottleError.is(error) ? ` ${error.reason}` : "";
    const what = `${code}${reason}, ${outcome}`;
    failures[what] = (failures[what] ?? 0) + 1;
    return false;
  }
};

// Every call fails until the first connection is open.
while (
  !(await limiter.get("ready").then(
    () => true,
    () => false,
  ))
)
  await sleep(10);

if (task.calls === "until it comes back") {
  say({ isReady: true });
  for (let failed = 0; failed < 10; ) {
    if (!(await call())) failed += 1;
    await sleep(5);
  }
  say({ gone: true });
  while (!(await call())) await sleep(20);
} else {
  await Promise.all(Array.from({ length: task.calls }, call));
}
storeClient.disconnect();
say({ done, failures });
