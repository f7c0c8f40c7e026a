// Responses that must not have a body (RFC 9110) but may have one.
import { describe, expect, test } from "vitest";
import { clientsOf, errorOf, message, transaction } from "../../support/calls.ts";
import { CARRIERS } from "../../support/carriers.ts";
import { DISPATCHERS } from "../../support/dispatchers.ts";
import { startRaw } from "../../support/servers/raw-server.ts";

const body = JSON.stringify(transaction);
const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;

/** The rest of the response after its status line. */
const FRAMINGS: readonly (readonly [what: string, rest: string])[] = [
  ["no body", "\r\n"],
  ["a body with its length", `content-length: ${body.length}\r\n\r\n${body}`],
  ["a body in chunks", `transfer-encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`],
  ["a body that the connection ends", `\r\n${body}`],
  ["a body that breaks off", `content-length: ${body.length + 9}\r\n\r\n${body}`],
  ["a length, and no body", `content-length: ${body.length}\r\n\r\n`],
  ["a body that is not compressed as it says", `content-encoding: gzip\r\n\r\n${body}`],
];

/** Starts a server that closes each connection after its response, so that no call reuses a closing connection. */
const startWith = (status: number, rest: string) =>
  startRaw((socket) => socket.end(`HTTP/1.1 ${status} Empty\r\nconnection: close\r\n${rest}`));

describe.each([...CARRIERS, ...DISPATCHERS])("carried by $carrier", ({ fetch }) => {
  const options = { fetch, retry: 0 };

  test.each(
    [204, 205].flatMap((status) => FRAMINGS.map((framing) => [status, ...framing] as const)),
  )("a %d with %s counts as empty", async (status, _, rest) => {
    await using server = await startWith(status, rest);
    const { v2 } = clientsOf(server, options);
    expect(await v2.request({ method: "GET", path: "/any" })).toBeUndefined();
    const error = await errorOf(clientsOf(server, options).rcs.sendRcsText(message));
    expect(error).toMatchObject({ code: "response_validation", outcome: "unknown", status });
    expect(error.message).toMatch(/, but its body is empty$/);
  });
});
