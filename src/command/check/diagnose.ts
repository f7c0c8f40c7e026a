// Says what is wrong by the error of a call, and what to do. Nothing that the service wrote is quoted: it may be personal data.
import { ApiError, MessagingServiceError, ResponseValidationError } from "../../core/errors.ts";
import { errorCodeOf } from "../../core/transport/connection-error.ts";
import { adviceOn } from "../../core/transport/connection-proof.ts";
import { maskPhones, toPrintable } from "../terminal/print.ts";

/** API as the person who runs the command has set it up. */
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

const INSECURE = (url: string, variable: string): Diagnosis => ({
  text: `${url} is plain http, but https is spoken there`,
  todo: `Begin ${variable} with https://.`,
});

/** Returns the proxy that Node uses for a host by its environment, without credentials. */
const proxyOf = ({ protocol, hostname }: URL): string | undefined => {
  const { env } = process;
  if (!env.NODE_USE_ENV_PROXY && !process.execArgv.includes("--use-env-proxy")) return undefined;
  const exempt = (env.no_proxy || env.NO_PROXY || "").split(/[\s,]+/);
  if (exempt.some((name) => name === "*" || name.split(":")[0] === hostname)) return undefined;
  const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const url = env[name.toLowerCase()] || env[name];
  return url && URL.canParse(url) ? `${new URL(url).origin} (${name})` : undefined;
};

/** Says what the error says of its cause, with the variable in place of the option. */
const connectionFailure = (error: MessagingServiceError, target: Target): Diagnosis => {
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
      ? `Check the host and the port of ${variable}, and the firewalls between.`
      : `${advice.charAt(0).toUpperCase()}${advice.slice(1).replace("baseUrl", variable)}.`,
  ];
  const isRefused = code === "ECONNREFUSED";
  // A server of TLS closes the connection, or sends bytes that are no HTTP; so does a server that fails.
  if (url.protocol === "http:" && advice === "" && !isRefused) {
    todo.push(`If https is spoken there, begin ${variable} with https://.`);
  }
  if (/CERT|UNABLE_TO_/.test(code)) {
    todo.push(
      "If a proxy of your network opens TLS, give Node its certificate by NODE_EXTRA_CA_CERTS.",
    );
  }
  if (proxy !== undefined) todo.push(`Requests go through the proxy ${proxy}.`);
  const text = isRefused
    ? `${url.host} refuses connections: nothing listens there`
    : `no response from ${url.host} (${code})`;
  return { text, todo: todo.join(" ") };
};

const senderOf = (headers: Headers): string => {
  const name = headers.get("via") ?? headers.get("server");
  return name ? ` (${maskPhones(toPrintable(name)).slice(0, 60)})` : "";
};

export const isHtml = (body: unknown): boolean => /^\s*</.test(String(body));

const signInPage = (url: string, variable: string): Diagnosis => ({
  text: `${url} leads to a page for people, such as a sign-in page, not to the API`,
  todo: `Name the address of the API in ${variable}, or ask who runs the page.`,
});

const refusal = (error: ApiError, { api, baseUrl = "", variables }: Target): Diagnosis => {
  const { status, headers, body } = error;
  const sender = senderOf(headers);
  const location = headers.get("location");
  if (location !== null && status >= 300 && status < 400) {
    const to = URL.canParse(location, baseUrl) ? new URL(location, baseUrl) : undefined;
    const from = new URL(baseUrl);
    if (from.protocol === "http:" && to?.protocol === "https:" && to.hostname === from.hostname)
      return INSECURE(baseUrl, variables.baseUrl);
    const where = `${baseUrl} redirects (${status}) to ${to?.origin ?? "another page"}, which`;
    return signInPage(where, variables.baseUrl);
  }
  if (status === 407 || headers.has("proxy-authenticate") || headers.has("x-squid-error")) {
    const todo = "Check the proxy's credentials, and whether it lets this host through.";
    return { text: `a proxy${sender} responded ${status}`, todo };
  }
  if (status === 400 && /https?( |-)(port|server)|over (tls|ssl)/i.test(String(body)))
    return INSECURE(baseUrl, variables.baseUrl);
  if (status === 403 && isHtml(body)) {
    const todo = "Ask who runs it to let this machine through.";
    return { text: `a firewall or proxy${sender} responded 403 with a page of its own`, todo };
  }
  if (status === 401 || status === 403) {
    const { email, apiKey } = variables;
    const credentials = api === "version 2" ? `${email} with ${apiKey}` : apiKey;
    return {
      text: `the service responded ${status}: it does not take ${credentials}`,
      todo: `Copy the key again (My Account, API) into ${apiKey}.`,
    };
  }
  if ([404, 405, 410, 501].includes(status)) {
    return {
      text: `nothing of the API is at ${baseUrl} (${status})`,
      todo: `Check the host and the path of ${variables.baseUrl}. The paths of the API are added to it.`,
    };
  }
  if (status === 429) {
    const { retryAfterMs } = error;
    const wait = retryAfterMs === undefined ? "an hour" : `${Math.ceil(retryAfterMs / 1000)} s`;
    return {
      text: "the rate limit of the account is used up (429)",
      todo: `Wait ${wait}, and run the check again. Other programs may use the same account.`,
    };
  }
  const who = isHtml(body) ? `a gateway in front of the service${sender}` : "the service";
  return {
    text: `${who} responded ${status}`,
    todo: "Try again later. If it stays so, send the output of --json to the service's support.",
  };
};

export const diagnose = (error: unknown, target: Target): Diagnosis => {
  if (ApiError.is(error)) return refusal(error, target);
  if (ResponseValidationError.is(error)) {
    const { baseUrl = "", variables } = target;
    if (isHtml(error.body)) return signInPage(baseUrl, variables.baseUrl);
    return {
      text: `${baseUrl} responded ${error.status}, but not as the API does`,
      todo: `Check ${variables.baseUrl}. If it is right, send the output of --json to the service's support.`,
    };
  }
  if (MessagingServiceError.is(error)) return connectionFailure(error, target);
  throw error;
};
