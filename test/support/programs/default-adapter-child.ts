// Makes one request by `fetch` and one by a client without the option `fetch`: `node default-adapter-child.mjs URL`. Prints how
// each request ended, and what the process observed of it. With `worker`, a worker thread does the same afterwards.
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import { isMainThread, Worker } from "node:worker_threads";
import { V2Client } from "../../../src/v2.ts";

let seen: string[] = [];
/** Records what the process observed of a request. Set-ups also call it. */
const see = (what: string): void => void seen.push(what);
Object.assign(globalThis, { see });

const storage = new AsyncLocalStorage<string>();
subscribe("undici:request:create", () => see(`create in ${storage.getStore()}`));
for (const event of ["headers", "trailers", "error"]) {
  subscribe(`undici:request:${event}`, () => see(event));
}

const watch = async (call: () => Promise<string>) => {
  seen = [];
  const end = await storage.run("the context of the call", call);
  return { end, seen: seen.toSorted() };
};

const [baseUrl = "", ...flags] = process.argv.slice(2);
const v2 = new V2Client({ baseUrl, email: "owner@example.com", apiKey: "key", retry: 0 });
const byFetch = () =>
  fetch(`${baseUrl}/api/v2/accounts/me`).then(
    async (response) => `${response.ok}, ${(await response.text()).length} characters`,
    ({ cause }) => cause.code,
  );
const byClient = () =>
  v2.accounts
    .me()
    .withResponse()
    .then(
      ({ response }) => (response.body === null ? "dispatcher" : "fetch"),
      ({ code, outcome }) => `${code}: ${outcome}`,
    );

console.log(JSON.stringify({ byFetch: await watch(byFetch), byClient: await watch(byClient) }));
if (isMainThread && flags.includes("worker")) {
  new Worker(new URL(import.meta.url), { argv: [baseUrl] });
}
