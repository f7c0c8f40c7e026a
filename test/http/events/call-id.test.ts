import { expect, test } from "vitest";
import type { ClientEvent, RequestOptions } from "../../../src/index.ts";
import { account, clientsOf, errorOf, message } from "../../support/calls.ts";
import { refusedUrl, respond, startLoopback } from "../../support/servers/loopback.ts";

test("an error has the same callId as the events of its call", async () => {
  const events: ClientEvent[] = [];
  const options = { onEvent: (event: ClientEvent) => events.push(event) };
  await using server = await startLoopback(respond(404));
  const error = await errorOf(clientsOf(server, options).v2.accounts.me());
  expect(error.callId).toMatch(/^v\w+-1$/);
  expect(new Set(events.map(({ callId }) => callId))).toEqual(new Set([error.callId]));
});

test("every error of a call has a callId, even without a listener", async () => {
  const { rcs, v2 } = clientsOf({ baseUrl: await refusedUrl() }, { retry: 0 });
  const errors = [
    await errorOf(rcs.sendRcsText({ ...message, smsFailover: "" })),
    await errorOf(rcs.sendRcsText(message)),
    await errorOf(v2.accounts.me({ signal: AbortSignal.abort() })),
    await errorOf(v2.lists.retrieve(-1)),
  ];
  expect(errors.map(({ code }) => code)).toEqual([
    "validation",
    "connection",
    "abort",
    "validation",
  ]);
  expect(errors.map(({ callId }) => callId?.replace(/\w+-/, ""))).toEqual(["1", "2", "1", "2"]);
});

test("the onEvent of a call receives its events in addition to the client's onEvent", async () => {
  const [ofClient, ofCall] = [[], []] as [string[], string[]];
  const listener = (into: string[]) => (event: ClientEvent) => void into.push(event.type);
  await using server = await startLoopback(respond(200, account));
  const { v2 } = clientsOf(server, { onEvent: listener(ofClient) });
  await v2.accounts.me({ onEvent: listener(ofCall) });
  await v2.accounts.me();
  const each = ["request", "response", "succeeded"];
  expect(ofCall).toEqual(each);
  expect(ofClient).toEqual([...each, ...each]);
});

test("an onEvent that is not a function rejects the call before anything is sent", async () => {
  const types: string[] = [];
  await using server = await startLoopback(respond(200, account));
  const { v2 } = clientsOf(server, { onEvent: ({ type }) => void types.push(type) });
  const options = { onEvent: "log" } as unknown as RequestOptions;
  await expect(v2.accounts.me(options)).rejects.toThrow("option `onEvent` must be a function");
  expect(server.requests).toEqual([]);
  expect(types).toEqual(["failed"]);
});
