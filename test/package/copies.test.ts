// One process can hold several copies of the package: as ESM and as CommonJS, and installed twice.
import { execFileSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";

const APPLICATION = inject("application");

/** Which errors of one copy are recognised by which classes of another. */
const program = `
import { createRequire } from "node:module";
import * as esm from "messaging-service-client";
const cjs = createRequire(import.meta.url)("messaging-service-client");
const other = await import("./second/node_modules/messaging-service-client/dist/index.js");

const classes = Object.keys(esm).filter((name) => name.endsWith("Error"));
const failures = (copy) => ({
  ValidationError: () => copy.toE164("nothing"),
  ...Object.fromEntries(
    [[401, "AuthenticationError"], [403, "PermissionDeniedError"], [404, "NotFoundError"],
     [429, "RateLimitError"], [500, "ServerError"], [418, "ApiError"]].map(([status, name]) => [
      name,
      () => new copy.V2Client({ ...options, retry: 0, fetch: async () => new Response("no", { status }) }).accounts.me(),
    ]),
  ),
  ConnectionError: () => new copy.V2Client({ ...options, retry: 0, fetch: async () => { throw new TypeError("fetch failed"); } }).accounts.me(),
  TimeoutError: () => new copy.V2Client({ ...options, retry: 0, timeout: 5, fetch: () => new Promise(() => {}) }).accounts.me(),
  AbortError: () => new copy.V2Client(options).accounts.me({ signal: AbortSignal.abort() }),
  ThrottleError: async () => {
    const throttle = copy.createThrottle({ limit: 1, interval: 60_000, maxWait: 0 });
    await throttle.acquire();
    await throttle.acquire();
  },
  ResponseValidationError: () => new copy.V2Client({ ...options, fetch: async () => new Response("<html>") }).accounts.me(),
});
const options = { baseUrl: "https://v2.example.com", email: "owner@example.com", apiKey: "key" };

const wrong = [];
const thrown = [];
for (const [from, thrower] of Object.entries({ esm, cjs, other })) {
  for (const [name, fail] of Object.entries(failures(thrower))) {
    const error = await (async () => fail())().catch((error) => error);
    thrown.push(from + " " + name);
    for (const [by, copy] of Object.entries({ esm, cjs, other })) {
      for (const known of classes) {
        const expected = known === name || known === "MessagingServiceError" ||
          (known === "ApiError" && /^(Authentication|PermissionDenied|NotFound|RateLimit|Server)/.test(name));
        if (copy[known].is(error) !== expected) wrong.push([from, name, by, known, "is"]);
        if ((error instanceof copy[known]) !== expected) wrong.push([from, name, by, known, "instanceof"]);
      }
    }
  }
}
console.log(JSON.stringify({ different: esm.ApiError !== cjs.ApiError && esm.ApiError !== other.ApiError, classes, thrown, wrong }));
`;

test("each copy recognises the errors of the others, by `is` and by `instanceof`", () => {
  const second = join(APPLICATION, "second/node_modules/messaging-service-client");
  cpSync(join(APPLICATION, "node_modules/messaging-service-client"), second, { recursive: true });
  const file = join(APPLICATION, "copies.mjs");
  writeFileSync(file, program);
  const result = JSON.parse(execFileSync(process.execPath, [file], { encoding: "utf8" }));
  expect(result).toMatchObject({ different: true, wrong: [] });
  expect(result.classes).toHaveLength(13);
  // Every class but the one that is never thrown itself, from three copies.
  expect(result.thrown).toHaveLength(3 * 12);
});
