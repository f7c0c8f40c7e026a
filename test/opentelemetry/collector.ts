// A collector on loopback that records what agents send to it.
import type { IncomingMessage, ServerResponse } from "node:http";
import * as http from "node:http";
import * as https from "node:https";
import { buffer } from "node:stream/consumers";
import { gunzipSync, inflateSync } from "node:zlib";
import { createCertificate } from "../support/servers/certificate.ts";

interface Received {
  readonly path: string;
  readonly body: string;
}

export interface Collector extends AsyncDisposable {
  readonly port: number;
  readonly received: readonly Received[];
  /** Certificate of the collector, if it uses TLS. */
  readonly cert: Buffer | undefined;
}

/** Returns a body as text. The strings of MessagePack and Protocol Buffers appear in it unchanged. */
const textOf = async (request: IncomingMessage): Promise<string> => {
  const body = await buffer(request);
  const encoding = request.headers["content-encoding"];
  if (encoding === "gzip") return `${gunzipSync(body)}`;
  return `${encoding === "deflate" ? inflateSync(body) : body}`;
};

/** Returns the response that an agent needs to continue: the handshake of New Relic, or the endpoints of Datadog's agent. */
const responseTo = (path: string, port: number): object => {
  if (path.includes("method=preconnect")) {
    return { return_value: { redirect_host: `localhost:${port}` } };
  }
  if (path.includes("method=connect")) return { return_value: { agent_run_id: 1 } };
  if (path.includes("agent_listener")) return { return_value: [] };
  return path === "/info" ? { endpoints: ["/v0.4/traces"] } : {};
};

/** Starts a collector. New Relic connects to it only over TLS. */
export const startCollector = async (isSecure = false): Promise<Collector> => {
  const received: Received[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "";
    received.push({ path, body: await textOf(request) });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(responseTo(path, port)));
  };
  const certificate = isSecure ? createCertificate() : undefined;
  const server = certificate
    ? https.createServer(certificate, respond)
    : http.createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    received,
    cert: certificate?.cert,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Splits what an agent sent into parts. Returns the kind and the text of each. */
const partsOf = ({ path, body }: Received): readonly (readonly [kind: string, text: string])[] => {
  if (path.includes("log")) return [["logs", body]];
  if (path.includes("error")) return [["errors", body]];
  // Sentry and Elastic send one JSON object per line.
  if (!/envelope|intake/.test(path)) return [["spans", body]];
  const lines = body.split("\n").filter((line) => line !== "");
  return lines.flatMap((line) => {
    const { breadcrumbs, ...rest } = JSON.parse(line);
    const kind = "exception" in rest || "error" in rest ? "errors" : "spans";
    return [
      ["breadcrumbs", JSON.stringify(breadcrumbs ?? "")],
      [kind, JSON.stringify(rest)],
    ] as const;
  });
};

/** Returns the kinds of parts that contain a text: any of "spans", "breadcrumbs", "logs" and "errors". */
export const placesOf = ({ received }: Collector, text: string): readonly string[] => {
  const places = received.flatMap(partsOf).filter((part) => part[1].includes(text));
  return [...new Set(places.map(([kind]) => kind))].toSorted().toReversed();
};
