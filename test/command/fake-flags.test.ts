import { describe, expect, test } from "vitest";
import { FAKE, parseFakeOptions } from "../../src/command/fake/flags.ts";
import { toHelp, UsageError } from "../../src/command/terminal/arguments.ts";

describe("the options of the fake command", () => {
  test("the options of the fake command have defaults", () => {
    expect(parseFakeOptions([])).toEqual({
      port: 4010,
      host: "127.0.0.1",
      allowedHosts: [],
      allowedOrigins: [],
      email: undefined,
      apiKey: undefined,
      env: false,
      inbox: true,
      latency: { min: 0, max: 0 },
      rateLimit: false,
      historyLimit: 10_000,
      empty: false,
      seedLists: 0,
      stateFile: undefined,
      webhooksFile: undefined,
      webhooksTo: undefined,
      webhooksAnywhere: false,
    });
  });

  test.each([
    [["--latency", "200"], { latency: { min: 200, max: 200 } }],
    [["--latency", "50-300"], { latency: { min: 50, max: 300 } }],
    [["--rate-limit"], { rateLimit: true }],
    [
      ["--send-rate-limit", "10/2"],
      { rateLimit: { transactional: { limit: 10, interval: 2000 } } },
    ],
    [
      ["--rate-limit", "--send-rate-limit", "10/1"],
      { rateLimit: { limit: 1200, transactional: { limit: 10, interval: 1000 } } },
    ],
    [["--no-inbox"], { inbox: false }],
    [["--allow-host", "fake", "--allow-host", "app"], { allowedHosts: ["fake", "app"] }],
    [["--history", "50"], { historyLimit: 50 }],
    [["--host", "[::1]"], { host: "::1" }],
    [
      ["--allow-origin", "http://localhost:3000/", "--allow-origin=https://a.example"],
      { allowedOrigins: ["http://localhost:3000", "https://a.example"] },
    ],
    [["--env"], { env: true }],
    [
      ["--email", "shop@example.com", "--api-key", "k-1$%"],
      { email: "shop@example.com", apiKey: "k-1$%" },
    ],
    [
      ["--webhooks-to", "http://app:3000", "--webhooks-anywhere"],
      { webhooksTo: "http://app:3000", webhooksAnywhere: true },
    ],
    [["--seed-lists", "2500"], { seedLists: 2500 }],
    [["--empty"], { empty: true }],
    [
      ["--state", "a.json", "--webhooks", "b.json"],
      { stateFile: "a.json", webhooksFile: "b.json" },
    ],
  ])("the fake command parses the options %j", (args, expected) => {
    expect(parseFakeOptions(args)).toMatchObject(expected);
  });

  test.each([
    [["--host="], /--host must not be empty/],
    [["--host", " "], /--host must not be empty/],
    [
      ["--host", "a b"],
      /--host must be a host name or an address, such as 127\.0\.0\.1; 0\.0\.0\.0/,
    ],
    [["--host", "http://127.0.0.1"], /--host must be a host name or an address/],
    [["--host", "127.0.0.1:4010"], /--host must be a host name or an address/],
    [["--api-key="], /--api-key must not be empty/],
    [["--api-key", "\t"], /--api-key must not be empty/],
    [["--api-key", "a b"], /--api-key must be printable ASCII without spaces/],
    [["--api-key", "it's"], /--api-key must be printable ASCII/],
    [["--email", "owner"], /--email must be an e-mail address, such as owner@example\.com/],
    [["--email", "a:b@example.com"], /--email must be an e-mail address/],
    [["--allow-host", "fake:80"], /--allow-host must be a host name without a port/],
    [["--allow-origin", "*"], /--allow-origin must be the origin of a web page, such as http/],
    [["--allow-origin", "null"], /--allow-origin must be the origin/],
    [["--allow-origin", "localhost:3000"], /--allow-origin must be the origin/],
    [["--webhooks-to", "localhost:3000"], /--webhooks-to must be an origin, such as http/],
    [
      ["--webhooks-to", "http://app:3000"],
      /--webhooks-to must be on this machine, unless --webhooks-any/,
    ],
    [["--state", " "], /--state must not be empty/],
    [["--port", " "], /--port must not be empty/],
    [["--port"], /^--port needs a value$/],
    [
      ["--latency", "-5"],
      /^--latency needs a value; a value that begins with a dash is written as/,
    ],
    [["--webhooks-to", "capacitor://localhost"], /^--webhooks-to must be an origin, such as http/],
    [["--latency", "9999999999999"], /--latency must be .*, up to 1000000000/],
    [["--send-rate-limit", "1/9999999999999"], /--send-rate-limit must be/],
    [["--hots", "a"], /`--hots` does not exist: did you mean `--host`/],
    [["--env=1"], /^--env takes no value$/],
    [["--allow-host", ""], /--allow-host must not be empty/],
    [["--port", "80a"], /--port must be an integer from 0 to 65535/],
    [["--port="], /--port must not be empty/],
    [["--latency", "300-50"], /--latency must be milliseconds, such as 200 or 50-300/],
    [["--latency", "fast"], /--latency must be/],
    [["--send-rate-limit", "0/1"], /--send-rate-limit must be a number of sends and of seconds/],
    [["--history", "0"], /--history must be an integer from 1/],
    [["--seed-lists", "1e9"], /--seed-lists must be an integer/],
    [["--color"], /--color/],
    [["extra"], /^There is an argument too many: "extra"$/],
  ])("the fake command refuses the options %j", (args, message) => {
    expect(() => parseFakeOptions(args)).toThrow(message);
    expect(() => parseFakeOptions(args)).toThrow(UsageError);
  });

  test("the help text lists all options of the fake command, and fits a terminal", () => {
    const names = toHelp(FAKE).match(/--[\w-]+/g);
    for (const name of Object.keys(FAKE.flags)) expect(names).toContain(`--${name}`);
    for (const line of toHelp(FAKE).split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });
});
