// A body that is longer than the longest string of V8: 512 MiB.
import { expect, test } from "vitest";
import { clientsOf, errorOf } from "../../support/calls.ts";
import { type Responder, startLoopback } from "../../support/servers/loopback.ts";

const MEGABYTE = Buffer.alloc(2 ** 20, "x");
const COUNT = 513;

/** A busy machine takes a minute for each. */
const TIMEOUT_MS = 300_000;

/** Sends a body of 513 MiB. */
const pour: Responder = async ({ response }) => {
  for (let sent = 0; sent < COUNT; sent += 1) {
    if (!response.write(MEGABYTE)) await new Promise((resolve) => response.once("drain", resolve));
  }
  response.end();
};

test.each([
  // An attempt goes to Node's dispatcher, as with `fetchFrom` to that of the application.
  ["a dispatcher", undefined],
  ["a wrapper around fetch", (url: string, init: RequestInit) => fetch(url, init)],
])(
  "a 2xx that no string can hold is requested once, and is no connection's failure: %s",
  async (_, fetch) => {
    await using server = await startLoopback(pour);
    const { v2 } = clientsOf(server, { fetch, timeout: TIMEOUT_MS });
    const error = await errorOf(v2.request({ method: "GET", path: "/any" }));
    expect(error).toMatchObject({ code: "response_validation", status: 200, outcome: "unknown" });
    expect(error.message).toMatch(
      /^GET \/any: 200, but its body broke off, was read before, or is too long$/,
    );
    server.onlyRequest();
  },
  TIMEOUT_MS,
);
