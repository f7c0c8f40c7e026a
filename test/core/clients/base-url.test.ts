import { describe, expect, test } from "vitest";
import { BOTH, requestOf, thrownBy } from "./both.ts";

describe.each(BOTH)("baseUrl of $name", (kind) => {
  const { make, options, ownPath } = kind;

  test.each([
    ["https://app.example.com", "https://app.example.com"],
    ["https://app.example.com/", "https://app.example.com"],
    ["https://app.example.com///", "https://app.example.com"],
    ["https://app.example.com:8443", "https://app.example.com:8443"],
    ["https://app.example.com:443", "https://app.example.com"],
    ["HTTPS://APP.Example.com", "https://app.example.com"],
    ["https://app.example.com/prefix", "https://app.example.com/prefix"],
    ["https://app.example.com/two/parts/", "https://app.example.com/two/parts"],
    ["https://app.example.com/apis", "https://app.example.com/apis"],
    ["https://app.example.com/not%20api", "https://app.example.com/not%20api"],
    ["  https://app.example.com\n", "https://app.example.com"],
    ["https://[2001:db8::1]/", "https://[2001:db8::1]"],
    ["https://app.example.com/api/v2x", "https://app.example.com/api/v2x"],
  ])("the baseUrl %j becomes %s", async (baseUrl, base) => {
    expect((await requestOf(kind, { ...options, baseUrl })).url).toBe(`${base}/any`);
  });

  test.each([
    "http://localhost",
    "http://localhost:3000/prefix",
    "http://LOCALHOST",
    "http://app.localhost",
    "http://a.b.localhost:8080",
    "http://127.0.0.1",
    "http://127.0.0.1:4010",
    "http://127.255.255.254",
    "http://127.1",
    "http://[::1]",
    "http://[::1]:4010/",
    "http://[0:0:0:0:0:0:0:1]",
  ])("the baseUrl %s may use plain http, because it is loopback", (baseUrl) => {
    expect(() => make({ ...options, baseUrl })).not.toThrow();
  });

  test.each([
    "http://app.example.com",
    "http://app.example.com:443/",
    "http://192.168.1.5",
    "http://0.0.0.0",
    "http://10.0.0.1",
    "http://[::2]",
    "http://localhost.example.com",
    "http://notlocalhost",
    "http://127.0.0.1.example.com",
    "http://128.0.0.1",
    "http://a127.0.0.1.nip.io",
  ])("the baseUrl %s is refused unless allowInsecureHttp is true", async (baseUrl) => {
    for (const allowInsecureHttp of [undefined, false]) {
      const error = thrownBy(() => make({ ...options, baseUrl, allowInsecureHttp }));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toContain("option `baseUrl` must be an https URL");
      expect(error.message).toContain("allowInsecureHttp");
    }
    const { url } = await requestOf(kind, { ...options, baseUrl, allowInsecureHttp: true });
    expect(url).toBe(new URL("/any", baseUrl).href);
  });

  test.each([
    "app.example.com",
    "/relative",
    "//app.example.com",
    "https://",
    "ftp://app.example.com",
    "ws://localhost",
    "file:///etc/hosts",
    "data:text/plain,x",
    "javascript:alert(1)",
    "https://hunter2@app.example.com",
    "https://user:hunter2@app.example.com",
    "https://:hunter2@app.example.com",
    "https://app.example.com?hunter2=1",
    "https://app.example.com/#hunter2",
  ])("the baseUrl %s is refused even if allowInsecureHttp is true", (baseUrl) => {
    const error = thrownBy(() => make({ ...options, baseUrl, allowInsecureHttp: true }));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain("option `baseUrl` must be");
    expect(error.message).not.toContain("hunter2");
  });

  test.each(["", "/", "//"])(
    "a baseUrl that ends in the API's own path and %j is refused",
    (end) => {
      for (const prefix of ["", "/prefix"]) {
        const baseUrl = `https://app.example.com${prefix}${ownPath}${end}`;
        const error = thrownBy(() => make({ ...options, baseUrl }));
        expect(error).toBeInstanceOf(TypeError);
        expect(error.message).toContain(`option \`baseUrl\` must be a URL without ${ownPath}`);
      }
    },
  );

  test.each([
    ["/api/v2/lists", "/api/v2"],
    ["/prefix/api/v2/lists/17", "/api/v2"],
    ["/transactional_messages/send_rcs_text", "/transactional_messages"],
    ["/api", "/api"],
    ["/prefix/v1/", "/v1"],
    ["/V2", "/v2"],
  ])("a baseUrl with the path %s is refused for its %s", (path, named) => {
    const error = thrownBy(() => make({ ...options, baseUrl: `https://app.example.com${path}` }));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(`option \`baseUrl\` must be a URL without ${named}:`);
  });

  test("a baseUrl that ends in the API's own path in capitals is refused", () => {
    const baseUrl = `https://app.example.com${ownPath.toUpperCase()}/`;
    const error = thrownBy(() => make({ ...options, baseUrl }));
    expect(error.message).toContain(`option \`baseUrl\` must be a URL without ${ownPath}`);
  });
});
