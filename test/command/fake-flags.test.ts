import { describe, expect, test } from "vitest";
import { FAKE, parseFakeFlags, toRateLimit } from "../../src/command/fake/fake-flags.ts";
import { toHelp, UsageError } from "../../src/command/terminal/arguments.ts";

describe("the options of the fake command", () => {
  test("the options of the fake command have defaults", () => {
    const flags = parseFakeFlags([]);
    expect(flags).toMatchObject({
      ...{ port: 4010, host: "127.0.0.1", "allow-host": [], "allow-origin": [] },
      ...{ latency: { min: 0, max: 0 }, history: 10_000, "seed-lists": 0 },
    });
    const given = Object.entries(flags ?? {}).filter(([, value]) => value === true);
    expect(given).toEqual([]);
    expect(flags && toRateLimit(flags)).toBe(false);
  });

  test.each([
    [["--latency", "200"], { latency: { min: 200, max: 200 } }],
    [["--latency", "50-300"], { latency: { min: 50, max: 300 } }],
    [["--allow-host", "fake", "--allow-host", "app"], { "allow-host": ["fake", "app"] }],
    [["--history", "50"], { history: 50 }],
    [["--host", "[::1]"], { host: "::1" }],
    [
      ["--allow-origin", "http://localhost:3000/", "--allow-origin=https://a.example"],
      { "allow-origin": ["http://localhost:3000", "https://a.example"] },
    ],
    [
      ["--email", "a@b.example", "--api-key", "k-1$%"],
      { email: "a@b.example", "api-key": "k-1$%" },
    ],
    [
      ["--webhooks-to", "http://app:3000", "--webhooks-anywhere"],
      { "webhooks-to": "http://app:3000", "webhooks-anywhere": true },
    ],
    [["--seed-lists", "2500", "--state", "a.json"], { "seed-lists": 2500, state: "a.json" }],
  ])("the fake command parses the options %j", (args, expected) => {
    expect(parseFakeFlags(args)).toMatchObject(expected);
  });

  test.each([
    [["--rate-limit"], true],
    [["--send-rate-limit", "10/2"], { transactional: { limit: 10, interval: 2000 } }],
    [
      ["--rate-limit", "--send-rate-limit", "10/1"],
      { limit: 1200, transactional: { limit: 10, interval: 1000 } },
    ],
  ])("the options %j of the fake command limit its calls", (args, expected) => {
    const flags = parseFakeFlags(args);
    expect(flags && toRateLimit(flags)).toEqual(expected);
  });

  test.each([
    [["--host="], /--host must not be empty/],
    [
      ["--host", "a b"],
      /--host must be a host name or an address, such as 127\.0\.0\.1; 0\.0\.0\.0/,
    ],
    [["--api-key", "\t"], /--api-key must not be empty/],
    [["--api-key", "a b"], /--api-key must be printable ASCII without spaces/],
    [["--email", "owner"], /--email must be an e-mail address, such as owner@example\.com/],
    [["--allow-host", "fake:80"], /--allow-host must be a host name without a port/],
    [["--allow-origin", "*"], /--allow-origin must be the origin of a web page, such as http/],
    [["--webhooks-to", "localhost:3000"], /--webhooks-to must be an origin, such as http/],
    [
      ["--webhooks-to", "http://app:3000"],
      /--webhooks-to must be on this machine, unless --webhooks-any/,
    ],
    [["--port"], /'--port <value>' argument missing/],
    [["--latency", "-5"], /'--latency' argument is ambiguous.*use '--latency=-XYZ'/s],
    [["--latency", "9999999999999"], /--latency must be .*, up to 1000000000/],
    [["--send-rate-limit", "1/9999999999999"], /--send-rate-limit must be/],
    [["--hots", "a"], /`--hots` does not exist: did you mean `--host`/],
    [["--env=1"], /'--env' does not take an argument/],
    [["--port", "80a"], /--port must be an integer from 0 to 65535/],
    [["--latency", "300-50"], /--latency must be milliseconds, such as 200 or 50-300/],
    [["--send-rate-limit", "0/1"], /--send-rate-limit must be a number of sends and of seconds/],
    [["--history", "0"], /--history must be an integer from 1/],
    [["--seed-lists", "1e9"], /--seed-lists must be an integer/],
    [["extra"], /^1 argument too many\.$/],
  ])("the fake command refuses the options %j", (args, message) => {
    expect(() => parseFakeFlags(args)).toThrow(message);
    expect(() => parseFakeFlags(args)).toThrow(UsageError);
  });

  test("the help text lists all options of the fake command, and fits a terminal", () => {
    const names = toHelp(FAKE).match(/--[\w-]+/g);
    for (const name of Object.keys(FAKE.flags)) expect(names).toContain(`--${name}`);
    for (const line of toHelp(FAKE).split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });
});
