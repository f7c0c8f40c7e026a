// A page, and the server that keeps its key: `npm run example browser`, then open the URL.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { buildPage } from "./built-page.ts";

const { MESSAGING_V2_EMAIL, MESSAGING_V2_API_KEY, MESSAGING_TRANSACTIONAL_API_KEY } = process.env;
const basic = Buffer.from(`${MESSAGING_V2_EMAIL}:${MESSAGING_V2_API_KEY}`).toString("base64");

/** All that the page may ask for. On a server of yours, ask first who has signed in. */
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

const server = createServer(async (request, response) => {
  const { method = "GET", headers } = request;
  const { pathname, search, origin } = new URL(`http://${headers.host}${request.url}`);
  const { baseUrl, key } = ALLOWED[`${method} ${pathname}`] ?? {};
  response.setHeader("content-security-policy", "default-src 'self'");
  if (baseUrl !== undefined) {
    const answer = await fetch(`${baseUrl}${pathname}${search}`, {
      method,
      headers: { ...key, "content-type": "application/json" },
      body: method === "POST" ? await text(request) : null,
      redirect: "manual",
    }).catch(() => new Response("The service cannot be reached", { status: 504 }));
    for (const name of ["content-type", "retry-after"]) {
      const value = answer.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    response.writeHead(answer.status).end(await answer.text());
  } else if (pathname === "/settings.json") {
    const credentials = { email: "page@example.com", apiKey: "held-by-the-server" };
    const settings = { v2BaseUrl: origin, transactionalBaseUrl: origin, ...credentials };
    response.end(JSON.stringify(settings));
  } else {
    const file = fileOf(pathname);
    response.writeHead(file ? 200 : 404, { "content-type": file?.type ?? "text/plain" });
    response.end(file?.content);
  }
});

server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  const address = server.address();
  console.log(`open http://127.0.0.1:${typeof address === "object" && address?.port}/`);
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit());
