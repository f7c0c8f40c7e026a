// Makes one request for each argument, and prints how each request ends. Node 26 uses HTTP/2 by default.
import ky from "ky";
import { fetchFrom, TransactionalClient } from "../../../src/index.ts";

const [, , baseUrl = "", carrier = "", ...requests] = process.argv;
const { fetch } = globalThis;
if (carrier === "a patched fetch") globalThis.fetch = (...args) => fetch(...args);
const rcs = new TransactionalClient({
  baseUrl,
  apiKey: "key",
  retry: 0,
  timeout: 10_000,
  fetch: carrier === "ky" ? fetchFrom(ky) : undefined,
});

/** Makes a request from a string such as `GET /path`, or `POST /path {}` with a body. */
const make = (request: string) => {
  const [method, path = "", json] = request.split(" ");
  return rcs.request({
    method: method as "GET",
    path,
    ...(json === undefined ? {} : { json: JSON.parse(json) }),
  });
};

const ends: Record<string, unknown> = {};
for (const request of requests) {
  const end = await make(request).catch(({ code, outcome, cause }) => ({
    ...{ code, outcome, cause: cause?.cause?.message },
  }));
  // The response to a HEAD is empty.
  ends[request] = end ?? "";
}
process.stdout.write(JSON.stringify({ ends, undici: process.versions.undici }));
