import { parseArgs } from "node:util";
import type { LatencyOptions } from "../faults/latency.ts";
import type { RateLimits } from "../handlers/rate-limit.ts";
import type { IdMode } from "../state/ids.ts";

/** Help text of the command. */
export const USAGE = `Serves a fake of the messaging service over HTTP until Ctrl+C.

Usage: npx -p messaging-service-client messaging-service-client-fake [options]

  --port <number>      port to listen on (default: 4010; 0 is any free port)
  --host <address>     address to listen on (default: 127.0.0.1)
  --allow-host <name>  further host name of the server, such as that of a
                       container; can be repeated
  --email <address>    e-mail address of the account (default: generated)
  --api-key <key>      API key, valid for both APIs (default: generated)
  --no-inbox           serve neither the inbox page nor the control API

  --latency <ms>       time that responses take, such as 200 or 50-300
                       (default: 0)
  --rate-limit         respond 429 after 1200 calls of version 2 in an hour
  --send-rate-limit <n>/<seconds>
                       respond 429 after n sends in some seconds, as in 10/1
  --ids <mode>         random or sequential ids (default: random)

  --seed-lists <n>     number of further lists, for paging (default: 0)
  --state <file>       file that keeps the state across restarts
  --webhooks <file>    JSON template of the webhooks that each send posts
  --webhooks-to <url>  origin that receives them, such as http://127.0.0.1:3000
                       (default: the host of each webhookUrl)
  --webhooks-anywhere  post webhooks to other machines, too
  --help               show this text`;

/** Options of the command, parsed. */
export interface CommandOptions {
  readonly help: boolean;
  readonly port: number;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly email: string | undefined;
  readonly apiKey: string | undefined;
  readonly inbox: boolean;
  readonly latency: LatencyOptions;
  readonly rateLimit: boolean | RateLimits;
  readonly ids: IdMode;
  readonly seedLists: number;
  readonly stateFile: string | undefined;
  readonly webhooksFile: string | undefined;
  readonly webhooksTo: string | undefined;
  readonly webhooksAnywhere: boolean;
}

/**
 * Returns the groups of a pattern.
 *
 * @throws TypeError unless the value matches it.
 */
const parseGroups = (name: string, value: string, pattern: RegExp, expected: string): string[] => {
  const groups = pattern.exec(value);
  if (!groups) throw new TypeError(`${name} must be ${expected}`);
  return groups.slice(1);
};

const toLatency = (value: string): LatencyOptions => {
  const expected = "milliseconds, as 200 or 50-300";
  const [min, max = min] = parseGroups("--latency", value, /^(\d+)(?:-(\d+))?$/, expected);
  if (Number(max) < Number(min)) throw new TypeError(`--latency must be ${expected}`);
  return { min: Number(min), max: Number(max) };
};

const toRateLimit = (isV2Limited: boolean, sends: string | undefined): boolean | RateLimits => {
  if (sends === undefined) return isV2Limited;
  const expected = "a number of sends and of seconds, such as 10/1";
  const [limit, seconds] = parseGroups(
    "--send-rate-limit",
    sends,
    /^([1-9]\d*)\/([1-9]\d*)$/,
    expected,
  );
  const transactional = { limit: Number(limit), interval: Number(seconds) * 1000 };
  return { ...(isV2Limited && { limit: 1200 }), transactional };
};

const toIdMode = (value: string): IdMode => {
  if (value === "random" || value === "sequential") return value;
  throw new TypeError("--ids must be random or sequential");
};

const toCount = (name: string, value: string, max: number): number => {
  const count = Number(value);
  if (/^\d+$/.test(value) && count <= max) return count;
  throw new TypeError(`${name} must be an integer from 0 to ${max}`);
};

/** @throws TypeError when an option has an empty value, which a shell makes of a variable that is not set. */
const assertNotEmpty = (values: Readonly<Record<string, unknown>>): void => {
  for (const [name, value] of Object.entries(values)) {
    const isEmpty = value === "" || (Array.isArray(value) && value.includes(""));
    if (!isEmpty) continue;
    const hint = name === "host" ? "; 0.0.0.0 listens on every interface" : "";
    throw new TypeError(`--${name} must not be empty${hint}`);
  }
};

/**
 * Parses the arguments of the command.
 *
 * @throws TypeError that names the argument which is wrong.
 */
export const parseCommandOptions = (args: readonly string[]): CommandOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: "string", default: "4010" },
      host: { type: "string", default: "127.0.0.1" },
      "allow-host": { type: "string", multiple: true, default: [] },
      email: { type: "string" },
      "api-key": { type: "string" },
      "no-inbox": { type: "boolean", default: false },
      latency: { type: "string", default: "0" },
      "rate-limit": { type: "boolean", default: false },
      "send-rate-limit": { type: "string" },
      ids: { type: "string", default: "random" },
      "seed-lists": { type: "string", default: "0" },
      state: { type: "string" },
      webhooks: { type: "string" },
      "webhooks-to": { type: "string" },
      "webhooks-anywhere": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  assertNotEmpty(values);
  return {
    help: values.help,
    port: toCount("--port", values.port, 65_535),
    host: values.host,
    allowedHosts: values["allow-host"],
    email: values.email,
    apiKey: values["api-key"],
    inbox: !values["no-inbox"],
    latency: toLatency(values.latency),
    rateLimit: toRateLimit(values["rate-limit"], values["send-rate-limit"]),
    ids: toIdMode(values.ids),
    seedLists: toCount("--seed-lists", values["seed-lists"], 100_000),
    stateFile: values.state,
    webhooksFile: values.webhooks,
    webhooksTo: values["webhooks-to"],
    webhooksAnywhere: values["webhooks-anywhere"],
  };
};
