// Errors and events of real calls to a service that echoes requests in its responses.
import { describe, expect, test } from "vitest";
import type { ApiError, ClientEvent } from "../../../src/index.ts";
import { clientsOf, E164, errorOf, message, PHONE, TEXT } from "../../support/calls.ts";
import { type Responder, respond, startLoopback } from "../../support/servers/loopback.ts";

const echo: Responder = async (exchange) => {
  const { headers } = exchange.request;
  const error = `${await exchange.read()} ${JSON.stringify(headers)}`;
  await respond(422, { error: error.slice(-250) })(exchange);
};

describe("quotations of the service", () => {
  test("no error quotes a header that the caller added", async () => {
    const secret = "tenant-secret-77";
    await using server = await startLoopback(echo, respond(422, { error: `no such ${secret}` }));
    const { rcs } = clientsOf(server, { headers: { "x-tenant": secret } });
    const options = { headers: { "x-user": "user-secret-78" } };
    for (const call of [rcs.sendRcsText(message, options), rcs.sendRcsText(message)]) {
      expect((await errorOf(call)).message).not.toMatch(/secret-7/);
    }
  });

  test("an error quotes the headers that the client itself adds", async () => {
    await using server = await startLoopback(respond(415, { error: "not application/json" }));
    const error = await errorOf(clientsOf(server).rcs.sendRcsText(message));
    expect(error.message).toContain("not application/json");
  });

  test("an error keeps its outcome if a getter of the caller cannot be read a second time", async () => {
    await using server = await startLoopback(respond(422, { error: TEXT }));
    let reads = 0;
    const json = {
      get text() {
        reads += 1;
        if (reads > 1) throw new Error("read twice");
        return TEXT;
      },
    };
    const call = clientsOf(server).rcs.request({ method: "POST", path: "/notes", json });
    const error = await errorOf(call);
    expect(error).toMatchObject({ code: "api", status: 422, outcome: "rejected" });
    expect(error.message).not.toContain(TEXT);
  });
});

describe("request ids that repeat the phone number", () => {
  test.each(["206-555-0123", "2065550123", "+1 (206) 555.0123", "r-12065550123-9", E164, PHONE])(
    "the request id %s is shown neither in an error nor in an event",
    async (id) => {
      const events: ClientEvent[] = [];
      const headers = { "x-request-id": id };
      await using server = await startLoopback(
        respond(500, "", headers),
        respond(404, "", headers),
        respond(202, { message: "Accepted", transactionId: "t-1" }, headers),
      );
      const onEvent = (event: ClientEvent) => void events.push(event);
      const { v2, rcs } = clientsOf(server, { onEvent });
      const error = await errorOf<ApiError>(v2.subscribers.remove(17, E164));
      expect(error.requestId).toContain("[redacted]");
      await rcs.sendRcsText(message);
      const ids = events.flatMap((event) => ("requestId" in event ? [event.requestId] : []));
      expect(ids).toHaveLength(4);
      for (const known of [...ids, error.requestId]) expect(known).not.toMatch(/\d{3}\D*\d{4}/);
    },
  );
});
