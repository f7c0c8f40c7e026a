// Checks whether the service at an address takes the keys, and does what it documents. It changes nothing and texts nobody.
import { flag, parseCommand, UsageError } from "../terminal/arguments.ts";
import { printReport, printStep } from "./report.ts";
import { checkTransactional, checkV2, type Settings, type Step } from "./steps.ts";

const OPTIONS = {
  v2: {
    baseUrl: ["base-url", "MESSAGING_V2_BASE_URL"],
    email: ["email", "MESSAGING_V2_EMAIL"],
    apiKey: ["api-key", "MESSAGING_V2_API_KEY"],
  },
  transactional: {
    baseUrl: ["transactional-base-url", "MESSAGING_TRANSACTIONAL_BASE_URL"],
    apiKey: ["transactional-api-key", "MESSAGING_TRANSACTIONAL_API_KEY"],
  },
} as const;

const from = (value: string, what: string, [, variable]: readonly [string, string]) =>
  flag(value, `${what} (default: ${variable})`);

export const CHECK = {
  usage: "check [options]",
  summary:
    "Checks that the service takes your keys and does what it documents. It reads the account, one page of lists, one list and its scheduled messages, and posts a message without a phone, which must be refused. It changes nothing and texts nobody.",
  flags: {
    "base-url": from("<url>", "base URL of version 2", OPTIONS.v2.baseUrl),
    email: from("<address>", "e-mail address of the account", OPTIONS.v2.email),
    "api-key": from("<key>", "API key of version 2", OPTIONS.v2.apiKey),
    "transactional-base-url": from(
      ...(["<url>", "base URL of the transactional API", OPTIONS.transactional.baseUrl] as const),
    ),
    "transactional-api-key": from(
      ...(["<key>", "API key of the transactional API", OPTIONS.transactional.apiKey] as const),
    ),
    "no-post": { help: "leave out the POST, and with it the check of the transactional API" },
    strict: { help: "exit with 1 also if a response is not as documented" },
    json: { help: "print JSON, such as an issue about the service has attached" },
  },
  notes: "Either API may be left out. No key, phone, name or text appears in the output.",
};

/** Says what is wrong with the options of a client. Its error never quotes them. */
const settingsStep = (error: unknown, api: keyof typeof OPTIONS): Step => {
  const names: Readonly<Record<string, readonly [string, string]>> = OPTIONS[api];
  const { message } = error as Error;
  const wrong = [...message.matchAll(/option `(\w+)`/g)].map(([, name = ""]) => names[name]);
  const text = message
    .replaceAll(/option `(\w+)`/g, (_, name: string) => names[name]?.[1] ?? name)
    .replaceAll(/: give it, or set \w+/g, "")
    .replaceAll("`", "");
  return {
    ...{ api: api === "v2" ? "version 2" : api, step: "settings", result: "failed", text },
    todo: `Correct it, or pass ${wrong.map((name) => `--${name?.[0]}`).join(" and ")}.`,
  };
};

const check = async function* (settings: Settings): AsyncGenerator<Step> {
  for (const api of ["v2", "transactional"] as const) {
    try {
      yield* api === "v2" ? checkV2(settings) : checkTransactional(settings);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      yield settingsStep(error, api);
    }
  }
};

/** Runs the command. */
export const run = async (args: readonly string[]): Promise<number> => {
  const flags = parseCommand(args, CHECK);
  if (!flags) return 0;
  const read = ([flag, variable]: readonly [keyof typeof flags, string]) =>
    (flags[flag] as string | undefined) ?? (process.env[variable] || undefined);
  const toTarget = (
    api: "version 2" | "transactional",
    options: typeof OPTIONS.v2 | typeof OPTIONS.transactional,
  ) => ({
    api,
    baseUrl: (read(options.baseUrl) ?? "").replace(/\/+$/, ""),
    names: { email: OPTIONS.v2.email[1], baseUrl: options.baseUrl[1], apiKey: options.apiKey[1] },
    credentials:
      api === "version 2" ? `${OPTIONS.v2.email[1]} with ${options.apiKey[1]}` : options.apiKey[1],
  });
  const { v2, transactional } = OPTIONS;
  const hasV2 = [v2.baseUrl, v2.apiKey, v2.email].some((option) => read(option) !== undefined);
  const hasTransactional = read(transactional.baseUrl) ?? read(transactional.apiKey);
  if (!hasV2 && hasTransactional === undefined) {
    throw new UsageError(
      "Nothing to check: set MESSAGING_V2_BASE_URL, MESSAGING_V2_EMAIL and MESSAGING_V2_API_KEY, or MESSAGING_TRANSACTIONAL_BASE_URL and MESSAGING_TRANSACTIONAL_API_KEY, or pass the flags.",
    );
  }
  const settings: Settings = {
    mayPost: !flags["no-post"],
    ...(hasV2 && {
      v2: { target: toTarget("version 2", v2), email: read(v2.email), apiKey: read(v2.apiKey) },
    }),
    ...(hasTransactional !== undefined && {
      transactional: {
        target: toTarget("transactional", transactional),
        apiKey: read(transactional.apiKey),
      },
    }),
  };
  const steps: Step[] = [];
  for await (const step of check(settings)) {
    steps.push(step);
    if (!flags.json) printStep(step, steps);
  }
  const hasFailed = steps.some(({ result }) => result === "failed");
  const mismatches = steps.flatMap((step) => step.mismatches ?? []);
  const passed = !hasFailed && (mismatches.length === 0 || !flags.strict);
  if (flags.json) console.log(JSON.stringify({ passed, steps }, null, 2));
  else printReport(steps);
  return passed ? 0 : 1;
};
