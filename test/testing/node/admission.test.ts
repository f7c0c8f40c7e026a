import { request } from "node:http";
import { listen } from "messaging-service-client/testing/node";
import { describe, expect, test } from "vitest";
import {
  isOwnHost,
  parseHost,
  parseOrigin,
  toServerUrl,
} from "../../../src/testing/node/admission.ts";
import { createFake } from "../../support/fakes/fake-service.ts";

const at = (host: string, ...allowedHosts: string[]) => ({ host, port: 4010, allowedHosts });

describe("isOwnHost", () => {
  test.each([
    ["127.0.0.1:4010", at("127.0.0.1")],
    ["localhost:4010", at("127.0.0.1")],
    ["LOCALHOST:4010", at("127.0.0.1")],
    ["[::1]:4010", at("127.0.0.1")],
    ["127.0.0.1:4010", at("localhost")],
    ["10.0.0.5:4010", at("10.0.0.5")],
    ["fake.lan:4010", at("fake.lan")],
    ["10.0.0.5:8080", at("0.0.0.0")],
    ["[fe80::1]:4010", at("::")],
    ["localhost:8080", at("0.0.0.0")],
    ["fake:4010", at("0.0.0.0", "fake")],
    ["fake", at("127.0.0.1", "fake")],
    ["127.0.0.1", { host: "127.0.0.1", port: 80, allowedHosts: [] }],
  ])("isOwnHost accepts %s", (header, listening) => {
    expect(isOwnHost(header, listening)).toBe(true);
  });

  test.each([
    ["evil.example.com:4010", at("127.0.0.1")],
    ["localhost.evil.example.com:4010", at("127.0.0.1")],
    ["127.0.0.1.evil.example.com:4010", at("127.0.0.1")],
    ["evil.example.com:4010", at("0.0.0.0")],
    ["evil.example.com:4010", at("0.0.0.0", "fake")],
    ["127.0.0.1:4011", at("127.0.0.1")],
    ["10.0.0.6:4010", at("10.0.0.5")],
    ["", at("127.0.0.1")],
    [undefined, at("127.0.0.1")],
    ["user@127.0.0.1:4010", at("127.0.0.1")],
    ["127.0.0.1:4010/path", at("127.0.0.1")],
    ["127.0.0.1:4010, evil.example.com", at("127.0.0.1")],
    ["a b", at("127.0.0.1")],
  ])("isOwnHost refuses %s", (header, listening) => {
    expect(isOwnHost(header, listening)).toBe(false);
  });
});

describe("parseHost", () => {
  test.each([
    ["localhost", "localhost"],
    ["Fake.LAN", "fake.lan"],
    ["127.1", "127.0.0.1"],
    ["0.0.0.0", "0.0.0.0"],
    ["::1", "::1"],
    ["[::1]", "::1"],
    ["0:0:0:0:0:0:0:1", "::1"],
  ])("parseHost reads %s as %s", (value, host) => {
    expect(parseHost(value)).toBe(host);
  });

  const others = ["", " ", "a b", "a:80", "[::1]:80", "http://a", "a/b", "u@a", "999.1.1.1", "%20"];
  test.each([...others, "fe80::1%eth0", 5, undefined])("parseHost refuses %j", (value) => {
    expect(parseHost(value)).toBeUndefined();
  });
});

describe("parseOrigin", () => {
  test.each([
    ["http://localhost:3000", "http://localhost:3000"],
    ["HTTP://LocalHost:80/", "http://localhost"],
    ["https://app.example.com", "https://app.example.com"],
    ["capacitor://localhost", "capacitor://localhost"],
  ])("parseOrigin reads %s as %s", (value, origin) => {
    expect(parseOrigin(value)).toBe(origin);
  });

  const others = [
    "*",
    "null",
    "localhost:3000",
    "http://a/b",
    "http://a?b",
    "http://u@a",
    "http:a",
  ];
  test.each([...others, "file:///a", "data:text/html,a", " http://a", "", undefined])(
    "parseOrigin refuses %j",
    (value) => {
      expect(parseOrigin(value)).toBeUndefined();
    },
  );
});

test.each([
  ["127.0.0.1", "http://127.0.0.1:4010"],
  ["::1", "http://[::1]:4010"],
  ["0.0.0.0", "http://127.0.0.1:4010"],
  ["::", "http://[::1]:4010"],
])("the base URL of a server on %s is %s", (host, url) => {
  expect(toServerUrl(host, 4010)).toBe(url);
});

describe("requests that listen refuses", () => {
  const statusFor = (url: string, host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(url, { headers: { host } }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode));
      })
        .on("error", reject)
        .end();
    });

  test("listen refuses a request whose Host header does not name it, and does not record it", async () => {
    const service = createFake();
    const server = await listen(service, { allowedHosts: ["fake"] });
    const url = `${server.v2BaseUrl}/api/v2/lists`;
    expect(await statusFor(url, "evil.example.com")).toBe(403);
    expect(service.requests).toEqual([]);
    expect(await statusFor(url, "fake:8080")).toBe(401);
    expect(await statusFor(url, new URL(url).host)).toBe(401);
    await server.close();
  });

  test.each([
    [{ host: "" }, /host must be a host name or an address, such as .*; 0\.0\.0\.0/],
    [{ host: " " }, /host must be a host name or an address/],
    [{ host: "http://127.0.0.1" }, /host must be a host name or an address/],
    [{ port: 70_000 }, /port must be an integer/],
    [{ allowedHosts: "fake" }, /allowedHosts must be an array of host names without a port/],
    [
      { allowedHosts: ["fake:80"] },
      /allowedHosts\.0 must be a host name without a port, such as fake/,
    ],
    [{ allowedOrigins: "http://localhost:3000" }, /allowedOrigins must be an array of origins/],
    [{ allowedOrigins: ["*"] }, /allowedOrigins\.0 must be the origin of a web page, such as http/],
    [
      { allowedOrigins: ["a.example", "null"] },
      /allowedOrigins\.1 must be the origin of a web page/,
    ],
    [{ webhooksTo: "127.0.0.1:3000" }, /webhooksTo must be an origin/],
    [{ webhooksTo: "http://127.0.0.1:3000/hooks" }, /webhooksTo must be an origin/],
    [{ webhooksTo: "http://app:3000" }, /webhooksTo must be on this machine, unless/],
    [{ allowedOrigin: ["http://localhost:3000"] }, /`allowedOrigin`.* mean `allowedOrigins`/],
    [{ webhooksAnywhere: "yes" }, /webhooksAnywhere must be true or false/],
  ])("listen refuses %j", async (options, message) => {
    const listening = listen(createFake(), options as never);
    await expect(listening).rejects.toThrow(message);
    await expect(listening).rejects.toBeInstanceOf(TypeError);
  });

  test("listen refuses a body of more than 1 MiB with 413", async () => {
    const service = createFake();
    const server = await listen(service);
    const response = await fetch(`${server.v2BaseUrl}/api/v2/lists/`, {
      method: "POST",
      body: "x".repeat(1_048_577),
    });
    expect(response.status).toBe(413);
    expect(service.requests).toEqual([]);
    await server.close();
  });
});
