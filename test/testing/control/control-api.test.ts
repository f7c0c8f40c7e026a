import { describe, expect, onTestFinished, test, vi } from "vitest";
import { basic, NEW_YEAR, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";
import { newsList } from "../../support/fakes/inbox-scene.ts";
import { onlyStep } from "../../support/fakes/opt-in-lists.ts";
import { openControl } from "./control.ts";

const PHONE = "+12065550123";

/** A failed call and the paths of its problems. */
const invalid = (...paths: readonly (readonly (string | number)[])[]) => ({
  status: 400,
  body: {
    error: "Validation failed",
    errors: paths.map((path) => ({ path, message: expect.stringMatching(/\S/) })),
  },
});

describe("GET /__fake/state", () => {
  test("GET /__fake/state returns account, lists, phones, reports, clock and armed faults", async () => {
    const { service, call } = await openControl();
    const { id } = service.addList({ name: "VIP", keyword_names: ["VIP"] });
    service.addReport({ total_rows: 7 });
    service.receiveText({ from: PHONE, text: "vip" });
    service.setRcsReachable(PHONE, false);
    service.failNext({ status: 503, times: 2 });
    const { status, body } = await call("GET", "state");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      account: { id: service.account.id, email: service.account.email },
      clock: { now: NEW_YEAR, nextDueAt: null },
      lists: [{ id, name: "VIP", deleted: false, counts: { subscribers: 1 } }],
      phones: [
        {
          phoneNumber: PHONE,
          rcsReachable: false,
          smsReachable: true,
          optIns: [{ list_id: id, state: "subscribed" }],
        },
      ],
      reports: [{ total_rows: 7 }],
      faults: [{ status: 503, timesLeft: 2 }],
      endpoints: expect.arrayContaining(["GET /api/v2/lists"]),
    });
  });

  test("GET /__fake/state never returns the API key", async () => {
    const { service, call } = await openControl({ account: { apiKey: "a-key-to-hide" } });
    service.addAccount({ apiKey: "another-key-to-hide" });
    expect(JSON.stringify(await call("GET", "state"))).not.toContain("key-to-hide");
  });
});

describe("messages of the control API", () => {
  test("GET /__fake/outbox returns service.outbox, or with to= the messages to one phone, in any format of its number", async () => {
    const { service, call } = await openControl();
    await rcsOf(service).sendRcsText(rcsText);
    await rcsOf(service).sendRcsText({ ...rcsText, phoneNumber: "(416) 555-0142" });
    expect(await call("GET", "outbox")).toEqual({ status: 200, body: service.outbox });
    expect(service.outbox).toHaveLength(2);
    const { body } = await call("GET", "outbox?to=416-555-0142");
    expect(body).toEqual([service.outbox[1]]);
    expect(await call("GET", "outbox?to=nobody")).toEqual(invalid(["to"]));
  });

  test("GET /__fake/messages returns both directions, with septets and segments of each SMS", async () => {
    const { service, call } = await openControl();
    service.addList({ keyword_names: ["VIP"], first_optin_message: "Welcome €!" });
    service.receiveText({ from: PHONE, text: "vip" });
    service.setRcsReachable(PHONE, false);
    await rcsOf(service).sendRcsText(rcsText);
    expect((await call("GET", "messages")).body).toMatchObject([
      { direction: "received", phone: PHONE, text: "vip", channel: "sms" },
      { direction: "sent", text: "Welcome €!", septets: 11, segments: 1 },
      { direction: "sent", channel: "sms", fallbackOf: { text: rcsText.rcsPayload.text } },
    ]);
  });

  test("GET /__fake/messages with wait returns the messages that match as soon as there is one, or 408", async () => {
    const { service, call } = await openControl();
    service.receiveText({ from: PHONE, text: "Your code?" });
    const query = `messages?to=${encodeURIComponent("(206) 555-0123")}&text=code`;
    expect(await call("GET", query)).toEqual({ status: 200, body: [] });
    expect(await call("GET", `${query}&wait=20`)).toEqual({
      status: 408,
      body: { error: expect.stringContaining("no message matched within 20 ms"), errors: [] },
    });
    const waiting = call("GET", `${query}&wait=60000`);
    const direct = service.waitForMessage({ to: "(206) 555-0123", text: "code" });
    const bill = service.waitForMessage({ to: "(206) 555-0123", text: "bill" }, { timeout: 50 });
    const none = expect(bill).rejects.toMatchObject({ name: "TimeoutError" });
    const sent = { to: PHONE, text: "Your code is 17" };
    await rcsOf(service).sendRcsText({ ...rcsText, rcsPayload: { text: sent.text } });
    const { to: phone, ...rest } = sent;
    expect(await waiting).toMatchObject({ status: 200, body: [{ phone, ...rest, id: 2 }] });
    expect(await direct).toEqual(service.outbox[0]);
    expect(await service.waitForMessage({ to: PHONE })).toEqual(service.outbox[0]);
    await rcsOf(service).sendRcsText(rcsText);
    expect((await call("GET", `${query}&wait=0`)).body).toHaveLength(1);
    await none;
    const reason = new Error("enough");
    const late = service.waitForMessage(
      { to: "+12065550199" },
      { signal: AbortSignal.abort(reason) },
    );
    await expect(late).rejects.toBe(reason);
  });

  test("a caller that disconnects while it waits for a message leaves no listener, and the server can close", async () => {
    const { service, server, url } = await openControl();
    const stop = vi.fn();
    const subscribe = vi.spyOn(service, "subscribe").mockReturnValue(stop);
    const gone = new AbortController();
    const waiting = fetch(`${url}messages?text=x&wait=600000`, { signal: gone.signal });
    await expect.poll(() => subscribe.mock.calls).toHaveLength(1);
    gone.abort();
    await expect(waiting).rejects.toThrow();
    await expect.poll(() => stop.mock.calls).toHaveLength(1);
    await server.close();
  });

  test.each(["outbox", "messages", "requests", "webhooks"])(
    "GET /__fake/%s marks that records were dropped with the header truncated",
    async (path) => {
      const { service, url } = await openControl({ historyLimit: 2, webhooks: ({ text }) => text });
      const ask = async () => {
        const response = await fetch(url + path);
        return [(await response.json()).length, response.headers.get("truncated")];
      };
      const send = () => rcsOf(service).sendRcsText(rcsText);
      await Promise.all([send(), send()]);
      expect(await ask()).toEqual([2, null]);
      await send();
      expect(await ask()).toEqual([2, "true"]);
      service.reset();
      expect(await ask()).toEqual([0, null]);
    },
  );

  test.each([...["", "state", "events", "icon.svg", "../api/v2/accounts/me", "../"]])(
    "HEAD of %j responds as GET does, without a body",
    async (path) => {
      const { url } = await openControl();
      const get = new AbortController();
      const { status, headers } = await fetch(url + path, { signal: get.signal });
      get.abort();
      const head = await fetch(url + path, { method: "HEAD" });
      expect(head.status).toBe(status);
      expect(head.headers.get("content-type")).toBe(headers.get("content-type"));
      expect(await head.text()).toBe("");
    },
  );

  test("POST /__fake/texts sends a text from a phone and returns the messages in reply", async () => {
    const { service, call } = await openControl();
    service.addList({ keyword_names: ["VIP"], first_optin_message: "Welcome!" });
    const texts = await call("POST", "texts", { from: "(206) 555-0123", text: "vip" });
    expect(texts).toMatchObject({ status: 200, body: [{ to: PHONE, text: "Welcome!" }] });
    expect(service.lists[0]?.counts.subscribers).toBe(1);
  });

  test("PUT /__fake/phones/{PHONE} sets whether RCS and SMS reach a phone", async () => {
    const { service, call } = await openControl();
    const path = `phones/${encodeURIComponent("(206) 555-0123")}`;
    expect(await call("PUT", path, { rcsReachable: false })).toMatchObject({
      status: 200,
      body: { phoneNumber: PHONE, rcsReachable: false, smsReachable: true },
    });
    await rcsOf(service).sendRcsText(rcsText);
    expect(service.outbox).toMatchObject([{ channel: "sms", text: rcsText.smsFailover }]);
    await call("PUT", path, { rcsReachable: true, smsReachable: false });
    expect(service.phones).toMatchObject([{ rcsReachable: true, smsReachable: false }]);
  });
});

describe("POST /__fake/clock", () => {
  test("POST /__fake/clock moves the clock by a duration whose parts add up", async () => {
    const { call } = await openControl();
    const { status, body } = await call("POST", "clock", { days: 1, hours: 2, minutes: 3 });
    expect({ status, body }).toEqual({
      status: 200,
      body: { now: "2026-01-02T02:03:00.000Z", nextDueAt: null },
    });
  });

  test("POST /__fake/clock moves the clock until the next reminder, which is sent", async () => {
    const { service, call } = await openControl();
    await call("POST", "lists", newsList);
    service.receiveText({ from: PHONE, text: "news" });
    const both = { hours: 500, until: "next_due" };
    expect(await call("POST", "clock", both)).toEqual(invalid(["until"]));
    const { body } = await call("POST", "clock", { until: "next_due" });
    expect(body).toMatchObject({ now: "2026-01-02T00:00:00.000Z" });
    expect(service.outbox.at(-1)).toMatchObject({ text: "Still interested? Reply YES." });
  });

  test("POST /__fake/clock beyond the range of dates responds 400, moves nothing, and the fake continues", async () => {
    const { service, url, call } = await openControl();
    const events = new AbortController();
    onTestFinished(() => events.abort());
    await fetch(`${url}events`, { signal: events.signal });
    const refused = await call("POST", "clock", { days: 1e8 });
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ path: [], message: "the clock must not go beyond the year 9999" }] },
    });
    service.addList();
    expect((await call("GET", "state")).body).toMatchObject({ clock: { now: NEW_YEAR } });
  });
});

describe("faults of the control API", () => {
  test("POST /__fake/faults arms a failure for one endpoint, and the next request meets it", async () => {
    const { service, server, call } = await openControl();
    const fault = { status: 503, endpoint: "GET /api/v2/lists" };
    const armed = await call("POST", "faults", fault);
    expect(armed).toMatchObject({ status: 201, body: { ...fault, timesLeft: 1 } });
    const headers = { authorization: basic(service.account) };
    const statuses = [];
    for (let request = 0; request < 2; request += 1) {
      statuses.push((await fetch(`${server.v2BaseUrl}/api/v2/lists`, { headers })).status);
    }
    expect(statuses).toEqual([503, 200]);
    expect((await call("GET", "requests")).body).toMatchObject([
      { endpoint: "GET /api/v2/lists", status: 503, failure: "status" },
      { endpoint: "GET /api/v2/lists", status: 200, errors: [] },
    ]);
  });

  test("DELETE /__fake/faults disarms every failure", async () => {
    const { service, call } = await openControl();
    service.failNext({ status: 503 });
    service.failNext({ fault: "hang" });
    expect(await call("DELETE", "faults")).toEqual({ status: 204, body: undefined });
    expect(service.failures).toEqual([]);
  });

  test("DELETE /__fake/faults/{ID} disarms one failure", async () => {
    const { service, call } = await openControl();
    service.failNext({ status: 503 });
    const { id } = service.failNext({ fault: "hang" });
    expect((await call("DELETE", `faults/${id}`)).status).toBe(204);
    expect(service.failures).toMatchObject([{ status: 503 }]);
    expect(await call("DELETE", `faults/${id}`)).toEqual(invalid(["ID"]));
  });
});

describe("resources of the control API", () => {
  test("POST to the control API adds a list, a subscriber, a scheduled message and a report", async () => {
    const { service, server, call } = await openControl();
    const list = await call("POST", "lists", newsList);
    expect(list).toMatchObject({ status: 201, body: { name: "News", opt_in_type: "double" } });
    const { id } = list.body as { id: number };
    const subscriber = { list_id: id, phone_number: "206-555-0123" };
    expect(await call("POST", "subscribers", subscriber)).toMatchObject({
      status: 201,
      body: { phone_number: PHONE },
    });
    const message = { list_id: id, content: "Sale!" };
    expect(await call("POST", "scheduled_messages", message)).toMatchObject({
      status: 201,
      body: { content: "Sale!", status: "scheduled" },
    });
    expect(await call("POST", "reports", { total_rows: 3, minutes: 5 })).toMatchObject({
      status: 201,
      body: { total_rows: 3, percent_complete: 0 },
    });
    expect(await call("POST", "reports", { id: 7, minutes: 0 })).toMatchObject({
      body: { s3_url: `${server.v2BaseUrl}/reports/7.csv` },
    });
    expect(service.subscribersOf(id)).toHaveLength(1);
    expect(service.scheduledMessagesOf(id)).toHaveLength(1);
    expect(service.reports).toHaveLength(2);
  });

  test("DELETE /__fake/lists/{ID} removes a list with its keywords", async () => {
    const { service, call } = await openControl();
    const { id } = service.addList({ keyword_names: ["VIP"], first_optin_message: "Welcome!" });
    expect(await call("DELETE", `lists/${id}`)).toEqual({ status: 204, body: undefined });
    expect((await call("POST", "texts", { from: PHONE, text: "vip" })).body).toEqual([]);
    expect(await call("DELETE", `lists/${id}`)).toEqual(invalid(["ID"]));
  });

  test("POST /__fake/reset restores the initial state, or empties the service", async () => {
    const setUp = (service: { addList(list: object): unknown }) => service.addList({ name: "VIP" });
    const { service, call } = await openControl({ setUp });
    const namesAfter = async (body?: object) => {
      await call("POST", "lists", { name: "Other" });
      await call("POST", "texts", { from: PHONE, text: "hi" });
      expect(await call("POST", "reset", body)).toEqual({ status: 204, body: undefined });
      expect((await call("GET", "messages")).body).toEqual([]);
      return service.lists.map(({ name }) => name);
    };
    expect(await namesAfter({ empty: true })).toEqual([]);
    expect(await namesAfter({ empty: false })).toEqual(["VIP"]);
    expect(await namesAfter({ empty: true })).toEqual([]);
    expect(await namesAfter({})).toEqual(["VIP"]);
  });
});

describe("invalid input of the control API", () => {
  const cases: [call: string, body: unknown, ...paths: (string | number)[][]][] = [
    ["POST texts", { from: "555", txt: 1 }, ["from"], ["text"], ["txt"]],
    ["POST texts", { from: PHONE, text: "hi", list_id: 999 }, ["list_id"]],
    ["POST texts", "{ not JSON", []],
    ["POST texts", '{ "from": "(206) 555-0123", "text": "Zo\uFFFD" }', []],
    ["POST texts", "", ["from"], ["text"]],
    ["POST clock", { hours: -1 }, ["hours"]],
    ["POST clock", { hours: "2", weeks: 1 }, ["hours"], ["weeks"]],
    ["POST clock", '{ "days": 1e999 }', ["days"]],
    ["POST faults", {}, ["status"]],
    ["POST faults", { fault: "tired", endpoint: "GET /" }, ["fault"], ["endpoint"]],
    ["POST lists", { opt_in_requests: [{ collected_data: 1 }] }, ["opt_in_requests", 0]],
    [
      "POST lists",
      { opt_in_requests: [onlyStep, { ...onlyStep, opt_in_mesage: "Hi", message_help: "?" }] },
      ["opt_in_requests", 1, "opt_in_mesage"],
      ["opt_in_requests", 1, "message_help"],
    ],
    ["POST lists", { nam: "VIP" }, ["nam"]],
    ["POST subscribers", { phone_number: PHONE }, ["list_id"]],
    ["POST subscribers", { phone_number: PHONE, list_id: 999 }, ["list_id"]],
    [
      "POST subscribers",
      { list_id: 1, phone_number: "911", carrier: "1" },
      ["phone_number"],
      ["carrier"],
    ],
    ["POST lists", { id: 1 }, ["id"]],
    ["POST scheduled_messages", { list_id: 1, sent_at: "soon" }, ["sent_at"]],
    ["POST scheduled_messages", { list_id: 999 }, ["list_id"]],
    ["POST reports", { minutes: "ten" }, ["minutes"]],
    ["POST reset", { empty: "yes" }, ["empty"]],
    ["DELETE lists/7", undefined, ["ID"]],
    ["DELETE conversations/7", undefined, ["PHONE"]],
    ["POST faults", { refuse: { phoneNumber: 7 } }, ["refuse", "phoneNumber"]],
    ["POST faults", { refuse: { phoneNumber: "no" }, fault: "hang" }, ["status"]],
    ["POST faults", { status: 503, headers: { Trailer: "x" } }, ["headers"]],
    ["POST faults", { status: 503, delayMs: 1500 }, ["delayMs"]],
    ["POST faults", { fault: "dropped", headers: {}, body: 0 }, ["headers"], ["body"]],
    ["POST faults", { refuse: { name: "no" }, delayMs: 9, body: 0 }, ["delayMs"], ["body"]],
    ["POST clock", { until: "next_due" }, ["until"]],
    ["POST texts?dry=1", { from: PHONE, text: "hi" }, ["dry"]],
    ["GET state?full=1", undefined, ["full"]],
    ["GET outbox?form=206-555-0123", undefined, ["form"]],
    ["GET messages?wait=100", undefined, ["wait"]],
    ["GET messages?text=x&wait=600001", undefined, ["wait"]],
    ["PUT phones/555", { rcsReachable: true }, ["PHONE"]],
    ["PUT phones/+12065550123", { rcsReachable: "no" }, ["rcsReachable"]],
    ["DELETE faults/7", undefined, ["ID"]],
    ["DELETE faults", { id: 7 }, ["id"]],
    ["DELETE lists/1", [], []],
  ];
  test.each(cases)(
    "the control API responds 400 to invalid input and names each field: %s %j: %j",
    async (target, input, ...paths: (string | number)[][]) => {
      const { service, call } = await openControl();
      service.addList({ id: 1 });
      const [method = "", path = ""] = String(target).split(" ");
      const { status, body } = await call(method, path, input);
      expect(status).toBe(400);
      const { error, errors } = body as { error: string; errors: { path: unknown[] }[] };
      expect(error).toBe("Validation failed");
      const found = errors.map((problem) => problem.path);
      for (const expected of paths) {
        expect(found.map((known) => known.slice(0, expected.length))).toContainEqual(expected);
      }
      expect(errors).toEqual(
        errors.map(({ path: at }) => ({ path: at, message: expect.any(String) })),
      );
    },
  );

  test.each([
    [{ status: 503, fault: "hang" }, "status cannot be given with a fault"],
    [{ status: 503, phone: "1; phone: 2" }, "phone must be a valid U.S. or Canadian phone number"],
    [
      { status: 99, times: 0 },
      "status must be an integer from 200 to 599; times must be a positive integer",
    ],
  ])("the control API responds with the problems of the method's error: %j", async (body, text) => {
    const { service, call } = await openControl();
    const { body: response } = await call("POST", "faults", body);
    const { errors } = response as { errors: { path: string[]; message: string }[] };
    const sentences = errors.map(({ path, message }) => `${path.join(".")} ${message}`).join("; ");
    expect(sentences).toContain(text);
    expect(() => service.failNext(body as never)).toThrow(`failNext: ${sentences}`);
  });

  test("the control API responds 404 to an unknown call, and 405 with the right method to a wrong one", async () => {
    const { url, call } = await openControl();
    const error = expect.stringContaining("docs/control-api.md");
    expect(await call("GET", "nothing")).toMatchObject({
      status: 404,
      body: { error, errors: [] },
    });
    const response = await fetch(`${url}state`, { method: "POST" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"]);
  });

  test("the control API responds 413 to a body of more than 1 MiB, and changes nothing", async () => {
    const { service, call } = await openControl();
    const huge = { from: PHONE, text: "x".repeat(1_100_000) };
    expect(await call("POST", "texts", huge)).toMatchObject({ status: 413 });
    expect(service.phones).toEqual([]);
  });
});

describe("the options of listen()", () => {
  test("listen() serves neither inbox nor control API by default", async () => {
    const { listen } = await import("messaging-service-client/testing/node");
    const { service } = await openControl();
    const server = await listen(service);
    expect(server.inboxUrl).toBeUndefined();
    expect((await fetch(`${server.v2BaseUrl}/__fake/state`)).status).toBe(501);
    await server.close();
  });

  test("listen() redirects /__fake to the inbox", async () => {
    const { server } = await openControl();
    const response = await fetch(`${server.v2BaseUrl}/__fake`);
    expect([response.status, response.url]).toEqual([200, server.inboxUrl]);
  });
});
