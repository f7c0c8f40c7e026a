import * as z from "zod/mini";
import { parseFlags } from "../../flags.ts";
import { quoteName } from "../../quote.ts";
import { boolean, integerFrom, parsedBy, valueThat } from "../fake/fields.ts";
import { idModes } from "../fake/store.ts";
import type { RateLimitOptions } from "../handlers/limits.ts";
import { isDelay, type LatencyOptions, MAX_DELAY_MS } from "../handlers/request-filter.ts";
import { SAMPLE_DATA } from "./sample-data.ts";
import { listenFields, mayReceiveWebhooks } from "./server.ts";

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

/** Returns the groups of a pattern as numbers; `undefined` if a value does not match it. */
const toNumbers = (value: unknown, pattern: RegExp): (number | undefined)[] | undefined =>
  pattern
    .exec(String(value))
    ?.slice(1)
    .map((group) => (group === undefined ? undefined : Number(group)));

const parseLatency = (
  value: unknown,
): Required<Pick<LatencyOptions, "min" | "max">> | undefined => {
  const [min, max = min] = toNumbers(value, /^(\d+)(?:-(\d+))?$/) ?? [];
  return isDelay(min) && isDelay(max) && min <= max ? { min, max } : undefined;
};

const parseRate = (value: unknown): Required<RateLimitOptions> | undefined => {
  const [limit, seconds] = toNumbers(value, /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/) ?? [];
  if (limit === undefined || seconds === undefined) return undefined;
  return { limit, interval: seconds * 1000 };
};

const textThat = (what: string, pattern: RegExp) =>
  z.optional(valueThat<string>(what, (value) => pattern.test(String(value))));

/** Schema of a number that is written in digits. */
const digits = <T extends z.ZodMiniType<number, number>>(schema: T) =>
  z.pipe(
    z.transform((value: unknown) => (/^\d+$/.test(String(value)) ? Number(value) : value)),
    schema as z.ZodMiniType<number, unknown>,
  );

const flagsSchema = z
  .object({
    port: digits(listenFields.port),
    host: listenFields.host,
    "allow-host": listenFields.allowedHosts,
    "allow-origin": listenFields.allowedOrigins,
    email: textThat("an e-mail address, such as owner@example.com", /^[^\s:'"@]+@[^\s:'"@]+$/),
    "api-key": textThat(
      "printable ASCII without spaces or quotation marks",
      /^[\x21\x23-\x26\x28-\x7e]+$/,
    ),
    latency: parsedBy(`milliseconds, such as 200 or 50-300, up to ${MAX_DELAY_MS}`, parseLatency),
    "send-rate-limit": z.optional(
      parsedBy("a number of sends and of seconds, such as 10/1", parseRate),
    ),
    ids: parsedBy("random or sequential", (value) => idModes.find((mode) => mode === value)),
    "seed-lists": digits(integerFrom(0, 100_000)),
    "webhooks-to": z.optional(listenFields.webhooksTo),
    "webhooks-anywhere": boolean,
  })
  .check(
    z.refine((flags) => mayReceiveWebhooks(flags["webhooks-to"], flags["webhooks-anywhere"]), {
      path: ["webhooks-to"],
      error: "must be on this machine, unless --webhooks-anywhere is given",
    }),
  );

/**
 * Parses the arguments of the command.
 *
 * @throws TypeError that names the wrong flag, and says what would be right.
 */
export const parseCommandOptions = (args: readonly string[]) => {
  const { values, positionals } = parseFlags(args, FLAGS, {
    host: "; 0.0.0.0 listens on every interface",
  });
  const [extra] = positionals;
  if (extra !== undefined)
    throw new TypeError(`There is no argument "${quoteName(extra)}", only flags`);
  const { data: flags, error } = z.safeParse(flagsSchema, values);
  if (!flags) {
    const [issue] = error.issues;
    throw new TypeError(`--${String(issue?.path[0])} ${issue?.message}`);
  }
  const isV2Limited = values["rate-limit"];
  const transactional = flags["send-rate-limit"];
  return {
    help: values.help,
    port: flags.port,
    host: flags.host,
    allowedHosts: flags["allow-host"],
    allowedOrigins: flags["allow-origin"],
    email: flags.email,
    apiKey: flags["api-key"],
    env: values.env,
    inbox: !values["no-inbox"],
    latency: flags.latency,
    rateLimit: transactional ? { ...(isV2Limited && { limit: 1200 }), transactional } : isV2Limited,
    ids: flags.ids,
    empty: values.empty,
    seedLists: flags["seed-lists"],
    stateFile: values.state,
    webhooksFile: values.webhooks,
    webhooksTo: flags["webhooks-to"],
    webhooksAnywhere: flags["webhooks-anywhere"],
  };
};

/** Parsed options of the command. */
export type CommandOptions = ReturnType<typeof parseCommandOptions>;
