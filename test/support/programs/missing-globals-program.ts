// Makes calls with one web global missing at a time, and prints how each call ends.
import { request } from "node:http";
import { Readable } from "node:stream";
import { TransactionalClient, V2Client } from "../../../src/index.ts";
import { message } from "../calls.ts";

const [, , baseUrl = "", ...names] = process.argv;
const globals = globalThis as unknown as Record<string, unknown>;

/** Every step of a client that could need a global, by its name. */
const STEPS: Readonly<Record<string, () => unknown>> = {
  clients: () => [makeV2(), makeRcs()],
  send: () => makeRcs().sendRcsText(message),
  headers: () => makeRcs().sendRcsText(message, { headers: [["x-a", "1"]] }),
  error: () => makeV2().request({ method: "GET", path: "/status/404" }),
  refused: () => makeV2().accounts.me(),
  json: () => makeV2().request({ method: "GET", path: "/é" }),
  walk: async () => {
    const { signal } = new AbortController();
    return await makeV2().lists.list({}, { signal, prefetch: true }).toArray();
  },
};

/** A `fetch` that needs no globals. Node's own `fetch` needs some. */
const fetch = (url: string, { method, headers, body }: RequestInit) =>
  new Promise<Response>((resolve, reject) => {
    const sent = request(url, { method, headers: headers as Record<string, string> }, (got) => {
      const chunks: Buffer[] = [];
      got.on("data", (chunk) => chunks.push(chunk));
      got.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const { statusCode: status = 0, statusMessage: statusText } = got;
        resolve({
          ...{ ok: status < 300, status, statusText },
          headers: { get: (name: string) => got.headers[name] ?? null },
          body: Readable.from(chunks),
          text: async () => bytes.toString(),
        } as never);
      });
    });
    sent.on("error", reject).end(body);
  });
const options = { baseUrl, apiKey: "key", retry: 0, fetch };
const makeV2 = () =>
  new V2Client({ ...options, email: "ö@example.com", throttle: { limit: 99, interval: 1 } });
const makeRcs = () => new TransactionalClient(options);

/** Returns how a step ends: its result, or its error. */
const endOf = async (step: () => unknown): Promise<unknown> => {
  try {
    return await step();
  } catch (error) {
    const { name, message: said, outcome } = error as Error & { readonly outcome?: string };
    return `${name}: ${said}${outcome === undefined ? "" : ` (${outcome})`}`;
  }
};

const ends: Record<string, Record<string, unknown>> = {};
for (const name of ["", ...names]) {
  const [key = "", parent] = name.split(".").toReversed();
  const holder = parent === undefined ? globals : (globals[parent] as typeof globals);
  const descriptor = Object.getOwnPropertyDescriptor(holder, key);
  ends[name] = {};
  for (const [step, run] of Object.entries(STEPS)) {
    delete holder[key];
    ends[name][step] = await endOf(run);
    if (descriptor) Object.defineProperty(holder, key, descriptor);
  }
}
process.stdout.write(JSON.stringify(ends));
