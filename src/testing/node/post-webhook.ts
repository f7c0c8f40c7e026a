import { once } from "node:events";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { thrownMessage } from "../fake/checks.ts";
import type { Webhook } from "../fake/messages.ts";
import { hostOf, isThisMachine } from "./admission.ts";

export interface WebhookRoute {
  /** Origin that receives the webhooks in place of the host of their URL. Default: that host. */
  readonly to: string | undefined;
  /** Whether hosts other than loopback may receive webhooks. */
  readonly anywhere: boolean;
}

const TIMEOUT_MS = 10_000;
/** Maximum length of the recorded part of a response, in bytes. */
const MAX_RESPONSE_BYTES = 4096;

/** Returns the URL that a webhook is posted to, or the reason why it is not posted. */
export const webhookTarget = (
  webhookUrl: string,
  { to, anywhere }: WebhookRoute,
): { readonly url: URL } | { readonly error: string } => {
  const asked = new URL(webhookUrl);
  const url = new URL(to ?? asked);
  // Not resolved against the origin, because a path that starts with two slashes would name a different host.
  url.pathname = asked.pathname;
  url.search = asked.search;
  const host = hostOf(url);
  if (anywhere || isThisMachine(host)) return { url };
  return {
    error: `Not posted, because ${host} is not this machine. Send webhooks to a local origin with webhooksTo (--webhooks-to), or to any host with webhooksAnywhere (--webhooks-anywhere)`,
  };
};

const exchange = async (url: URL, body: string, signal: AbortSignal) => {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const outgoing = request(url, { method: "POST", headers, agent: false, signal });
  // Errors before the response reject `once`, and errors after it also reach the loop that reads the response.
  outgoing.on("error", () => {}).end(body);
  try {
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    let read = Buffer.alloc(0);
    for await (const chunk of incoming) {
      read = Buffer.concat([read, chunk]);
      if (read.length >= MAX_RESPONSE_BYTES) break;
    }
    const response = read.subarray(0, MAX_RESPONSE_BYTES).toString("utf8");
    return { status: incoming.statusCode ?? 0, response };
  } catch (error) {
    return { error: thrownMessage(signal.aborted ? signal.reason : error) };
  }
};

/** Creates the object that posts webhooks over HTTP, only to hosts that `route` allows. */
export const createWebhookPoster = (route: WebhookRoute) => {
  const closed = new AbortController();
  let latest: Promise<void> | undefined;
  return {
    /** Sets the response to the request that was just handled; the promise resolves when it is written. */
    follow(response: Promise<void>): void {
      latest = response;
    },
    post: async ({ url, body }: Webhook) => {
      // The response to the send is written before its webhook is posted. `follow` sets it after the request was handled.
      await Promise.resolve();
      await latest;
      await new Promise((resolve) => setImmediate(resolve));
      const target = webhookTarget(url, route);
      if ("error" in target) return target;
      const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      return exchange(target.url, JSON.stringify(body), signal);
    },
    close: () => closed.abort(new Error("The server was closed")),
  };
};
