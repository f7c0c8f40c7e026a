// Serves a page that sends texts and shows lists, and keeps the key on the server: `node browser/server.ts`, then open the URL.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { statusOf } from "../web/status-of.ts";
import { buildPage } from "./built-page.ts";

const { MESSAGING_V2_EMAIL, MESSAGING_V2_API_KEY, MESSAGING_TRANSACTIONAL_API_KEY } = process.env;
const basic = Buffer.from(`${MESSAGING_V2_EMAIL}:${MESSAGING_V2_API_KEY}`).toString("base64");
const LOST = { code: "connection", outcome: "unknown", isTransient: true } as const;

/** The only calls that the page may make. On your own server, also check that the user has signed in. */
const ALLOWED: Readonly<Record<string, { baseUrl?: string | undefined; key: HeadersInit }>> = {
  "GET /api/v2/lists": {
    baseUrl: process.env.MESSAGING_V2_BASE_URL,
    key: { authorization: `Basic ${basic}` },
  },
  "POST /transactional_messages/send_rcs_text": {
    baseUrl: process.env.MESSAGING_TRANSACTIONAL_BASE_URL,
    key: { "x-api-key": MESSAGING_TRANSACTIONAL_API_KEY ?? "" },
  },
};
const fileOf = await buildPage(import.meta.dirname);
const answer = async (request: IncomingMessage, response: ServerResponse) => {
  const { method = "GET", headers } = request;
  const { pathname, search, origin } = new URL(`http://${headers.host}${request.url}`);
  const { baseUrl, key } = ALLOWED[`${method} ${pathname}`] ?? {};
  response.setHeader("content-security-policy", "default-src 'self'");
  if (baseUrl !== undefined) {
    // Pages of other sites that are open in the same browser must not send through this server.
    if (headers["sec-fetch-site"] !== "same-origin") return response.writeHead(403).end();
    const passedOn = await fetch(`${baseUrl}${pathname}${search}`, {
      method,
      headers: { ...key, "content-type": "application/json" },
      body: method === "POST" ? await text(request) : null,
      redirect: "manual",
      signal: AbortSignal.timeout(30_000),
    }).catch(() => new Response("The service did not respond", { status: statusOf(LOST) }));
    for (const name of ["content-type", "retry-after"]) {
      const value = passedOn.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    return response.writeHead(passedOn.status).end(await passedOn.text());
  }
  if (pathname === "/settings.json") {
    const credentials = { email: "page@example.com", apiKey: "held-by-the-server" };
    return response.end(JSON.stringify({ baseUrl: origin, ...credentials }));
  }
  const { type, content } = fileOf(pathname) ?? { type: "text/plain" };
  return response.writeHead(content ? 200 : 404, { "content-type": type }).end(content);
};

// If a request breaks off or has an invalid URL, close the connection without a response.
const server = createServer((request, response) =>
  answer(request, response).catch(() => response.destroy()),
);
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  const address = server.address();
  console.log(`Open http://127.0.0.1:${typeof address === "object" && address?.port}/`);
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    server.maxRequestsPerSocket = 1; // a connection in use ends after its next response
    server.close();
  });
}
