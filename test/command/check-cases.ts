// Services, networks and settings with one fault each, and what `check` prints about them.

/** Returns the response of a server; `undefined` passes the request to the fake service. */
export type Fault = (request: {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** Credentials for either API, as received. */
  readonly credentials: string;
}) =>
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      /** Whether the connection breaks after the body. */
      readonly breaks?: true;
      /** Changes the JSON of the fake's own response instead. */
      readonly change?: (body: Record<string, never>) => unknown;
    }
  | "breaks"
  | undefined;

/** Bodies that are not a successful result, by shape. */
export const SHAPES = {
  documented:
    '{"error":"Validation failed","errors":[{"code":"custom","message":"is not known: KEY, owner.jose@example.com, +12065550123","path":["account"]}]}',
  undocumented: '{"status":"error","error":"Carla is not known"}',
  JSON: "{}",
  text: "Carla",
  HTML: "<html>Carla</html>",
  nothing: "",
};

export type Shape = keyof typeof SHAPES;

const ERROR = "but with an error";
const OTHER = "but not like the API";
const PAGE = "a page for people, such as a sign-in page";
const NOT_TAKEN = "it does not accept MESSAGING_V2_EMAIL with MESSAGING_V2_API_KEY";
const GATEWAY = "a gateway in front of the service responded";

/** What `check` prints for each status of the account request, and for the shapes for which it prints something else. */
export const STATUSES: readonly {
  readonly status: number;
  readonly says: string;
  readonly shapes?: { readonly [Name in Shape]?: string };
}[] = [
  { status: 200, says: OTHER, shapes: { documented: ERROR, undocumented: ERROR, HTML: PAGE } },
  { status: 202, says: OTHER, shapes: { documented: ERROR, undocumented: ERROR, HTML: PAGE } },
  { status: 302, says: "responded 302" },
  { status: 400, says: "responded 400" },
  { status: 401, says: `responded 401: ${NOT_TAKEN}` },
  { status: 403, says: `responded 403: ${NOT_TAKEN}`, shapes: { HTML: "a firewall or proxy" } },
  { status: 404, says: "the API is not at" },
  { status: 405, says: "the API is not at" },
  { status: 408, says: "the service responded 408" },
  { status: 409, says: "responded 409" },
  { status: 410, says: "the API is not at" },
  { status: 422, says: "responded 422" },
  {
    status: 429,
    says: "the rate limit of the account is used up (429)",
    shapes: { HTML: `${GATEWAY} 429` },
  },
  { status: 500, says: "the service responded 500", shapes: { HTML: `${GATEWAY} 500` } },
  { status: 501, says: "the API is not at" },
  { status: 503, says: "the service responded 503", shapes: { HTML: `${GATEWAY} 503` } },
];

/** API keys of the account. */
export const V2_KEY = "v2-key-7f3a";
export const RCS_KEY = "rcs-key-91bd";
export const EMAIL = "owner.jose@example.com";

export interface CheckCase {
  readonly name: string;
  /** Fault of the server. Default: none. */
  readonly fault?: Fault;
  /** Starts a TLS server with an untrusted certificate instead. */
  readonly tls?: true;
  /** Flags that differ from the defaults. `SERVER` stands for the host and the port of the server. */
  readonly flags?: Readonly<Record<string, string | true | undefined>>;
  readonly code?: 0 | 1 | 2;
  /** Parts of the output, without line breaks. */
  readonly says: readonly (string | RegExp)[];
  /** Text that the output must not contain. */
  readonly never?: string | RegExp;
}

const HTML = "<!doctype html><title>Sign in</title>";
const html = { "content-type": "text/html" };
const isPost = ({ method }: { readonly method: string }) => method === "POST";
const OF_THE_KEY = '{"errors":[{"code":"custom","message":"no such key","path":["x-api-key"]}]}';
const at =
  (path: string, change: (body: Record<string, never>) => unknown): Fault =>
  (request) =>
    request.path === path ? { status: 200, change: (body) => change(body) ?? body } : undefined;

const MINUTE_MS = 60_000;
const dated =
  (offMs: number): Fault =>
  (request) => ({
    status: request.method === "POST" ? 400 : 200,
    headers: { date: new Date(Date.now() + offMs).toUTCString() },
    change: (body) => body,
  });

export const CASES: readonly CheckCase[] = [
  {
    name: "a service that behaves as documented",
    code: 0,
    says: [
      /✓ account +\d+ ms +the base URL, the e-mail address and the key work/,
      /✓ clock +agrees with the service's/,
      /✓ lists +\d+ ms +2 lists; a page of 1000 is granted/,
      /✓ one list .+ ✓ scheduled messages .+ ✓ send of \{\} +\d+ ms +refused, as expected/,
      "statuses 200, 200, 200, 200, 400; no headers about limits",
      "7 steps passed",
    ],
    never: "not as documented",
  },
  {
    name: "an account without lists",
    fault: at("/api/v2/lists", (body) => Object.assign(body, { lists: [], count: 0 })),
    code: 0,
    says: ["0 lists", /– one list +the account has no list/],
  },
  {
    name: "nothing but a step that is left out",
    flags: { "no-post": true, "base-url": undefined, email: undefined, "api-key": undefined },
    says: ["no step shows that the base URL and the key work"],
  },
  {
    name: "a list whose id is no number",
    fault: at("/api/v2/lists", (body) => Object.assign(body, { lists: [{ id: "7" }] })),
    code: 0,
    says: [/– one list +no list of the page has an id/],
  },
  {
    name: "--no-post",
    flags: { "no-post": true },
    code: 0,
    says: [/– send of \{\} +skipped by --no-post/],
  },
  {
    name: "version 2 alone",
    flags: { "transactional-base-url": undefined, "transactional-api-key": undefined },
    code: 0,
    says: ["5 steps passed"],
    never: "transactional",
  },
  {
    name: "the transactional API alone",
    flags: { "base-url": undefined, email: undefined, "api-key": undefined },
    code: 0,
    says: ["2 steps passed"],
    never: "version 2",
  },
  {
    name: "a refused connection",
    flags: { "base-url": "http://127.0.0.1:1" },
    says: [/✗ account .+127\.0\.0\.1:1 refuses connections.+Check the host and the port of/],
  },
  {
    name: "a host without a DNS name",
    flags: { "base-url": "https://nowhere.invalid" },
    says: [
      /from nowhere\.invalid \((ENOTFOUND|EAI_AGAIN)\) → The host name cannot be resolved: check MESSAGING_V2_BASE_URL/,
    ],
  },
  {
    name: "a certificate that nobody trusts",
    tls: true,
    flags: { "base-url": "https://SERVER" },
    says: [
      /certificate of the host is not trusted: check MESSAGING_V2_BASE_URL.+NODE_EXTRA_CA_CERTS/,
    ],
  },
  {
    name: "https to a server of plain http",
    flags: { "base-url": "https://SERVER" },
    says: [
      /does not speak TLS on this port: check the scheme and the port of MESSAGING_V2_BASE_URL/,
    ],
  },
  {
    name: "http to a server of TLS",
    tls: true,
    says: [
      /no complete response from \S+ \([A-Z_]+\).+If the server expects https, begin MESSAGING_V2_BASE_URL with https:\/\//,
    ],
  },
  {
    name: "http to a server of TLS that says so",
    fault: () => ({ status: 400, body: "The plain HTTP request was sent to HTTPS port" }),
    says: ["is plain http, but the server expects https"],
  },
  {
    name: "a redirect to https",
    fault: () => ({ status: 301, headers: { location: "https://127.0.0.1/api/v2/accounts/me" } }),
    says: ["is plain http, but the server expects https"],
  },
  {
    name: "http to another machine",
    flags: { "base-url": "http://app.example.com" },
    says: [
      /✗ settings +MESSAGING_V2_BASE_URL must be an https URL, unless its host is loopback → Correct it, or pass --base-url\./,
    ],
  },
  {
    name: "a proxy that names itself",
    fault: () => ({ status: 407, headers: { via: "1.1 proxy.corp (squid/6.6)" }, body: HTML }),
    says: ["a proxy (1.1 proxy.corp (squid/6.6)) responded 407"],
  },
  {
    name: "a firewall with its own page",
    fault: () => ({ status: 403, headers: { ...html, server: "AkamaiGHost" }, body: HTML }),
    says: ["a firewall or proxy (AkamaiGHost) responded 403"],
  },
  {
    name: "a gateway without its service",
    fault: () => ({ status: 502, headers: { ...html, server: "nginx" }, body: HTML }),
    says: ["a gateway in front of the service (nginx) responded 502"],
  },
  {
    name: "a path that is wrong",
    flags: { "base-url": "http://SERVER/app" },
    says: [/the API is not at http:\/\/\S+\/app \((404|501)\)/],
  },
  {
    name: "a base URL that holds a part of the API's paths",
    flags: { "base-url": "http://SERVER/v1" },
    says: ["must be a URL without /v1"],
  },
  {
    name: "a path that is wrong, with a page",
    fault: () => ({ status: 404, headers: html, body: HTML }),
    says: ["the API is not at"],
  },
  {
    name: "a sign-in page",
    fault: () => ({ status: 200, headers: html, body: HTML }),
    says: [/✗ account .+a sign-in page.+✗ send of \{\} .+a sign-in page/],
    never: "ACCEPTED",
  },
  {
    name: "a redirect to a sign-in page",
    fault: () => ({ status: 302, headers: { location: `/login?for=${EMAIL}` } }),
    says: ["redirects (302) to", "a page for people, such as a sign-in page"],
  },
  {
    name: "a body that is not the API's",
    fault: () => ({ status: 200, body: '{"status":"OK"}' }),
    says: [/✗ account .+responded 200, but not like the API/],
  },
  {
    name: "a key that is wrong",
    flags: { "api-key": "another-key-1c2d", "transactional-api-key": "another-key-1c2e" },
    says: [
      "the service responded 401: it does not accept MESSAGING_V2_EMAIL with MESSAGING_V2_API_KEY",
      "it does not accept MESSAGING_TRANSACTIONAL_API_KEY",
    ],
    never: /swapped|key of the|valid only for/,
  },
  {
    name: "keys that are swapped",
    flags: { "api-key": RCS_KEY, "transactional-api-key": V2_KEY },
    says: [
      "the two keys are swapped",
      "Exchange MESSAGING_V2_API_KEY and MESSAGING_TRANSACTIONAL_API_KEY.",
    ],
  },
  {
    name: "a key of the other API, given to both",
    flags: { "api-key": RCS_KEY },
    says: [
      "the key is valid for the transactional API → Check MESSAGING_V2_EMAIL. If it is right, put a key of the version 2 API into MESSAGING_V2_API_KEY.",
    ],
    never: "swapped",
  },
  {
    name: "a key of version 2, given to both",
    flags: { "transactional-api-key": V2_KEY },
    says: ["the key is valid only for the version 2 API"],
    never: "swapped",
  },
  {
    name: "an e-mail address that is wrong",
    flags: { email: "jose@example.com" },
    says: [
      "Check that MESSAGING_V2_EMAIL is the e-mail address of the account's login. If it is, copy the key again (My Account, API) into MESSAGING_V2_API_KEY.",
    ],
    never: /jose@|swapped|key of the|valid only for/,
  },
  {
    name: "a call that is refused although the account could be read",
    fault: ({ path }) => (path === "/api/v2/lists" ? { status: 403, body: "{}" } : undefined),
    says: ["the service responded 403 only to this call → Run the check again."],
    never: /does not accept|the API is not at/,
  },
  {
    name: "a success that breaks off",
    fault: () => ({ status: 200, headers: { "content-length": "99" }, body: "{", breaks: true }),
    says: ["no complete response from 127.0.0.1"],
  },
  {
    name: "a key in quotation marks",
    flags: { "api-key": `"${V2_KEY}"` },
    says: [/✗ settings +MESSAGING_V2_API_KEY must be a string without quotation marks/],
  },
  {
    name: "everything that is missing but the key",
    flags: { email: undefined, "base-url": undefined },
    says: [
      /✗ settings +MESSAGING_V2_BASE_URL is missing; MESSAGING_V2_EMAIL is missing → Correct it, or pass --base-url and --email\./,
    ],
  },
  {
    name: "an e-mail address that is missing",
    flags: { email: undefined },
    says: [/✗ settings +MESSAGING_V2_EMAIL is missing → Correct it, or pass --email\./],
  },
  {
    name: "a rate limit that is used up",
    fault: (request) =>
      isPost(request) ? undefined : { status: 429, headers: { "retry-after": "90" } },
    says: [/the rate limit of the account is used up \(429\) → Wait 90 s/, "retry-after"],
  },
  ...([-11, 11] as const).map((minutes) => ({
    name: `a clock that is off by ${minutes} minutes`,
    fault: dated(-minutes * MINUTE_MS),
    says: [
      new RegExp(
        `✗ clock +this machine's clock is 11 minutes ${minutes < 0 ? "behind" : "ahead of"}`,
      ),
      "NTP",
    ],
  })),
  {
    name: "a service that accepts a message without a phone number",
    fault: (request) =>
      isPost(request) ? { status: 202, body: '{"message":"ok","transactionId":"t"}' } : undefined,
    says: ["WRONG: the service ACCEPTED (202)", "Do not send through this base URL."],
  },
  {
    name: "a service that accepts it with a body of another shape",
    fault: (request) => (isPost(request) ? { status: 200, body: "{}" } : undefined),
    says: ["WRONG: the service ACCEPTED (200)"],
  },
  {
    name: "fields that are missing, new, and of another type",
    fault: at("/api/v2/lists", (body: { lists?: Record<string, unknown>[] }) => {
      for (const list of body.lists ?? []) {
        Object.assign(list, { counts: "3", color: "red", "+12065550123": EMAIL });
        delete list.keyword_names;
      }
    }),
    code: 0,
    says: [
      "not as documented GET /api/v2/lists ",
      /! lists\[\]\.counts +string; documented: an object/,
      /! lists\[\]\.keyword_names +missing; documented: an array/,
      /! lists\[\]\.color +new: string/,
      /! lists\[\]\.\(a name that is not a word\) +new: string/,
      "7 steps passed; 4 fields not as documented",
    ],
  },
  {
    name: "drift with --strict",
    flags: { strict: true },
    fault: at("/api/v2/accounts/me", (body) => Object.assign(body, { trial: true })),
    says: [/! trial +new: boolean/],
  },
  {
    name: "a page of 1000 that is not granted",
    fault: at("/api/v2/lists", (body) => Object.assign(body, { per_page: 100 })),
    code: 0,
    says: ["a page of 1000 is not granted", "! per_page"],
  },
  {
    name: "a refusal in another shape",
    fault: (request) =>
      isPost(request)
        ? { status: 400, body: '{"title":"Bad","detail":"+12065550123"}' }
        : undefined,
    says: [
      "refused, as expected: it is not certain whether the base URL and the key work",
      "no step shows that the base URL and the key work",
      /! errors +missing; documented: an array/,
      /! title +new: string/,
    ],
  },
  {
    name: "a refusal that names no field, of keys that are wrong",
    flags: { "api-key": "another-key-1c2d" },
    fault: (request) => (isPost(request) ? { status: 400, body: OF_THE_KEY } : undefined),
    says: ["it is not certain whether the base URL and the key work"],
    never: /valid here|key of the/,
  },
  {
    name: "a refusal with another status",
    fault: (request) =>
      isPost(request)
        ? { status: 422, body: '{"errors":[{"path":["body","smsFailover"]}]}' }
        : undefined,
    code: 0,
    says: ["with 422 instead of the documented 400", "! status"],
  },
  {
    name: "headers about limits",
    fault: () => ({
      status: 200,
      headers: { "x-ratelimit-remaining": "7" },
      change: (body) => body,
    }),
    code: 0,
    says: ["x-ratelimit-remaining"],
  },
  {
    name: "nothing to check",
    flags: Object.fromEntries(
      ["base-url", "email", "api-key", "transactional-base-url", "transactional-api-key"].map(
        (name) => [name, undefined],
      ),
    ),
    code: 2,
    says: ["Nothing to check: set MESSAGING_V2_BASE_URL"],
  },
  {
    name: "a flag that does not exist",
    flags: { "base-ur": "https://app.example.com" },
    code: 2,
    says: ["option `--base-ur` does not exist: did you mean `--base-url`?"],
  },
];
