// A server in its own process that allows `limit` requests in any window of `interval`, on its own clock.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";

const [limit, interval] = process.argv.slice(2).map(Number) as [number, number];
const account = JSON.stringify({
  status: "OK",
  account: { id: 1, email: "owner@example.com", username: "owner" },
});
/** Arrivals that were allowed, oldest first. */
const granted: number[] = [];
let refused = 0;
let tightestMs = Number.POSITIVE_INFINITY;
const delay = monitorEventLoopDelay({ resolution: 5 });

const server = createServer((_request, response) => {
  // Measured from here, so the start of the process does not count.
  delay.enable();
  const now = performance.now();
  const before = granted.at(-limit);
  if (before !== undefined) tightestMs = Math.min(tightestMs, now - before);
  const grants = before === undefined || now - before >= interval;
  if (grants) granted.push(now);
  else refused += 1;
  response.writeHead(grants ? 200 : 429, { "content-type": "application/json" });
  response.end(grants ? account : '{"status":"error","error":"slow down"}');
});

server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("message", () => {
  const slowestMs = delay.max / 1e6;
  process.send?.({ granted: granted.length, refused, tightestMs, slowestMs });
});
process.on("disconnect", () => process.exit());
