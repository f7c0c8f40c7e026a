// Steps of an application in the DOM environment of Jest or vitest. Writes the result of each step to a file.
const { writeFileSync } = require("node:fs");
const { TransactionalClient, V2Client } = require("messaging-service-client");
const { createFakeService } = require("messaging-service-client/testing");

const { SERVICE_URL: baseUrl, NODE_FETCH } = process.env;
// Jest sets a global for each environment; vitest sets an environment variable.
const RESULTS = globalThis.RESULTS ?? process.env.RESULTS;
const nodeFetch = require(NODE_FETCH).default;
const message = {
  phoneNumber: "(206) 555-0123",
  webhookUrl: "https://example.com/webhooks",
  rcsPayload: { text: "Hi" },
  smsFailover: "Hi",
};
const options = { baseUrl, email: "öwner@example.com", apiKey: "key", headers: [["x-a", "1"]] };
const v2 = (fetch) => new V2Client({ ...options, fetch });
const rcs = (fetch) => {
  const { email: _, ...own } = options;
  return new TransactionalClient({ ...own, fetch });
};

const STEPS = {
  constructors: () => [v2(), rcs()].length,
  "own fetch, send": () => rcs().sendRcsText(message),
  "own fetch, get": () => v2().accounts.me(),
  "own fetch, carrier": async () => {
    const { response } = await v2().accounts.me().withResponse();
    return response.body === null ? "dispatcher" : "fetch";
  },
  "own fetch, refused": () => v2().request({ method: "GET", path: "/refused" }),
  "own fetch, abort": () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    return v2().request({ method: "GET", path: "/hang" }, { signal: controller.signal });
  },
  "node-fetch, send": () => rcs(nodeFetch).sendRcsText(message),
  "node-fetch, refused": () => v2(nodeFetch).request({ method: "GET", path: "/refused" }),
  "node-fetch, wrong": () => v2(nodeFetch).lists.retrieve(17),
  "node-fetch, walk": () =>
    v2(nodeFetch)
      .lists.list({}, { signal: new AbortController().signal, prefetch: true })
      .toArray(),
  fake: async () => {
    const service = createFakeService();
    const { apiKey } = service.account;
    const client = { baseUrl: service.transactionalBaseUrl, apiKey, fetch: service.fetch };
    await new TransactionalClient(client).sendRcsText(message);
    return service.outbox.length;
  },
};

/** Returns the result of a step, or its error. */
const endOf = async (step) => {
  try {
    return await step();
  } catch ({ name, message: said, outcome, isTransient, attempts }) {
    return `${name}: ${said} (${[outcome, isTransient, attempts].join(", ")})`;
  }
};

test("every step ends", async () => {
  const ends = {};
  for (const [name, step] of Object.entries(STEPS)) ends[name] = await endOf(step);
  writeFileSync(RESULTS, JSON.stringify(ends));
});
