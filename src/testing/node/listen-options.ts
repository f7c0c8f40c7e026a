import { assertOptions, type OptionNames } from "../../options.ts";
import { assertUsage } from "../fake/checks.ts";
import { hostOf, isLoopback, parseHost, parseOrigin } from "./admission.ts";

/** Options of {@link listen}. */
export interface ListenOptions {
  /** Port, 0 to 65535. Default: 0, any free port. */
  readonly port?: number | undefined;
  /** Host name or address to listen on. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Whether the inbox and the control API are served, under `/__fake/`. Default: `false`. */
  readonly inbox?: boolean | undefined;
  /**
   * Further host names that requests may have in their `Host` header, such as the name of the server's
   * container. Default: none.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Origins of the web pages that may call the server, such as `http://localhost:3000`. Requests of pages of any other
   * origin are refused. Default: none.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * Origin that receives the webhooks in place of the host of their URL, such as `http://127.0.0.1:3000`.
   * Default: the host of each URL.
   */
  readonly webhooksTo?: string | undefined;
  /** Whether webhooks may go to hosts other than this machine. Default: `false`. */
  readonly webhooksAnywhere?: boolean | undefined;
}

const NAMES: OptionNames<ListenOptions> = {
  port: true,
  host: true,
  inbox: true,
  allowedHosts: true,
  allowedOrigins: true,
  webhooksTo: true,
  webhooksAnywhere: true,
};

const CALL = "listen";

/** Parses every string of an array; `undefined` if it is no array, or any of them is malformed. */
const parseAll = (
  values: unknown,
  parse: (value: unknown) => string | undefined,
): readonly string[] | undefined => {
  if (!Array.isArray(values)) return undefined;
  const parsed = values.map(parse);
  return parsed.every((value) => value !== undefined) ? parsed : undefined;
};

/**
 * Parses the options of {@link listen}, and fills in their defaults.
 *
 * @throws TypeError that names the option which is unknown or malformed.
 */
export const parseListenOptions = (options: ListenOptions) => {
  assertOptions("options", options, NAMES);
  const { port = 0, webhooksTo, webhooksAnywhere = false, inbox = false } = options;
  const isPort = Number.isInteger(port) && port >= 0 && port <= 65_535;
  assertUsage(CALL, isPort, "port must be an integer from 0 to 65535");
  const host = parseHost(options.host ?? "127.0.0.1");
  const names = "such as 127.0.0.1; 0.0.0.0 listens on every interface";
  assertUsage(CALL, host !== undefined, `host must be a host name or an address, ${names}`);
  const allowedHosts = parseAll(options.allowedHosts ?? [], parseHost);
  const hosts = "allowedHosts must be an array of host names without a port";
  assertUsage(CALL, allowedHosts !== undefined, hosts);
  const allowedOrigins = parseAll(options.allowedOrigins ?? [], parseOrigin);
  const origins = "allowedOrigins must be an array of origins, such as http://localhost:3000";
  assertUsage(CALL, allowedOrigins !== undefined, origins);
  for (const [name, option] of Object.entries({ webhooksAnywhere, inbox })) {
    assertUsage(CALL, typeof option === "boolean", `${name} must be true or false`);
  }
  const to = webhooksTo === undefined ? undefined : parseOrigin(webhooksTo);
  const isOrigin = webhooksTo === undefined || (to !== undefined && /^https?:/.test(to));
  assertUsage(CALL, isOrigin, "webhooksTo must be an origin, such as http://127.0.0.1:3000");
  const isHere = to === undefined || webhooksAnywhere || isLoopback(hostOf(new URL(to)));
  assertUsage(CALL, isHere, "webhooksTo must be on this machine, unless webhooksAnywhere is true");
  return {
    port,
    host,
    inbox,
    allowedHosts,
    allowedOrigins,
    webhooks: { to, anywhere: webhooksAnywhere },
  };
};
