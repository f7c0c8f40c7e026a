import { describe, expect, test, vi } from "vitest";
import type { FetchLike } from "../../src/core/transport/transport.ts";
import { checkFile, ValidationError } from "../../src/index.ts";
import { type Responder, startLoopback } from "../support/servers/loopback.ts";

const HOST = "https://files.example.com";
const PDF = { "content-type": "application/pdf", "content-length": "1234" };
const found: Responder = ({ response }) => response.writeHead(200, PDF).end();
const redirect =
  (location: string, status = 302): Responder =>
  ({ response }) =>
    response.writeHead(status, { location }).end();

/** Checks a file whose host sends the given responses in turn. */
const check = async (...responders: readonly Responder[]) => {
  await using server = await startLoopback(...responders);
  const fetchHost: FetchLike = (url, init) =>
    fetch(url.replace(/^https:\/\/[^/]+/, server.baseUrl), init);
  const file = await checkFile(`${HOST}/a`, { fetch: fetchHost }).catch((error: unknown) => error);
  return { file, asked: server.requests.map(({ method, url }) => `${method} ${url}`) };
};
const PASSED = { contentType: "application/pdf", size: 1234 };

describe("redirects of checkFile", () => {
  test.each([301, 302, 303, 307, 308])(
    "checkFile follows a %d whose target is https",
    async (status) => {
      const { file, asked } = await check(redirect(`${HOST}/b?c=d`, status), found);
      expect(file).toEqual(PASSED);
      expect(asked).toEqual(["HEAD /a", "HEAD /b?c=d"]);
    },
  );

  test.each([
    ["/b", "/b"],
    ["b", "/b"],
    ["?c", "/a?c"],
    ["//cdn.example.com/b", "/b"],
    ["https://cdn.example.com/b#frag", "/b"],
  ])("checkFile resolves a redirect to %s against the URL that sent it", async (location, url) => {
    const { file, asked } = await check(redirect(location), found);
    expect(file).toEqual(PASSED);
    expect(asked).toEqual(["HEAD /a", `HEAD ${url}`]);
  });

  test.each([
    ["http://files.example.com/b", "redirects away from https"],
    ["http://127.0.0.1/", "redirects away from https"],
    ["data:,x", "redirects away from https"],
    ["https://", "redirects to an invalid URL"],
    ["https://user:secret@files.example.com/b", "contains a user name or a password"],
  ])("checkFile refuses a redirect to %s: %s", async (location, where) => {
    const { file, asked } = await check(redirect(location), found);
    expect(file).toBeInstanceOf(ValidationError);
    const message = expect.stringContaining(where);
    expect(file).toMatchObject({ errors: [{ path: ["url"], message }] });
    expect(asked).toEqual(["HEAD /a"]);
  });

  test.each([
    [200, PASSED],
    // The length of a partial response is not the size of the file.
    [206, { contentType: PASSED.contentType }],
    [299, PASSED],
  ])(
    "checkFile reads a %d with a Location header as the response itself",
    async (status, expected) => {
      const { file, asked } = await check(({ response }) =>
        response.writeHead(status, { ...PDF, location: "/b" }).end(),
      );
      expect(file).toEqual(expected);
      expect(asked).toEqual(["HEAD /a"]);
    },
  );

  test.each([400, 404, 503])(
    "checkFile does not follow a %d with a Location header",
    async (status) => {
      const { file, asked } = await check(redirect("/b", status), found);
      expect(file).toBeInstanceOf(Error);
      expect(asked).not.toContain("HEAD /b");
    },
  );

  test("checkFile follows five redirects and refuses the sixth", async () => {
    const five = Array.from({ length: 5 }, (_, index) => redirect(`/${index}`));
    expect((await check(...five, found)).file).toEqual(PASSED);
    const { file, asked } = await check(redirect("/again"));
    expect(file).toMatchObject({ errors: [{ message: expect.stringContaining("more than 5") }] });
    expect(asked).toHaveLength(6);
  });

  test("checkFile leaves redirects to a browser that hides their targets", async () => {
    const opaque = Object.defineProperty(new Response(null), "type", { value: "opaqueredirect" });
    const fetch = vi.fn<FetchLike>(async (_, { redirect: mode }) =>
      mode === "manual" ? opaque : new Response(null, { headers: PDF }),
    );
    expect(await checkFile(`${HOST}/a`, { fetch })).toEqual(PASSED);
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(fetch.mock.calls[1]?.[1]).toMatchObject({ credentials: "omit", method: "HEAD" });
  });
});

test("checkFile passes control-flow errors of frameworks through unchanged", async () => {
  const thrown = Object.assign(new Error("x"), { digest: "DYNAMIC_SERVER_USAGE" });
  const fetch = () => Promise.reject(thrown);
  await expect(checkFile(`${HOST}/a`, { fetch })).rejects.toBe(thrown);
});
