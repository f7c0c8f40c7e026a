// cspell:ignore timeut
import { getEventListeners } from "node:events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  AbortError,
  type CheckFileOptions,
  checkFile,
  TimeoutError,
  ValidationError,
} from "../../src/index.ts";
import { errorOf } from "../support/calls.ts";
import {
  hang,
  type Loopback,
  REFUSED_URL,
  type Responder,
  resetAfterReading,
  startLoopback,
} from "../support/servers/loopback.ts";

const HOST = "https://files.example.com";
const URL_OF_FILE = `${HOST}/menus/may.pdf?size=a4`;
const MAX_BYTES = 100 * 1024 * 1024;

/** Returns a `fetch` that connects to a server on loopback as the host of the file. */
const hostedBy =
  ({ baseUrl }: Pick<Loopback, "baseUrl">) =>
  (url: string, init: RequestInit) =>
    fetch(url.replace(HOST, baseUrl), init);

const told =
  (headers: Record<string, string>, status = 200): Responder =>
  ({ response }) =>
    response.writeHead(status, headers).end();
const PDF = { "content-type": "application/pdf", "content-length": "1234" };

const check = async (respond: Responder, options: CheckFileOptions = {}) => {
  await using server = await startLoopback(respond);
  return await checkFile(URL_OF_FILE, { fetch: hostedBy(server), ...options });
};

describe("checkFile", () => {
  test("checkFile returns the content type and the size after a HEAD request without credentials", async () => {
    await using server = await startLoopback(told(PDF));
    const file = await checkFile(URL_OF_FILE, { fetch: hostedBy(server) });
    expect(file).toEqual({ contentType: "application/pdf", size: 1234 });
    const { method, url, headers } = server.onlyRequest();
    expect(`${method} ${url}`).toBe("HEAD /menus/may.pdf?size=a4");
    for (const name of ["authorization", "x-api-key", "cookie", "referer", "content-type"]) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  test("checkFile calls fetch with options that prevent credentials and automatic redirects", async () => {
    const fetch = vi.fn(
      async (_: string, _init: RequestInit) => new Response(null, { headers: PDF }),
    );
    await checkFile(URL_OF_FILE, { fetch });
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({
      method: "HEAD",
      credentials: "omit",
      redirect: "manual",
      cache: "no-store",
    });
    expect(fetch.mock.calls[0]?.[1]).not.toHaveProperty("headers");
  });

  test.each(["application/pdf", "IMAGE/PNG; charset=binary", "video/mp4 ; codecs=avc1"])(
    "checkFile returns the content type %j unchanged",
    async (contentType) => {
      const file = await check(told({ ...PDF, "content-type": contentType }));
      expect(file).toMatchObject({ contentType });
    },
  );

  test.each([
    ["0", 0],
    ["104857600", MAX_BYTES],
  ])("checkFile returns a size of %s", async (length, size) => {
    expect(await check(told({ ...PDF, "content-length": length }))).toMatchObject({ size });
  });

  test("checkFile returns no size if the host sends no length", async () => {
    const file = await check(told({ "content-type": "image/gif", "transfer-encoding": "chunked" }));
    expect(file).toEqual({ contentType: "image/gif" });
  });

  test("checkFile uses globalThis.fetch by default", async () => {
    vi.stubGlobal("fetch", async () => new Response(null, { headers: PDF }));
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(await checkFile(URL_OF_FILE)).toMatchObject({ size: 1234 });
  });
});

describe("hosts that refuse HEAD", () => {
  /** Refuses HEAD with a status, and sends the response to a GET. */
  const onlyGet =
    (status: number, respond: Responder): Responder =>
    (exchange) =>
      exchange.request.method === "HEAD"
        ? void exchange.response.writeHead(status, { "content-type": "text/xml" }).end()
        : respond(exchange);

  test.each([403, 405, 501])(
    "checkFile requests one byte from a host that responds to HEAD with %d",
    async (status) => {
      const firstByte: Responder = ({ request, response }) => {
        expect(request.headers.range).toBe("bytes=0-0");
        response.writeHead(206, {
          "content-type": "application/pdf",
          "content-length": "1",
          "content-range": "bytes 0-0/1234",
        });
        response.end("%");
      };
      await using server = await startLoopback(onlyGet(status, firstByte));
      const file = await checkFile(URL_OF_FILE, { fetch: hostedBy(server) });
      expect(file).toEqual({ contentType: "application/pdf", size: 1234 });
      expect(server.requests.map(({ method }) => method)).toEqual(["HEAD", "GET"]);
      for (const { url, headers } of server.requests) {
        expect(url).toBe("/menus/may.pdf?size=a4");
        for (const name of ["authorization", "x-api-key", "cookie", "referer"]) {
          expect(headers).not.toHaveProperty(name);
        }
      }
    },
  );

  test("checkFile takes the size from a host that ignores the range, and closes the connection instead of reading the file", async () => {
    const endless: Responder = ({ response }) => {
      response.writeHead(200, { ...PDF, "content-length": String(MAX_BYTES) });
      response.write("%PDF");
    };
    await using server = await startLoopback(onlyGet(403, endless));
    const file = await checkFile(URL_OF_FILE, { fetch: hostedBy(server) });
    expect(file).toEqual({ contentType: "application/pdf", size: MAX_BYTES });
    await expect.poll(() => server.requests[1]?.abandoned).toBe(true);
  });

  test.each([
    ["does not know it", { "content-range": "bytes 0-0/*" }],
    ["hides it from a page of a different origin", {}],
  ])("checkFile returns no size if the host %s", async (_, range) => {
    const respond: Responder = ({ response }) =>
      response.writeHead(206, { ...PDF, "content-length": "1", ...range }).end("%");
    expect(await check(onlyGet(405, respond))).toEqual({ contentType: "application/pdf" });
  });

  test("checkFile refuses a file that is too large although one byte was requested", async () => {
    const respond: Responder = ({ response }) =>
      response.writeHead(206, { ...PDF, "content-range": `bytes 0-0/${MAX_BYTES + 1}` }).end("%");
    const issue = await refusal(check(onlyGet(403, respond)));
    expect(issue).toMatchObject({ code: "too_big", maximum: MAX_BYTES });
  });

  test("checkFile follows the redirects of both requests", async () => {
    await using server = await startLoopback((exchange) => {
      const { request, response } = exchange;
      if (request.url === "/moved") {
        onlyGet(403, ({ response: found }) => found.writeHead(200, PDF).end())(exchange);
      } else response.writeHead(302, { location: `${HOST}/moved` }).end();
    });
    const file = await checkFile(URL_OF_FILE, { fetch: hostedBy(server) });
    expect(file).toEqual({ contentType: "application/pdf", size: 1234 });
    const asked = server.requests.map(({ method, url }) => `${method} ${url}`);
    expect(asked).toEqual([
      "HEAD /menus/may.pdf?size=a4",
      "HEAD /moved",
      "GET /menus/may.pdf?size=a4",
      "GET /moved",
    ]);
  });

  test("checkFile refuses a file whose host refuses both requests, with the status of the second one", async () => {
    const issue = await refusal(check(onlyGet(405, told({}, 410))));
    expect(issue?.message).toBe("cannot be checked: its host responded with status 410");
  });

  test("checkFile reads a response whose body has no cancel(), such as the responses of node-fetch", async () => {
    const fetch = async () => {
      const response = new Response("%", { headers: PDF });
      return Object.defineProperty(response, "body", { value: { pipe() {} } });
    };
    expect(await checkFile(URL_OF_FILE, { fetch })).toMatchObject({ size: 1234 });
  });
});

/** Returns the only issue of a refusal. */
const refusal = async (call: PromiseLike<unknown>) => {
  const error = await errorOf<ValidationError>(call);
  expect(error).toBeInstanceOf(ValidationError);
  expect(error).toMatchObject({ source: "client", outcome: "not_sent" });
  expect(error.errors.map(({ path }) => path)).toEqual([["url"]]);
  return error.errors[0];
};

describe("refusals of checkFile", () => {
  test.each([
    "https://user:secret@files.example.com/x.pdf",
    "https://user@files.example.com/",
    "https://:secret@files.example.com/x.pdf",
  ])("checkFile refuses a URL with credentials and does not quote them: %s", async (url) => {
    const issue = await refusal(checkFile(url));
    expect(issue?.message).toBe(
      "cannot be checked: its URL contains a user name or a password; leave them out",
    );
  });

  test.each(["text/html", "application/octet-stream", "", "pdf", "application/pdfx"])(
    "checkFile refuses the content type %j",
    async (contentType) => {
      const issue = await refusal(check(told({ ...PDF, "content-type": contentType })));
      expect(issue?.message).toContain("must be of an allowed content type");
    },
  );

  test("checkFile refuses a host that sends no content type", async () => {
    await refusal(check(told({ "content-length": "5" })));
  });

  test.each([
    ["content-length", "12, 12"],
    ["content-length", "12 bytes"],
    ["content-encoding", "gzip"],
  ])("checkFile returns no size for a response with %s: %s", async (name, value) => {
    const fetch = async () => new Response(null, { headers: { ...PDF, [name]: value } });
    expect(await checkFile(URL_OF_FILE, { fetch })).toEqual({ contentType: "application/pdf" });
  });

  test.each(["104857601", "9007199254740991"])("checkFile refuses a size of %s", async (length) => {
    const issue = await refusal(check(told({ ...PDF, "content-length": length })));
    expect(issue).toMatchObject({ code: "too_big", maximum: MAX_BYTES });
  });

  test("checkFile refuses a long content type with a short message", async () => {
    const fetch = async () =>
      new Response(null, { headers: { "content-type": `text/${"x".repeat(600_000)}` } });
    const issue = await refusal(checkFile(URL_OF_FILE, { fetch }));
    expect(issue?.message).toMatch(/: text\/x{75} is not$/);
    expect(issue?.message.length).toBeLessThan(600);
  });

  test.each([
    [304, 1],
    [401, 1],
    [403, 2],
    [404, 1],
    [405, 2],
    [429, 1],
    [500, 1],
  ])("checkFile refuses a response of status %d after %d requests", async (status, requests) => {
    await using server = await startLoopback(told(PDF, status));
    const issue = await refusal(checkFile(URL_OF_FILE, { fetch: hostedBy(server) }));
    expect(issue?.message).toBe(`cannot be checked: its host responded with status ${status}`);
    expect(server.requests).toHaveLength(requests);
  });

  test("checkFile refuses a file whose host cannot be reached or closes the connection", async () => {
    const unreachable = { fetch: hostedBy({ baseUrl: REFUSED_URL }) };
    const refused = await refusal(checkFile(URL_OF_FILE, unreachable));
    const reset = await refusal(check(resetAfterReading));
    for (const issue of [refused, reset]) expect(issue?.message).toContain("cannot be reached");
  });

  test.each([
    new AbortError("another call was aborted", "unknown"),
    new TimeoutError("attempt", 5, "unknown"),
    new ValidationError([{ code: "custom", message: "of another call", path: ["name"] }]),
    new Error("hook"),
    "a string",
  ])(
    "checkFile treats a fetch that throws %s like a host that cannot be reached",
    async (thrown) => {
      const issue = await refusal(checkFile(URL_OF_FILE, { fetch: () => Promise.reject(thrown) }));
      expect(issue?.message).toBe("cannot be checked: its host cannot be reached");
    },
  );

  test("checkFile refuses a file whose host does not respond in time", async () => {
    const issue = await refusal(check(hang, { timeout: 60 }));
    expect(issue?.message).toContain("took longer than 60 ms");
  });

  test.each([
    "http://files.example.com/a.pdf",
    "ftp://files.example.com/a.pdf",
    "files.example.com/a.pdf",
    "/a.pdf",
    "",
    ` ${URL_OF_FILE}`,
    "HTTPS://files.example.com/a.pdf",
    `${HOST}/${"a".repeat(255)}`,
    `${HOST}/a\n.pdf`,
    `${HOST}/\uD83C.pdf`,
    undefined,
    null,
    5,
  ])("checkFile refuses %j without a request", async (url) => {
    const fetch = vi.fn();
    await refusal(checkFile(url as never, { fetch }));
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe("invalid options of checkFile", () => {
  test.each([
    [null, "option `options` must be an object"],
    [5, "option `options` must be an object"],
    ["fetch", "option `options` must be an object"],
    [[], "option `options` must be an object"],
    [() => {}, "option `options` must be an object"],
    [{ timeut: 5 }, "option `timeut` does not exist: did you mean `timeout`?"],
    [{ Fetch: fetch }, "option `Fetch` does not exist: did you mean `fetch`?"],
    [{ headers: {} }, "option `headers` does not exist"],
    [{ fetch: "fetch" }, "option `fetch` must be a function"],
    [{ fetch: null }, "option `fetch` must be a function"],
    [{ signal: {} }, "option `signal` must be an AbortSignal"],
    [{ timeout: 0 }, /^option `timeout` must be false, or milliseconds above 0/],
    [{ timeout: null }, /^option `timeout` must be false, or milliseconds above 0/],
  ])(
    "checkFile rejects the options %j with a TypeError that names the option",
    async (options, message) => {
      const call = checkFile(URL_OF_FILE, options as never);
      await expect(call).rejects.toThrow(TypeError);
      await expect(call).rejects.toThrow(message);
    },
  );

  test("an option of checkFile that is undefined counts as not given", async () => {
    const options = { signal: undefined, timeout: undefined };
    expect(await check(told(PDF), options)).toMatchObject({ size: 1234 });
    await expect(checkFile("x", undefined)).rejects.toThrow(ValidationError);
  });
});

describe("the signal of checkFile", () => {
  test("checkFile ends when its signal fires, with the signal's reason and no listener left", async () => {
    await using server = await startLoopback(hang);
    const controller = new AbortController();
    const { signal } = controller;
    const failed = errorOf(checkFile(URL_OF_FILE, { fetch: hostedBy(server), signal }));
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort("enough");
    const error = await failed;
    expect(error).toBeInstanceOf(AbortError);
    expect(error.cause).toBe("enough");
    expect(getEventListeners(signal, "abort")).toEqual([]);
    await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
  });

  test("checkFile sends no request if its signal has already fired", async () => {
    const fetch = vi.fn();
    const signal = AbortSignal.abort("before");
    const error = await errorOf(checkFile(URL_OF_FILE, { fetch, signal }));
    expect(error).toMatchObject({ name: "AbortError", cause: "before" });
    expect(fetch).not.toHaveBeenCalled();
  });
});
