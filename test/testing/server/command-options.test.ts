import { describe, expect, test } from "vitest";
import { parseCommandOptions, USAGE } from "../../../src/testing/server/command-options.ts";

describe("the options of the command", () => {
  test("the options of the command have defaults", () => {
    expect(parseCommandOptions([])).toEqual({
      help: false,
      port: 4010,
      host: "127.0.0.1",
      allowedHosts: [],
      email: undefined,
      apiKey: undefined,
      inbox: true,
      latency: { min: 0, max: 0 },
      rateLimit: false,
      ids: "random",
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
    [["--ids", "sequential"], { ids: "sequential" }],
    [["--seed-lists", "2500"], { seedLists: 2500 }],
    [
      ["--state", "a.json", "--webhooks", "b.json"],
      { stateFile: "a.json", webhooksFile: "b.json" },
    ],
  ])("the options of the command: %j", (args, expected) => {
    expect(parseCommandOptions(args)).toMatchObject(expected);
  });

  test.each([
    [["--host="], /--host must not be empty; 0\.0\.0\.0 listens on every interface/],
    [["--api-key="], /--api-key must not be empty/],
    [["--allow-host", ""], /--allow-host must not be empty/],
    [["--port", "80a"], /--port must be an integer from 0 to 65535/],
    [["--port="], /--port must not be empty/],
    [["--latency", "300-50"], /--latency must be milliseconds, as 200 or 50-300/],
    [["--latency", "fast"], /--latency must be/],
    [["--send-rate-limit", "0/1"], /--send-rate-limit must be a number of sends and of seconds/],
    [["--ids", "uuid"], /--ids must be random or sequential/],
    [["--seed-lists", "1e9"], /--seed-lists must be an integer/],
    [["--color"], /--color/],
    [["extra"], /extra/],
  ])("the options of the command refuse %j", (args, message) => {
    expect(() => parseCommandOptions(args)).toThrow(message);
    expect(() => parseCommandOptions(args)).toThrow(TypeError);
  });

  test("the options of the command are all in the help text, which fits a terminal", () => {
    const names = USAGE.match(/--[\w-]+/g);
    const options =
      "port host allow-host email api-key no-inbox latency rate-limit send-rate-limit";
    const more = "ids seed-lists state webhooks webhooks-to webhooks-anywhere help";
    for (const name of `${options} ${more}`.split(" ")) expect(names).toContain(`--${name}`);
    for (const line of USAGE.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });
});
