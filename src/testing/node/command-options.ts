import { parseArgs } from "node:util";
import { assertOptions } from "../../options.ts";
import { type IdMode, idModes } from "../fake/store.ts";
import type { RateLimits } from "../handlers/limits.ts";
import { isDelay, type LatencyOptions, MAX_DELAY_MS } from "../handlers/request-filter.ts";
import { hostOf, isThisMachine, parseHost, parseOrigin } from "./admission.ts";
import { SAMPLE_DATA } from "./sample-data.ts";

/** Help text of the command. */
export const FAKE_HELP = `Serves a fake of the messaging service over HTTP until Ctrl+C.

Usage: npx -p messaging-service-client messaging-service-client-fake [options]

  --port <number>      port to listen on (default: 4010; 0 is any free port)
  --host <address>     address to listen on (default: 127.0.0.1)
  --allow-host <name>  further host name of the server, such as the name of
                       its container; can be repeated
  --allow-origin <url> origin of a web page that may call the server, such as
                       http://localhost:3000; can be repeated
  --email <address>    e-mail address of the account (default: generated)
  --api-key <key>      API key, valid for both APIs (default: random)
  --env                print the settings as an .env file
  --no-inbox           serve neither the inbox page nor the control API

  --latency <ms>       time that responses take, such as 200 or 50-300
                       (default: 0)
  --rate-limit         respond with 429 after 1200 version 2 calls in an hour
  --send-rate-limit <n>/<seconds>
                       respond with 429 after n sends in so many seconds,
                       such as 10/1
  --ids <mode>         random or sequential ids (default: random)

  --empty              start without the sample data, as test suites want
  --seed-lists <n>     number of lists to add, for paging (default: 0)
  --state <file>       file that keeps the state, the API key included, across
                       restarts
  --webhooks <file>    JSON template of the webhook that is posted for each send
  --webhooks-to <url>  origin that receives webhooks, such as
                       http://127.0.0.1:3000 (default: each webhookUrl's host)
  --webhooks-anywhere  post webhooks to other machines, too
  --help               show this text

${SAMPLE_DATA}
If the --state file exists, the fake starts with its content instead.`;

const FLAGS = {
  port: { type: "string", default: "4010" },
  host: { type: "string", default: "127.0.0.1" },
  "allow-host": { type: "string", multiple: true, default: [] as string[] },
  "allow-origin": { type: "string", multiple: true, default: [] as string[] },
  email: { type: "string" },
  "api-key": { type: "string" },
  env: { type: "boolean", default: false },
  "no-inbox": { type: "boolean", default: false },
  latency: { type: "string", default: "0" },
  "rate-limit": { type: "boolean", default: false },
  "send-rate-limit": { type: "string" },
  ids: { type: "string", default: "random" },
  empty: { type: "boolean", default: false },
  "seed-lists": { type: "string", default: "0" },
  state: { type: "string" },
  webhooks: { type: "string" },
  "webhooks-to": { type: "string" },
  "webhooks-anywhere": { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/** Builds the error for a flag. It states what would be right. */
const flagError = (name: string, expected: string): TypeError =>
  new TypeError(`--${name} must be ${expected}`);

/**
 * Returns a parsed value.
 *
 * @throws TypeError that says what the flag must be, if the value could not be parsed.
 */
const required = <T>(name: string, parsed: T | undefined, expected: string): T => {
  if (parsed === undefined) throw flagError(name, expected);
  return parsed;
};

/** @throws TypeError unless a value that was given matches a pattern. */
const matching = (
  name: string,
  value: string | undefined,
  pattern: RegExp,
  expected: string,
): string | undefined => {
  if (value === undefined || pattern.test(value)) return value;
  throw flagError(name, expected);
};

/**
 * Returns the groups of a pattern.
 *
 * @throws TypeError unless the value matches it.
 */
const parseGroups = (name: string, value: string, pattern: RegExp, expected: string): string[] =>
  required(name, pattern.exec(value)?.slice(1), expected);

const toLatency = (value: string): LatencyOptions => {
  const expected = `milliseconds, such as 200 or 50-300, up to ${MAX_DELAY_MS}`;
  const [least, most = least] = parseGroups("latency", value, /^(\d+)(?:-(\d+))?$/, expected);
  const [min, max] = [Number(least), Number(most)];
  if (isDelay(min) && isDelay(max) && min <= max) return { min, max };
  throw flagError("latency", expected);
};

const toRateLimit = (isV2Limited: boolean, sends: string | undefined): boolean | RateLimits => {
  if (sends === undefined) return isV2Limited;
  const expected = "a number of sends and of seconds, such as 10/1";
  const pattern = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/;
  const [limit, seconds] = parseGroups("send-rate-limit", sends, pattern, expected);
  const transactional = { limit: Number(limit), interval: Number(seconds) * 1000 };
  return { ...(isV2Limited && { limit: 1200 }), transactional };
};

const toIdMode = (value: string): IdMode => {
  const mode = idModes.find((known) => known === value);
  return required("ids", mode, "random or sequential");
};

const toCount = (name: string, value: string, max: number): number => {
  const count = Number(value);
  if (/^\d+$/.test(value) && count <= max) return count;
  throw flagError(name, `an integer from 0 to ${max}`);
};

const toWebhookOrigin = (value: string | undefined, anywhere: boolean): string | undefined => {
  if (value === undefined) return undefined;
  const origin = required(
    "webhooks-to",
    parseOrigin(value),
    "an origin, such as http://127.0.0.1:3000",
  );
  const isHere = isThisMachine(hostOf(new URL(origin)));
  if (isHere || anywhere) return origin;
  throw flagError("webhooks-to", "on this machine, unless --webhooks-anywhere is given");
};

/** @throws TypeError when a flag has an empty value: in a shell, it may come from a variable that is not set. */
const assertNotEmpty = (values: Readonly<Record<string, unknown>>): void => {
  for (const [name, value] of Object.entries(values)) {
    const isEmpty = [value].flat().some((given) => typeof given === "string" && !given.trim());
    if (!isEmpty) continue;
    const hint = name === "host" ? "; 0.0.0.0 listens on every interface" : "";
    throw new TypeError(`--${name} must not be empty${hint}`);
  }
};

const parseFlags = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values;
  } catch (error) {
    const { message } = error as Error;
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(message) ?? [];
    // Names the flag that was probably meant.
    if (unknown !== undefined) assertOptions("flags", { [unknown]: true }, FLAGS as never, "--");
    const [, valueless] = /^Option '(--[^ ]+) <value>' argument missing/.exec(message) ?? [];
    throw valueless === undefined ? error : new TypeError(`${valueless} needs a value`);
  }
};

/**
 * Parses the arguments of the command.
 *
 * @throws TypeError that names the wrong flag, and says what would be right.
 */
export const parseCommandOptions = (args: readonly string[]) => {
  const flags = parseFlags(args);
  assertNotEmpty(flags);
  const anywhere = flags["webhooks-anywhere"];
  const host = "a host name or an address, such as 127.0.0.1; 0.0.0.0 listens on every interface";
  const origin = "the origin of a web page, such as http://localhost:3000";
  return {
    help: flags.help,
    port: toCount("port", flags.port, 65_535),
    host: required("host", parseHost(flags.host), host),
    allowedHosts: flags["allow-host"].map((name) =>
      required("allow-host", parseHost(name), "a host name without a port, such as fake"),
    ),
    allowedOrigins: flags["allow-origin"].map((page) =>
      required("allow-origin", parseOrigin(page), origin),
    ),
    email: matching(
      "email",
      flags.email,
      /^[^\s:'"@]+@[^\s:'"@]+$/,
      "an e-mail address, such as owner@example.com",
    ),
    apiKey: matching(
      "api-key",
      flags["api-key"],
      /^[\x21\x23-\x26\x28-\x7e]+$/,
      "printable ASCII without spaces or quotation marks",
    ),
    env: flags.env,
    inbox: !flags["no-inbox"],
    latency: toLatency(flags.latency),
    rateLimit: toRateLimit(flags["rate-limit"], flags["send-rate-limit"]),
    ids: toIdMode(flags.ids),
    empty: flags.empty,
    seedLists: toCount("seed-lists", flags["seed-lists"], 100_000),
    stateFile: flags.state,
    webhooksFile: flags.webhooks,
    webhooksTo: toWebhookOrigin(flags["webhooks-to"], anywhere),
    webhooksAnywhere: anywhere,
  };
};

/** Parsed options of the command. */
export type CommandOptions = ReturnType<typeof parseCommandOptions>;
