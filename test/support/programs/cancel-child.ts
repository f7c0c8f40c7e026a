// A child process that ends calls in every way, prints their results, and must then exit by itself.
import { checkFile, createThrottle, TransactionalClient, V2Client } from "../../../src/index.ts";

const [, , baseUrl = ""] = process.argv;
const HOUR = 3_600_000;
const key = { apiKey: "key-5f3a9c71e2" };
const rcs = new TransactionalClient({ baseUrl, ...key });
const queue = createThrottle({ limit: 1, interval: HOUR });
const inQueue = new TransactionalClient({ baseUrl, ...key, throttle: queue });
const held = new TransactionalClient({
  baseUrl,
  ...key,
  throttle: createThrottle({ limit: 9, interval: HOUR }),
});
const deaf = new TransactionalClient({ baseUrl, ...key, fetch: () => new Promise(() => {}) });

const page = { status: "OK", per_page: 1, count: 9, pages_count: 9, lists: [{ id: 1 }] };
const v2 = new V2Client({
  baseUrl,
  ...key,
  email: "owner@example.com",
  responseValidation: "off",
  // Responds with the first page and the report. All other requests hang until they are aborted.
  fetch: (url, { signal }) => {
    if (/momt/.test(url)) return Promise.resolve(Response.json({ momt_report: {} }));
    if (!/page=[2-9]/.test(url)) return Promise.resolve(Response.json({ ...page, page: 1 }));
    return new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  },
});

/** Returns a signal that aborts during a call. */
const soon = () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 200);
  return controller.signal;
};
/** Requests a response with a status. 0 stands for no response. */
const ask = (client: TransactionalClient, status: number, options?: object) =>
  client.request({ method: "GET", path: `/${status}` }, options);

const results: Record<string, string> = {};
const report = async (name: string, call: PromiseLike<unknown>) => {
  try {
    await call;
    results[name] = "done";
  } catch (error) {
    results[name] = (error as { code?: string }).code ?? String(error);
  }
};

await report("success", ask(inQueue, 200));
await Promise.all([
  report("in the queue", ask(inQueue, 200, { signal: soon() })),
  report("in the queue, by the clock", ask(inQueue, 200, { totalTimeout: 200 })),
  report("in flight", ask(rcs, 0, { signal: soon() })),
  report("in a pause", ask(rcs, 503, { signal: soon() })),
  report("in the pause of a poll", v2.momtReports.waitUntilFinished(3, { signal: soon() })),
  ask(held, 429, { retry: 0 }).catch(() => {}),
  report("a fetch that does not heed its signal", ask(deaf, 200, { signal: soon() })),
  report(
    "a file whose host does not respond",
    checkFile("https://files.example.com/a", {
      fetch: () => new Promise(() => {}),
      signal: soon(),
    }),
  ),
]);
await report("behind a hold", ask(held, 200, { retry: { maxRetryAfter: 1000 } }));
await report(
  "a prefetched page that is not read",
  (async () => {
    for await (const _ of v2.lists.list({}, { prefetch: true })) break;
  })(),
);
console.log(JSON.stringify(results));
