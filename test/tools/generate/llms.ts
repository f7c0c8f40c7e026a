import { readFileSync } from "node:fs";

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

/** Returns the first block of TypeScript below a heading of a page: the tests compile and run each of them. */
const exampleOf = (path: string, heading: RegExp): string => {
  const section = read(path)
    .split(/^(?=#+ )/m)
    .find((part) => heading.test(part));
  const [block] = section?.match(/```ts\n[\s\S]*?```/) ?? [];
  if (block === undefined) throw new Error(`${path} has no block of code below ${heading}`);
  return block;
};

const RULES = [
  "Never retry a send whose error has the outcome `unknown`: the message may have gone out, and the service has no idempotency key. Use `sendOnce` or `sendMany` with a ledger, wait for the webhook, or let a person decide.",
  "Never write your own retry loop around a client: it already retries what is safe to retry, and respects `Retry-After`.",
  "Read `error.outcome` to decide whether something may be sent again, and `error.code` to find the cause. Do not parse messages.",
  "Never put an API key into a page or a bundle for browsers. Let a server send.",
  "Create one client for each account and share it. To share the limit of 1200 calls an hour between clients or processes, share a throttle.",
  "Iterate lists with `for await`; do not compute page numbers. To continue after a crash, store `page.next` or `error.resume`.",
  "`smsFailover` holds 1 to 160 GSM 7-bit characters. Use `toGsm7` or `fitSms` rather than a regular expression.",
  "Field names are those of the service: snake_case in version 2, camelCase in the transactional API.",
  "Do not mock `fetch` in tests: use `createFakeService` of `messaging-service-client/testing`.",
];

const EXAMPLES: readonly (readonly [title: string, page: string, heading: RegExp])[] = [
  ["Send a message", "README.md", /^## Send a message/],
  ["Send many, safely", "docs/guides/send-many.md", /^# /],
  ["Iterate lists", "README.md", /^## Iterate lists/],
  ["Handle errors", "docs/guides/errors.md", /^## Catch an error/],
  ["Send from a request handler", "docs/guides/web-services.md", /^## Send within a request/],
  ["Test without texting anyone", "README.md", /^## Test without texting anyone/],
];

const PAGES: readonly (readonly [path: string, about: string])[] = [
  ["docs/guides/getting-started.md", "install, credentials, first calls"],
  ["docs/guides/quickstarts.md", "whole files for Express, Fastify, Hono and a plain script"],
  ["docs/guides/serverless.md", "whole files for Next.js, Cloudflare Workers and AWS Lambda"],
  ["docs/guides/sending-rcs.md", "every field and rule of a message"],
  ["docs/guides/send-many.md", "durable sends with a ledger: sendOnce, sendMany, removeMany"],
  ["docs/guides/queues.md", "BullMQ, pg-boss, Temporal, and a transactional outbox"],
  ["docs/guides/databases.md", "a ledger on the connections of Prisma, Drizzle and Kysely"],
  ["docs/guides/errors.md", "every error class and outcome"],
  ["docs/guides/lists-and-pages.md", "pages, iteration, resuming"],
  ["docs/guides/throttle-and-retries.md", "limits, sharing a throttle, retries"],
  ["docs/testing.md", "the fake service, its inbox and its control API"],
  ["docs/openapi/v2.json", "OpenAPI document of version 2"],
  ["docs/openapi/transactional.json", "OpenAPI document of the transactional API"],
];

/** Returns the page for code assistants: how to use the package, and what never to do. */
export const llmsText = (): string =>
  [
    "# messaging-service-client",
    "",
    "> Typed TypeScript client of a messaging service for U.S. and Canadian phones: subscriber lists (version 2 API, HTTP Basic, 1200 calls an hour), and RCS texts and files with an SMS fallback (transactional API, `x-api-key`).",
    "",
    "## Rules",
    "",
    ...RULES.map((rule) => `- ${rule}`),
    ...EXAMPLES.flatMap(([title, page, heading]) => [
      "",
      `## ${title}`,
      "",
      exampleOf(page, heading),
    ]),
    "",
    "## Pages",
    "",
    "These files are part of the package:",
    "",
    ...PAGES.map(([path, about]) => `- ${path}: ${about}`),
    "",
  ].join("\n");
