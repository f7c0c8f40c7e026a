import type { AllowRecipient } from "../call/recipients.ts";
import { CALL_OPTIONS, type RequestOptions } from "../call/settings.ts";
import {
  assertNotEmpty,
  assertOptions,
  invalidOption,
  type OptionNames,
  type OptionProblem,
  optionError,
} from "../options.ts";
import { isSecureUrl } from "../rules/https-url.ts";
import { runtime } from "../runtime.ts";
import type { Throttle, ThrottleOptions } from "../throttle/throttle.ts";
import type { FetchOption } from "../transport/transport.ts";
import { toBasic } from "../wire/encodings.ts";

/** Options that both clients have. An option of a call applies to every call of the client if you pass it here. */
export interface ClientOptions extends Omit<RequestOptions, "signal"> {
  /**
   * Base URL of the service: https, with an optional path prefix. Required, here or as the environment variable
   * `MESSAGING_V2_BASE_URL` or `MESSAGING_TRANSACTIONAL_BASE_URL`.
   */
  readonly baseUrl?: string | undefined;
  /**
   * API key of the account. Required, here or as the environment variable `MESSAGING_V2_API_KEY` or
   * `MESSAGING_TRANSACTIONAL_API_KEY`.
   */
  readonly apiKey?: string | undefined;
  /**
   * Function that makes each attempt, compatible with `fetch`. Default: in Node, the process's own dispatcher, unless
   * `globalThis.fetch` was replaced; otherwise `globalThis.fetch`; both are looked up at each attempt.
   *
   * In Deno, it receives each body as a `Blob`, and must pass it on as it is. Deno sends a string again if the connection is
   * lost, so a text could go out twice. Deno's failures behind your own function prove nothing, so their outcome is `unknown`.
   */
  readonly fetch?: FetchOption | undefined;
  /** Whether `baseUrl` may be plain http beyond loopback, which sends the API key unencrypted. Default: `false`. */
  readonly allowInsecureHttp?: boolean | undefined;
}

/** Options of a `V2Client`. */
export interface V2ClientOptions extends ClientOptions {
  /** E-mail address of the account, without a colon. Required, here or as the environment variable `MESSAGING_V2_EMAIL`. */
  readonly email?: string | undefined;
  /**
   * Throttle of the attempts: a limit, a throttle to share between clients, or `false` for none. The default is the documented
   * limit. Default: `{ limit: 1200, interval: 3_600_000 }`.
   */
  readonly throttle?: ThrottleOptions | Throttle | false | undefined;
}

/** Options of a `TransactionalClient`. */
export interface TransactionalClientOptions extends ClientOptions {
  /** Throttle of the attempts: a limit, a throttle to share between clients, or `false` for none. Default: `false`. */
  readonly throttle?: ThrottleOptions | Throttle | false | undefined;
  /**
   * Function that decides whether a phone number may be texted. The client calls it right before each attempt with the number it
   * is about to text, as E.164. Only `true`, or a promise of `true`, permits the attempt. Anything else, an error, or the end of
   * `timeout` rejects the call with a {@link RecipientError}. Default: every number may be texted.
   */
  readonly allowRecipient?: AllowRecipient | undefined;
}

/** @param specific Names of the options that only this client has. */
export const assertClientOptions = <Options extends ClientOptions>(
  options: Options,
  specific: OptionNames<Omit<Options, keyof ClientOptions>>,
): Options => {
  const { signal: _, ...common } = CALL_OPTIONS;
  const own = { baseUrl: true, apiKey: true, fetch: true, allowInsecureHttp: true };
  const names: OptionNames<ClientOptions> = { ...common, ...own };
  return assertOptions("options", options, { ...names, ...specific } as OptionNames<Options>);
};

/** Returns an environment variable; `undefined` if it is empty. Throws if the runtime does not allow reading it, as Deno may. */
const readEnvironment = (name: string): string | undefined => runtime().env?.[name] || undefined;

/** @throws TypeError that names every missing option and its variable, or one invalid option. */
export const requiredStrings = <Name extends string>(
  options: Readonly<Record<Name, readonly [value: unknown, variable: string]>>,
): Readonly<Record<Name, string>> => {
  const strings: Record<string, string> = {};
  const missing: (OptionProblem & { readonly remedy: string })[] = [];
  for (const name of Object.keys(options) as Name[]) {
    const [given, variable] = options[name];
    let value = given;
    let remedy = `set ${variable}`;
    try {
      if (given === undefined) value = readEnvironment(variable);
    } catch {
      remedy = `allow the program to read ${variable} (Deno: --allow-env), which the runtime forbids`;
    }
    if (value === undefined) missing.push({ option: name, remedy });
    else strings[name] = assertNotEmpty(name, value as string);
  }
  if (missing.length > 0) {
    const sentences = missing.map(
      ({ option, remedy }) => `option \`${option}\` is missing: pass it, or ${remedy}`,
    );
    throw optionError(sentences.join("; "), missing);
  }
  return strings as Record<Name, string>;
};

/** Faults of a credential that was copied with extra characters, and their names. `\s` also matches the byte order mark. */
const CREDENTIAL_FAULTS: readonly (readonly [fault: RegExp, name: string])[] = [
  [/\ufeff/, "a byte order mark"],
  [/^\s|\s$/, "white space around it"],
  [/^[`\p{QMark}].*[`\p{QMark}]$/su, "quotation marks around it"],
  [/^(bearer|basic|token|(x-api-key|authorization):)\s/i, "the scheme or the header before it"],
  [/[\p{Cc}\p{Cs}]/u, "control characters and halves of surrogate pairs"],
];

/** Returns a credential, or throws a `TypeError` that names the option and the fault. The error never quotes the credential. */
const assertCredential = (name: string, value: string): string => {
  const fault = CREDENTIAL_FAULTS.find(([pattern]) => pattern.test(value))?.[1];
  if (fault === undefined) return value;
  throw invalidOption(name, `a string without ${fault}`);
};

/** Converts an API key to the value of an `x-api-key` header. The error never quotes the key. */
export const toApiKeyHeader = (apiKey: string): string => {
  if (/^[ -~]+$/.test(assertCredential("apiKey", apiKey))) return apiKey;
  throw invalidOption("apiKey", "printable ASCII, as a header value");
};

/** Converts credentials to the value of an `Authorization` header. The error never quotes them. */
export const toBasicHeader = (email: string, apiKey: string): string => {
  if (assertCredential("email", email).includes(":")) {
    throw invalidOption("email", "an e-mail address without a colon");
  }
  return toBasic(email, assertCredential("apiKey", apiKey));
};

/** Matches a part of a base URL's path that belongs to the paths of the API, which the client adds itself. */
const KNOWN_PATH = /\/api\/v2(?![^/])|\/transactional_messages(?![^/])|\/api$|\/v[12]$/i;

/** @throws TypeError if the URL is malformed or not allowed. The error never quotes the URL, which may contain a password. */
export const toBaseUrl = (url: string, allowInsecureHttp: boolean): string => {
  const toError = (expected: string, unless?: string) => invalidOption("baseUrl", expected, unless);
  if (!URL.canParse(url)) throw toError("an absolute URL, such as https://app.example.com");
  const base = new URL(url);
  const { protocol, username, password, search, hash, origin, pathname } = base;
  if (username || password) throw toError("a URL without credentials");
  if (search || hash) throw toError("a URL without a query or fragment");
  if (protocol !== "https:" && protocol !== "http:") throw toError("an https URL");
  if (!allowInsecureHttp && !isSecureUrl(base)) {
    throw toError("an https URL, unless its host is loopback", " or `allowInsecureHttp` is true");
  }
  const path = pathname.replace(/\/+$/, "");
  const known = KNOWN_PATH.exec(path)?.[0];
  if (known !== undefined) {
    throw toError(`a URL without ${known.toLowerCase()}: the client adds the paths of the API`);
  }
  return origin + path;
};
