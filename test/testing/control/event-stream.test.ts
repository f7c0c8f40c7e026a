import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { FakeService } from "messaging-service-client/testing";
import { expect, onTestFinished, test } from "vitest";
import { rcsOf, rcsText } from "../../support/fakes/fake-service.ts";
import { openControl } from "./control.ts";

/** Runs a function and reads server-sent events until an event of the given type arrives. */
const eventsUntil = async (
  url: string,
  type: string,
  run: () => unknown,
): Promise<readonly { readonly event: string; readonly data: unknown }[]> => {
  const abort = new AbortController();
  const response = await fetch(`${url}events`, { signal: abort.signal });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const events: { event: string; data: unknown }[] = [];
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  await reader.read();
  await run();
  let text = "";
  while (!events.some(({ event }) => event === type)) {
    text += decoder.decode((await reader.read()).value, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, event = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (event) events.push({ event, data: JSON.parse(data) });
    }
  }
  abort.abort();
  return events;
};

test("the event stream reports a send as a message and as a request, without its credentials", async () => {
  const { service, url } = await openControl({ account: { apiKey: "a-key-to-hide" } });
  const events = await eventsUntil(url, "request", () => rcsOf(service).sendRcsText(rcsText));
  const told = events.filter(({ event }) => event !== "state");
  expect(told).toEqual([
    {
      event: "message",
      data: expect.objectContaining({ id: 1, direction: "sent", channel: "rcs" }),
    },
    { event: "request", data: expect.objectContaining({ status: 202, errors: [] }) },
  ]);
  expect(JSON.stringify(events)).not.toContain("a-key-to-hide");
});

test("the event stream reports a change of the state", async () => {
  const { service, url } = await openControl();
  const events = await eventsUntil(url, "state", () => service.addList());
  expect(events).toEqual([{ event: "state", data: { now: "2026-01-01T00:00:00.000Z" } }]);
});

test("the event stream reports a webhook when it is built and when the application has responded", async () => {
  const { service, url } = await openControl({ webhooks: () => ({ hello: true }) });
  const hasOutcome = () => service.webhooks[0]?.error !== undefined;
  const events = await eventsUntil(url, "request", async () => {
    await rcsOf(service).sendRcsText({ ...rcsText, webhookUrl: "https://example.invalid/hook" });
    await expect.poll(hasOutcome).toBe(true);
  });
  const webhooks = events.filter(({ event }) => event === "webhook");
  expect(webhooks[0]?.data).toMatchObject({ id: 1, body: { hello: true } });
});

test("the event stream reports a reset and the messages of setUp, and a removed conversation", async () => {
  const setUp = (service: FakeService) => {
    service.receiveText({ from: "+12065550123", text: "hello" });
  };
  const { service, url, call } = await openControl({ setUp });
  expect((await call("GET", "messages")).body).toMatchObject([{ id: 1, text: "hello" }]);
  const events = await eventsUntil(url, "reset", () => service.reset());
  expect(events.map(({ event }) => event)).toContain("reset");
  expect((await call("GET", "messages")).body).toMatchObject([{ id: 1, text: "hello" }]);
  const removed = await eventsUntil(url, "reset", () =>
    call("DELETE", `conversations/${encodeURIComponent("(206) 555-0123")}`),
  );
  expect(removed.map(({ event }) => event)).toContain("reset");
  expect((await call("GET", "messages")).body).toEqual([]);
});

test("a client of the event stream that does not read is disconnected, and a client that reads gets everything", async () => {
  const { service, url } = await openControl();
  const { hostname, port, host } = new URL(url);
  const open = async () => {
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    socket.write(`GET /__fake/events HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(socket, "readable");
    return socket;
  };
  const [slow, reader] = [await open(), await open()];
  let read = "";
  reader.on("data", (chunk) => {
    read = (read + chunk).slice(-1_000);
  });
  const body = "x".repeat(60_000);
  const request = { method: "POST", path: "/x", query: {}, headers: {}, body };
  for (let count = 0; count < 700; count += 1) {
    service.handle(request);
    await turn();
  }
  let bytes = 0;
  slow.on("data", (chunk) => {
    bytes += chunk.length;
  });
  slow.on("error", () => {});
  await once(slow, "close");
  expect(bytes).toBeLessThan(700 * 60_000);
  service.handle({ ...request, path: "/last", body: "" });
  await expect.poll(() => read).toContain("/last");
});

test("the event stream refuses parameters, and other methods", async () => {
  const { call } = await openControl();
  const message = "is not a known field";
  expect(await call("GET", "events?zz=1")).toEqual({
    status: 400,
    body: { error: "Validation failed", errors: [{ path: ["zz"], message }] },
  });
  expect(await call("POST", "events", {})).toMatchObject({ status: 405 });
});
