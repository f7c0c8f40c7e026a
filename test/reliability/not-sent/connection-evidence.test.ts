import { describe, expect, test } from "vitest";
import { errorCodeOf, isControlFlow } from "../../../src/core/transport/connection-error.ts";
import { showsNoConnection } from "../../../src/core/transport/connection-proof.ts";
import { ConnectionError } from "../../../src/index.ts";

const failure = (fields: object, message = "failed"): Error =>
  Object.assign(new Error(message), fields);
/** Wraps a cause as Node's fetch does. */
const fetchFailed = (cause: unknown) => new TypeError("fetch failed", { cause });
const aggregate = (...errors: unknown[]) =>
  Object.assign(new AggregateError(errors), { code: "ECONNREFUSED" });

const HOST = "app.example.com";
const URL_OF_CALL = `https://${HOST}/api/v2/lists/17/subscribers/%2B12065550123`;
const refusedAt = (address: string, port: number) =>
  failure({ code: "ECONNREFUSED", syscall: "connect", address, port });
const unknownHost = (hostname: string) =>
  failure({ code: "ENOTFOUND", syscall: "getaddrinfo", hostname });
const deno = (url: string, what = "client error (Connect): tcp connect error") =>
  fetchFailed(new Error(`error sending request for url (${url}): ${what}`));
const bun = (code: string, path: string, message = "") => failure({ code, path }, message);
const closed = (host: string, port: string) =>
  failure(
    { code: "ECONNRESET", host, port },
    "Client network socket disconnected before secure TLS connection was established",
  );
const longCycle = failure({});
longCycle.cause = failure({ ...unknownHost(HOST), cause: longCycle });
const ownCycle = failure({ code: "ECONNRESET" });
ownCycle.cause = ownCycle;
const aggregateCycle = aggregate();
aggregateCycle.errors.push(aggregateCycle);

type Row = readonly [what: string, thrown: unknown, baseUrl?: string];

/** Failures that identify the service. Base URL unless a row has a different one: https://app.example.com. */
const PROOFS: readonly Row[] = [
  ["Node: an unknown name", fetchFailed(unknownHost(HOST))],
  ["an unknown name, without a wrapper", unknownHost(HOST)],
  ["an unknown name in capitals", unknownHost("APP.example.com")],
  [
    "Node: DNS does not respond",
    failure({ code: "EAI_AGAIN", syscall: "getaddrinfo", hostname: HOST }),
  ],
  [
    "Node: a certificate for a different name",
    fetchFailed(failure({ code: "ERR_TLS_CERT_ALTNAME_INVALID", host: HOST })),
  ],
  ["a certificate that has expired", failure({ code: "CERT_HAS_EXPIRED", host: HOST })],
  ["an unknown issuer", failure({ code: "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", host: HOST })],
  ["Node: the host closes in the handshake", fetchFailed(closed(HOST, "443"))],
  ["a refused address that the base URL names", refusedAt("192.0.2.7", 443), "https://192.0.2.7"],
  [
    "a refused IPv6 address that the base URL names",
    refusedAt("2001:db8::7", 8443),
    "https://[2001:db8::7]:8443",
  ],
  [
    "a refused connection to loopback",
    fetchFailed(refusedAt("127.0.0.1", 3000)),
    "http://127.0.0.1:3000",
  ],
  [
    "refused connections to both addresses of localhost",
    aggregate(refusedAt("::1", 3000), refusedAt("127.0.0.1", 3000)),
    "http://localhost:3000",
  ],
  [
    "an aggregate within an aggregate",
    aggregate(aggregate(refusedAt("::1", 80))),
    "http://localhost",
  ],
  ["a cycle that contains a failure of the service", longCycle],
  ["Bun: refused", bun("ConnectionRefused", URL_OF_CALL)],
  ["Bun 1.3: refused", bun("ECONNREFUSED", URL_OF_CALL)],
  ["Bun: no socket", bun("FailedToOpenSocket", URL_OF_CALL)],
  ["Bun: a certificate", bun("DEPTH_ZERO_SELF_SIGNED_CERT", URL_OF_CALL)],
  ["Deno: refused", deno(URL_OF_CALL)],
];

/** Similar failures that a different request may have caused after the service responded. */
const NO_PROOFS: readonly Row[] = [
  ["a refusal without a name", fetchFailed(failure({ code: "ECONNREFUSED", syscall: "connect" }))],
  ["a refused address at the port of the service", fetchFailed(refusedAt("192.0.2.7", 443))],
  [
    "a refused address of the base URL at another port",
    refusedAt("192.0.2.7", 5432),
    "https://192.0.2.7",
  ],
  ["a loopback address if the base URL names another host", refusedAt("127.0.0.1", 443)],
  ["loopback at another port", refusedAt("127.0.0.1", 5432), "http://localhost:3000"],
  ...["10.127.0.1", "fe80::1", "::1f"].map(
    (address): Row => [
      `${address}, which only resembles a loopback address`,
      refusedAt(address, 80),
      "http://localhost",
    ],
  ),
  ["the name of another host", fetchFailed(unknownHost("audit.example.com"))],
  ["the name of a host that ends like the service", unknownHost(`evil-${HOST}`)],
  ["a certificate without a name", fetchFailed(failure({ code: "CERT_HAS_EXPIRED" }))],
  [
    "a TLS alert without a name",
    fetchFailed(failure({ code: "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR" })),
  ],
  ["a handshake with another port of the host", closed(HOST, "5432")],
  [
    "undici: no connection to some addresses in time",
    failure(
      { code: "UND_ERR_CONNECT_TIMEOUT" },
      "Connect Timeout Error (attempted addresses: 192.0.2.7:443, timeout: 10000ms)",
    ),
  ],
  ["Bun: another origin", bun("ConnectionRefused", "https://audit.example.com/")],
  ["Bun: a reset", bun("ECONNRESET", URL_OF_CALL)],
  [
    "Bun: an error of TLS, within the handshake or after the request",
    bun("EPROTO", URL_OF_CALL, "EPROTO: The TLS handshake failed. Does the server"),
  ],
  ["Deno: another origin", deno("https://audit.example.com/")],
  [
    "a message that quotes one of Deno",
    new Error(`audit: error sending request for url (${URL_OF_CALL}): client error (Connect)`),
  ],
  [
    "Deno: a request that was sent",
    deno(URL_OF_CALL, "client error (SendRequest): connection closed"),
  ],
  ["Node: a port that is blocked", fetchFailed(new Error("bad port")), "http://127.0.0.1:6667"],
  ["a local socket", failure({ code: "ENOENT", syscall: "connect", path: "/var/run/docker.sock" })],
  [
    "two addresses, one of which was reset",
    aggregate(refusedAt("::1", 80), failure({ code: "ECONNRESET", syscall: "read" })),
    "http://localhost",
  ],
  [
    "two hosts, one of which is a different one",
    aggregate(unknownHost(HOST), unknownHost("audit.example.com")),
  ],
  ["an aggregate of nothing", aggregate()],
  ["an aggregate of strings", aggregate("ECONNREFUSED")],
  ["an aggregate that holds itself", aggregateCycle],
  [
    "a reset of the service",
    fetchFailed(failure({ code: "ECONNRESET", syscall: "read", hostname: HOST })),
  ],
  ["a code that only begins like a known one", failure({ code: "CERTAIN", hostname: HOST })],
  [
    "a code that only ends like a known one",
    failure({ code: "NOT_ConnectionRefused", hostname: HOST }),
  ],
  [
    "a system call that only begins like `connect`",
    failure({ syscall: "connected", hostname: HOST }),
  ],
  [
    "a message that quotes the URL of the service",
    failure({ code: "ECONNREFUSED" }, `the audit of ${URL_OF_CALL} failed`),
  ],
  [
    "an error of this package with a refusal as its cause",
    new ConnectionError("no", "not_sent", { cause: unknownHost(HOST) }),
  ],
  [
    "an error of this package as a cause",
    fetchFailed(new ConnectionError("no", "not_sent", { cause: unknownHost(HOST) })),
  ],
  ["a cycle without a failure of the service", ownCycle],
  [
    "a getter that throws",
    Object.defineProperty(new Error(), "code", {
      get: () => {
        throw new Error();
      },
    }),
  ],
  ["a message without a string form", { message: Object.create(null) }],
  ["a string", "ECONNREFUSED"],
  ["null", null],
  ["undefined", undefined],
];

const verdictOn = (thrown: unknown, baseUrl = `https://${HOST}/prefix`) =>
  showsNoConnection(thrown, new URL(baseUrl));

describe("failures as a proof that there was no connection", () => {
  test.each(PROOFS)("a failure proves that nothing was sent: %s", (_, thrown, baseUrl) => {
    expect(verdictOn(thrown, baseUrl as Row[2])).toBe(true);
  });
  test.each(NO_PROOFS)(
    "a failure does not prove that nothing was sent: %s",
    (_, thrown, baseUrl) => {
      expect(verdictOn(thrown, baseUrl as Row[2])).toBe(false);
    },
  );
});

test.each([
  ["ECONNREFUSED", "ECONNREFUSED"],
  ["ConnectionRefused", "ConnectionRefused"],
  ["E".repeat(40), "E".repeat(40)],
  ["E".repeat(41), undefined],
  [URL_OF_CALL, undefined],
  ["+12065550123", undefined],
  ["code 17", undefined],
  ["", undefined],
  [17, undefined],
])("errorCodeOf reads the code %j as %j", (code, expected) => {
  expect(errorCodeOf(fetchFailed(failure({ code })))).toBe(expected);
});

test.each([
  ["an error with a string digest", Object.assign(new Error(), { digest: "NEXT_REDIRECT" }), true],
  ["an object with a string digest", { digest: "BAILOUT" }, true],
  ["a digest that is not a string", { digest: 5 }, false],
  [
    "a digest that cannot be read",
    {
      get digest(): string {
        throw new Error();
      },
    },
    false,
  ],
  ["null", null, false],
])("a framework's control-flow error has a string digest: %s", (_, thrown, expected) => {
  expect(isControlFlow(thrown)).toBe(expected);
});
