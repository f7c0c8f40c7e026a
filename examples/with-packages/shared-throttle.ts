// Shares one account's budget between several processes through Redis: `node shared-throttle.ts`.
import { fork } from "node:child_process";
import { once } from "node:events";
import { Redis } from "ioredis";
import { throttleFrom, V2Client } from "messaging-service-client";
import { RateLimiterRedis } from "rate-limiter-flexible";

const PROCESSES = 3;
const CALLS_EACH = 4;

/** The documented limit is { points: 1200, duration: 3600 }. This smaller limit lets you see calls wait. */
const BUDGET = { points: 4, duration: 3 };

async function work(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl);
  const limiter = new RateLimiterRedis({ storeClient: redis, keyPrefix: "messaging", ...BUDGET });
  const v2 = new V2Client({
    throttle: throttleFrom(limiter, { key: "account-1" }), // the same key in every process
    onEvent: (event) => {
      if (event.type === "queued") console.log(`${process.pid} waits for a slot`);
      if (event.type === "throttled") console.log(`${process.pid} waited ${event.waitMs} ms`);
    },
  });
  await Promise.all(Array.from({ length: CALLS_EACH }, () => v2.accounts.me()));
  console.log(`${process.pid} made ${CALLS_EACH} calls`);
  await redis.quit();
}

if (process.send) {
  await work(process.env.REDIS_URL ?? "redis://127.0.0.1:6379");
} else {
  const children = Array.from({ length: PROCESSES }, () => fork(import.meta.filename));
  await Promise.all(children.map((child) => once(child, "exit")));
  const { points, duration } = BUDGET;
  console.log(`${PROCESSES * CALLS_EACH} calls within one budget: ${points} every ${duration} s`);
}
