import { type ClientRequest, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { PostWebhook, WebhookOutcome } from "../webhooks/webhook.ts";
import { hostOf, isLoopback } from "./addresses.ts";

/** Destination of webhooks. */
export interface WebhookRoute {
  /** Origin that receives the webhooks in place of the host of their URL. Default: that host. */
  readonly to: string | undefined;
  /** Whether hosts other than loopback may receive webhooks. */
  readonly anywhere: boolean;
}

/** Poster of webhooks. */
export interface WebhookPoster {
  readonly post: PostWebhook;
  /** Ends the webhooks under way. */
  close(): void;
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
  // Not resolved against the origin: a path that begins with two slashes would name another host.
  url.pathname = asked.pathname;
  url.search = asked.search;
  const host = hostOf(url);
  if (anywhere || isLoopback(host)) return { url };
  return {
    error: `Not posted, because ${host} is not this machine: route webhooks to a local origin, or allow them to go anywhere`,
  };
};

const exchange = (url: URL, body: string, pending: Set<ClientRequest>): Promise<WebhookOutcome> =>
  new Promise((resolve) => {
    const isSecure = url.protocol === "https:";
    const outgoing = (isSecure ? requestHttps : requestHttp)(url, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
      agent: false,
      // A local application may have a self-signed certificate, and its connection stays on this machine.
      ...(isSecure && { rejectUnauthorized: !isLoopback(hostOf(url)) }),
    });
    pending.add(outgoing);
    const timer = setTimeout(
      () => outgoing.destroy(new Error(`No response within ${TIMEOUT_MS} ms`)),
      TIMEOUT_MS,
    ).unref();
    const settle = (outcome: WebhookOutcome): void => {
      clearTimeout(timer);
      pending.delete(outgoing);
      resolve(outcome);
    };
    outgoing.on("error", ({ message }) => settle({ error: message }));
    outgoing.on("response", (incoming) => {
      const { statusCode: status = 0 } = incoming;
      const chunks: Buffer[] = [];
      let bytes = 0;
      const finish = (): void => {
        const response = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString("utf8");
        settle({ status, response });
      };
      incoming.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes < MAX_RESPONSE_BYTES) return;
        finish();
        outgoing.destroy();
      });
      incoming.on("end", finish);
      incoming.on("error", ({ message }) => settle({ status, error: message }));
    });
    outgoing.end(body);
  });

/** Creates the function that posts webhooks over HTTP, to `route` only. */
export const createWebhookPoster = (route: WebhookRoute): WebhookPoster => {
  const pending = new Set<ClientRequest>();
  let isClosed = false;
  return {
    post: async ({ url, body }) => {
      // The response to the send goes out before its webhook.
      await new Promise((resolve) => setImmediate(resolve));
      if (isClosed) return { error: "Not posted, because the server was closed" };
      const target = webhookTarget(url, route);
      return "url" in target ? exchange(target.url, JSON.stringify(body), pending) : target;
    },
    close: () => {
      isClosed = true;
      for (const outgoing of pending) outgoing.destroy(new Error("The server was closed"));
    },
  };
};
