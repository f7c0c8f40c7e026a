// Web globals that an environment may lack (jsdom under Jest lacks a dozen). A child process deletes each in turn.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { list, page, transaction } from "../../support/calls.ts";
import { startLoopback } from "../../support/servers/loopback.ts";

const PROGRAM = new URL("../../support/programs/missing-globals-program.ts", import.meta.url)
  .pathname;

/** Globals that the clients do not require. */
const DISPENSABLE = [
  ...["Request", "Response", "FormData", "Blob", "File"],
  ...["TextEncoder", "TextDecoder", "structuredClone", "queueMicrotask", "crypto", "navigator"],
  ...["ReadableStream", "WritableStream", "TransformStream", "DecompressionStream"],
  ...["AbortSignal.any", "AbortSignal.timeout", "Event", "DOMException"],
];
/** Globals that the clients require, with the first step whose error names each of them. */
const NEEDED = {
  ...{ URL: "clients", performance: "clients", btoa: "clients" },
  ...{ AbortController: "walk", AbortSignal: "walk", Headers: "headers" },
};

/** Results of the steps by missing global. The key `""` means that none is missing. */
let ends: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
beforeAll(async () => {
  await using server = await startLoopback(({ request: { url, headers }, response }) => {
    const number = Number(new URL(url, "http://localhost").searchParams.get("page") ?? 1);
    const [status, body] = url.startsWith("/transactional_messages")
      ? [202, { ...transaction, got: headers["x-a"] }]
      : url.startsWith("/api/v2/lists")
        ? [200, { ...page, page: number, pages_count: 2, lists: [{ ...list.list, id: number }] }]
        : url.endsWith("404")
          ? [404, { error: "No such thing" }]
          : [200, { not: "the account", é: "🎉" }];
    response.writeHead(status).end(JSON.stringify(body));
  });
  const names = [...DISPENSABLE, ...Object.keys(NEEDED)];
  const { stdout } = await promisify(execFile)(process.execPath, [
    PROGRAM,
    server.baseUrl,
    ...names,
  ]);
  ends = JSON.parse(stdout);
});

describe("globals of the web", () => {
  test("every step ends as it should while no global is missing", () => {
    expect(ends[""]).toMatchObject({
      clients: [{}, {}],
      send: transaction,
      headers: { ...transaction, got: "1" },
      error: expect.stringMatching(
        /^NotFoundError: .+ 404 Not Found: No such thing .*\(rejected\)$/,
      ),
      refused: expect.stringMatching(/^ResponseValidationError: .+ its body lacks `account`/),
      json: { not: "the account", é: "🎉" },
      walk: [{ id: 1 }, { id: 2 }],
    });
  });

  test.each(DISPENSABLE)("a client works without %s", (name) => {
    expect(ends[name]).toEqual(ends[""]);
  });

  test("without Headers, only a call with its own headers fails", () => {
    expect(ends.Headers).toEqual({ ...ends[""], headers: ends.Headers?.headers });
  });

  test.each(Object.entries(NEEDED))(
    "a client without %s names it before it sends",
    (name, step) => {
      expect(ends[name]?.[step]).toBe(`ReferenceError: ${name} is not defined`);
    },
  );
});
