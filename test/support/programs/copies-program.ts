// Runs in an application with two copies of the package, and prints which errors the classes of each copy recognize.
import { createRequire } from "node:module";
import * as esm from "messaging-service-client";

type Copy = typeof esm;
type Failure = (copy: Copy) => unknown;

const require = createRequire(import.meta.url);
const second = "./second/node_modules/messaging-service-client/dist";
const copies: Readonly<Record<string, Copy>> = {
  esm,
  cjs: require("messaging-service-client"),
  secondEsm: await import(`${second}/index.js`),
  secondCjs: require(`${second}/index.cjs`),
};

const connection = { baseUrl: "https://v2.example.com", email: "owner@example.com", apiKey: "key" };
const me = (copy: Copy, fetch: () => Promise<Response>, timeout = 10_000) =>
  new copy.V2Client({ ...connection, fetch, timeout, retry: 0 }).accounts.me();
const respondWith =
  (status: number): Failure =>
  (copy) =>
    me(copy, async () => new Response("no", { status }));

const belowApiError: Readonly<Record<string, number>> = {
  AuthenticationError: 401,
  PermissionDeniedError: 403,
  NotFoundError: 404,
  RateLimitError: 429,
  ServerError: 500,
};
/** Calls that throw each class. */
const failures: Readonly<Record<string, Failure>> = {
  ValidationError: (copy) => copy.toE164("nothing"),
  ApiError: respondWith(418),
  ...Object.fromEntries(
    Object.entries(belowApiError).map(([name, status]) => [name, respondWith(status)]),
  ),
  ConnectionError: (copy) => me(copy, () => Promise.reject(new TypeError("fetch failed"))),
  TimeoutError: (copy) => me(copy, () => new Promise(() => {}), 5),
  AbortError: (copy) => new copy.V2Client(connection).accounts.me({ signal: AbortSignal.abort() }),
  ThrottleError: async (copy) => {
    const throttle = copy.createThrottle({ limit: 1, interval: 60_000, maxWait: 0 });
    await throttle.acquire();
    await throttle.acquire();
  },
  ResponseValidationError: (copy) => me(copy, async () => new Response("<html>")),
  RecipientError: (copy) => Promise.reject(new copy.RecipientError("refused")),
  LedgerError: (copy) => Promise.reject(new copy.LedgerError("in_doubt")),
};
const thrownBy = (copy: Copy, fail: Failure): Promise<unknown> =>
  (async () => fail(copy))().catch((error: unknown) => error);

const classesOf = (copy: Copy) =>
  Object.entries(copy).filter(([name]) => name.endsWith("Error")) as [
    string,
    { new (): object; is(value: unknown): boolean },
  ][];

/** Returns whether an error of the first class is also an error of the second class. */
const isOne = (name: string, known: string): boolean =>
  known === name ||
  known === "MessagingServiceError" ||
  (known === "ApiError" && name in belowApiError);

const wrong: string[] = [];
let thrown = 0;
for (const [from, thrower] of Object.entries(copies)) {
  for (const [name, fail] of Object.entries(failures)) {
    const error = await thrownBy(thrower, fail);
    thrown += 1;
    for (const [by, copy] of Object.entries(copies)) {
      for (const [known, Class] of classesOf(copy)) {
        const expected = isOne(name, known);
        if (Class.is(error) !== expected) wrong.push(`${from} ${name}: ${by} ${known}.is`);
        if (error instanceof Class !== expected)
          wrong.push(`${from} ${name}: instanceof ${by} ${known}`);
      }
    }
  }
}

/** Shares a throttle of one copy between clients of all copies. */
const throttle = esm.createThrottle({ limit: 100, interval: 60_000 });
for (const { V2Client } of Object.values(copies)) {
  const fetch = async () => new Response("no", { status: 404 });
  await new V2Client({ ...connection, fetch, throttle }).accounts.me().catch(() => {});
}

const classes = classesOf(esm).map(([name]) => name);
const distinct = new Set(Object.values(copies).map(({ ApiError }) => ApiError)).size;
const { used } = throttle.snapshot();
console.log(JSON.stringify({ distinct, classes, thrown, wrong, used }));
