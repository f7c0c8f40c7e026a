import * as z from "zod/mini";
import * as f from "../../testing/fake/fake-fields.ts";
import { listenFields, mayReceiveWebhooks } from "../../testing/node/server.ts";
import type { RateLimits } from "../../testing/service/limits.ts";
import { MAX_DELAY_MS } from "../../testing/service/request-filter.ts";
import { flag, parseCommand, UsageError, type Values } from "../terminal/arguments.ts";

const by =
  <T>(schema: z.ZodMiniType<T>) =>
  (value: unknown): T => {
    const { data, error } = z.safeParse(schema, value);
    if (error) throw new TypeError(error.issues[0]?.message);
    return data as T;
  };

const digits = (minimum: number, maximum: number) => {
  const check = by(f.integerFrom(minimum, maximum));
  return (value: string): number => check(/^\d+$/.test(value) ? Number(value) : value);
};

const textThat = (what: string, pattern: RegExp) =>
  by(f.valueThat<string>(what, (value) => pattern.test(String(value))));

const parseLatency = (value: unknown) => {
  const [, shortest, longest = shortest] = /^(\d+)(?:-(\d+))?$/.exec(String(value)) ?? [];
  const [min, max] = [Number(shortest), Number(longest)];
  return min <= max && max <= MAX_DELAY_MS ? { min, max } : undefined;
};

const parseRate = (value: unknown): Required<Omit<RateLimits, "transactional">> | undefined => {
  const [, sends, seconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(String(value)) ?? [];
  if (sends === undefined) return undefined;
  return { limit: Number(sends), interval: Number(seconds) * 1000 };
};

const LATENCY = `milliseconds, such as 200 or 50-300, up to ${MAX_DELAY_MS}`;

export const FAKE = {
  usage: "fake [options]",
  summary: "Serves a fake of the messaging service over HTTP until Ctrl+C.",
  flags: {
    port: flag("<number>", "port to listen on; 0 for any free port", digits(0, 65_535), {
      default: "4010",
    }),
    host: flag("<address>", "address to listen on", by(listenFields.host), {
      default: "127.0.0.1",
    }),
    "allow-host": flag(
      "<name>",
      "further host name of the server, such as the name of its container",
      by(listenFields.allowedHost),
      { isRepeatable: true },
    ),
    "allow-origin": flag(
      "<url>",
      "origin of a web page that may call the server, such as http://localhost:3000",
      by(listenFields.allowedOrigin),
      { isRepeatable: true },
    ),
    email: flag(
      "<address>",
      "e-mail address of the account (default: generated)",
      textThat("an e-mail address, such as owner@example.com", /^[^\s:'"@]+@[^\s:'"@]+$/),
    ),
    "api-key": flag(
      "<key>",
      "API key, valid for both APIs (default: random, and new in each run without --state)",
      textThat("printable ASCII without spaces or quotation marks", /^[!#-&(-~]+$/),
    ),
    env: { help: "print the settings as an .env file, and everything else to the standard error" },
    "no-inbox": { help: "serve neither the inbox page nor the control API" },
    latency: flag(
      "<ms>",
      "time that responses take, such as 200 or 50-300",
      by(f.parsedBy(LATENCY, parseLatency)),
      { default: "0" },
    ),
    "rate-limit": { help: "respond with 429 after 1200 version 2 calls in an hour" },
    "send-rate-limit": flag(
      "<n>/<s>",
      "respond with 429 after n sends in s seconds, such as 10/1",
      by(f.parsedBy("a number of sends and of seconds, such as 10/1", parseRate)),
    ),
    history: flag(
      "<number>",
      "number of requests, of messages and of webhooks to keep; the oldest are dropped",
      digits(1, 1_000_000),
      { default: "10000" },
    ),
    empty: { help: "start without the sample data, for example in test suites" },
    "seed-lists": flag("<number>", "number of lists to add, for paging", digits(0, 100_000), {
      default: "0",
    }),
    state: flag("<file>", "file that keeps the state, including the API key, across restarts"),
    webhooks: flag("<file>", "JSON template of the webhook that is posted for each send"),
    "webhooks-to": flag(
      "<url>",
      "origin that receives webhooks, such as http://127.0.0.1:3000 (default: each webhookUrl's host)",
      by(listenFields.webhooksTo),
    ),
    "webhooks-anywhere": { help: "also post webhooks to other machines" },
  },
  notes: `The fake starts with sample data: the list "VIP" (keyword VIP, single opt-in,
3 subscribers, a scheduled message), the list "Newsletter" (keyword NEWS, double
opt-in), and a report. With --empty, it starts without this data.
If the --state file exists, the fake starts with its content instead.`,
};

export type FakeFlags = Values<typeof FAKE.flags>;

/** Returns the values of the flags; `undefined` if help was requested. */
export const parseFakeFlags = (args: readonly string[]): FakeFlags | undefined => {
  const flags = parseCommand(args, FAKE);
  if (flags && !mayReceiveWebhooks(flags["webhooks-to"], flags["webhooks-anywhere"])) {
    throw new UsageError(
      "--webhooks-to must be on this machine, unless --webhooks-anywhere is given",
    );
  }
  return flags;
};

export const toRateLimit = (flags: FakeFlags): boolean | RateLimits => {
  const { "rate-limit": isV2Limited, "send-rate-limit": transactional } = flags;
  if (!transactional) return isV2Limited;
  return { ...(isV2Limited && { limit: 1200 }), transactional };
};
