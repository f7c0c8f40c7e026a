// Diagnoses the response or the failure of a call, and advises what to do. A body is quoted only if it is an error in the
// documented shape, because anything else may be personal data.
import type { AnyMessagingServiceError } from "../../core/errors.ts";
import { Redactor } from "../../core/responses/redact.ts";
import { isDocumentedRefusal, parseRetryAfter } from "../../core/responses/response-error.ts";
import { addressOf, errorCodeOf } from "../../core/transport/connection-error.ts";
import { adviceOn } from "../../core/transport/connection-proof.ts";
import { maskPhones, toPrintable } from "../terminal/print.ts";

/** API with the settings of the person who runs the command. */
export interface Target {
  readonly api: "version 2" | "transactional";
  readonly baseUrl: string | undefined;
  readonly email: string | undefined;
  readonly apiKey: string | undefined;
  /** Environment variables of the options. */
  readonly variables: Readonly<Record<"baseUrl" | "email" | "apiKey", string>>;
}

export interface Diagnosis {
  readonly text: string;
  readonly todo: string;
}

/** Response that is not the expected success. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Body as parsed JSON, or as a string. */
  readonly body: unknown;
}

const SUPPORT = "send the output of --json to the service's support.";
const AGAIN = `Try again later. If the problem persists, ${SUPPORT}`;

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const insecure = (url: string, variable: string): Diagnosis => ({
  text: `${url} is plain http, but the server expects https`,
  todo: `Begin ${variable} with https://.`,
});

/** Returns the proxy that the environment of Node sets for a host, without credentials. */
const proxyOf = ({ protocol, hostname, href }: URL): string | undefined => {
  const { env } = process;
  if (!env.NODE_USE_ENV_PROXY && !process.execArgv.includes("--use-env-proxy")) return undefined;
  // An exempt domain also exempts its subdomains.
  const hosts = `.* .${hostname} .${addressOf(href)} `;
  const exempt = (env.no_proxy || env.NO_PROXY || "").toLowerCase().split(/[\s,]+/);
  if (exempt.some((name) => hosts.includes(`${name.replace(/^(\*?\.)?/, ".")} `))) return undefined;
  const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const url = env[name.toLowerCase()] || env[name];
  return url && URL.canParse(url) ? `${new URL(url).origin} (${name})` : undefined;
};

/** Describes the cause of a failure. The advice names the variable instead of the option. */
export const diagnoseFailure = (error: AnyMessagingServiceError, target: Target): Diagnosis => {
  const url = new URL(String(target.baseUrl));
  const variable = target.variables.baseUrl;
  const proxy = proxyOf(url);
  const code = errorCodeOf(error.cause) ?? error.code;
  if (proxy !== undefined && /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(code)) {
    return { text: `the proxy ${proxy} cannot be reached`, todo: "Check the proxy's variable." };
  }
  const advice = adviceOn(error.cause, true);
  const todo = [
    advice === ""
      ? `Check the host and the port of ${variable}, and the firewalls in between.`
      : `${capitalize(advice.replace("baseUrl", variable))}.`,
  ];
  const isRefused = code === "ECONNREFUSED";
  // A TLS server closes the connection or sends bytes that are not HTTP, and so does a server that fails.
  if (url.protocol === "http:" && advice === "" && !isRefused) {
    todo.push(`If the server expects https, begin ${variable} with https://.`);
  }
  if (/CERT|UNABLE_TO_/.test(code)) {
    todo.push(
      "If a proxy in your network decrypts TLS, give Node its certificate in NODE_EXTRA_CA_CERTS.",
    );
  }
  if (proxy !== undefined) todo.push(`Requests go through the proxy ${proxy}.`);
  // A response may have begun before the connection broke.
  const what = error.outcome === "not_sent" ? "no response" : "no complete response";
  const text = isRefused
    ? `${url.host} refuses connections: nothing listens there`
    : `${what} from ${url.host} (${code})`;
  return { text, todo: todo.join(" ") };
};

const LONGEST_NAME = 60;
const LONGEST_QUOTE = 300;

/** Returns text of another machine for quoting, without control characters, e-mail addresses and phone numbers. */
const quote = (text: string, length: number): string =>
  maskPhones(toPrintable(text), 0)
    .replaceAll(/\S+@\S+/g, "***@***")
    .slice(0, length);

const senderOf = (headers: Headers): string => {
  const name = headers.get("via") ?? headers.get("server");
  return name ? ` (${quote(name, LONGEST_NAME)})` : "";
};

export const isHtml = (body: unknown): boolean => /^\s*</.test(String(body));

/** Returns whether a body reports an error, regardless of the status. */
export const isError = (body: unknown): boolean => {
  const { errors, error, status } = Object(body);
  return errors !== undefined || error !== undefined || status === "error";
};

/**
 * Returns the messages in a body with the documented shape of an error, without the key, as the end of a sentence; `""` for any
 * other body.
 */
export const saidBy = (body: unknown, { apiKey }: Target): string => {
  if (!isDocumentedRefusal(body)) return "";
  const said = body.errors.map(({ path, message }) => `${path.join(".")} ${message}`.trim());
  return `; it says "${quote(new Redactor([String(apiKey)]).withoutSecrets(said.join("; ")), LONGEST_QUOTE)}"`;
};

const signInPage = (url: string, variable: string): Diagnosis => ({
  text: `${url} leads to a page for people, such as a sign-in page, not to the API`,
  todo: `Set ${variable} to the base URL of the API, or ask the operator of the page.`,
});

/** Diagnoses a response that something other than the service sent. Returns `undefined` for any other response. */
const diagnoseGateway = (
  { status, headers, body }: ReceivedResponse,
  { baseUrl = "", variables }: Target,
): Diagnosis | undefined => {
  const sender = senderOf(headers);
  const location = headers.get("location");
  if (location !== null && status >= 300 && status < 400) {
    const to = URL.canParse(location, baseUrl) ? new URL(location, baseUrl) : undefined;
    const from = new URL(baseUrl);
    if (from.protocol === "http:" && to?.protocol === "https:" && to.hostname === from.hostname)
      return insecure(baseUrl, variables.baseUrl);
    const where = `${baseUrl} redirects (${status}) to ${to?.origin ?? "another page"}, which`;
    return signInPage(where, variables.baseUrl);
  }
  if (status === 407 || headers.has("proxy-authenticate") || headers.has("x-squid-error")) {
    const todo = "Check the proxy's credentials, and whether it lets this host through.";
    return { text: `a proxy${sender} responded ${status}`, todo };
  }
  if (status === 400 && /https?( |-)(port|server)|over (tls|ssl)/i.test(String(body)))
    return insecure(baseUrl, variables.baseUrl);
  if (!isHtml(body)) return undefined;
  if (status >= 200 && status < 300) return signInPage(baseUrl, variables.baseUrl);
  if (status === 403) {
    const todo = "Ask its operator to let this machine through.";
    return { text: `a firewall or proxy${sender} responded 403 with its own page`, todo };
  }
  if (status !== 429 && (status < 500 || status === 501)) return undefined;
  return { text: `a gateway in front of the service${sender} responded ${status}`, todo: AGAIN };
};

/**
 * Diagnoses a response.
 *
 * @param isProven Whether an earlier call has shown that the address and the credentials are right.
 */
export const diagnoseResponse = (
  response: ReceivedResponse,
  target: Target,
  isProven: boolean,
): Diagnosis => {
  const gateway = diagnoseGateway(response, target);
  if (gateway) return gateway;
  const { status, headers, body } = response;
  const { api, baseUrl = "", variables } = target;
  const said = saidBy(body, target);
  if (status === 429) {
    const waitMs = parseRetryAfter(headers);
    const wait = waitMs === undefined ? "an hour" : `${Math.ceil(waitMs / 1000)} s`;
    return {
      text: `the rate limit of the account is used up (429)${said}`,
      todo: `Wait ${wait} and run the check again. Other programs may use the same account.`,
    };
  }
  if (status === 408 || (status >= 500 && status !== 501)) {
    return { text: `the service responded ${status}${said}`, todo: AGAIN };
  }
  if (isProven) {
    const todo = `Run the check again. If the problem persists, ${SUPPORT}`;
    return { text: `the service responded ${status} only to this call${said}`, todo };
  }
  if (status === 401 || status === 403) {
    const { email, apiKey } = variables;
    const copy = `copy the key again (My Account, API) into ${apiKey}`;
    const isV2 = api === "version 2";
    return {
      text: `the service responded ${status}: it does not accept ${isV2 ? `${email} with ${apiKey}` : apiKey}${said}`,
      todo: isV2
        ? `Check that ${email} is the e-mail address of the account's login. If it is, ${copy}.`
        : `${capitalize(copy)}.`,
    };
  }
  if ([404, 405, 410, 501].includes(status)) {
    return {
      text: `the API is not at ${baseUrl} (${status})${said}`,
      todo: `Check the host and the path of ${variables.baseUrl}. The paths of the API are added to it.`,
    };
  }
  const isSuccess = status >= 200 && status < 300;
  const but = isError(body) ? ", but with an error" : ", but not like the API";
  return {
    text: `${baseUrl} responded ${status}${isSuccess ? but : ""}${said}`,
    todo: `Check ${variables.baseUrl}${said && ", and what the response names"}. If it is right, ${SUPPORT}`,
  };
};
