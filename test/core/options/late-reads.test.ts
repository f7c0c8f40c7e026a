// A function reads its options when it is called. Afterwards, the caller may change or reuse them.
import { checkFile } from "messaging-service-client";
import {
  memoryLedger,
  previewMany,
  removeMany,
  sendMany,
  sendOnce,
} from "messaging-service-client/bulk";
import { traced } from "messaging-service-client/opentelemetry";
import { downloadReport } from "messaging-service-client/reports";
import { createFakeService } from "messaging-service-client/testing";
import { expect, test } from "vitest";
import { createFake, rcsFile, rcsOf, rcsText, v2Of } from "../../support/fakes/fake-service.ts";
import { onlyStep } from "../../support/fakes/opt-in-lists.ts";

/** Returns a function that wraps plain objects and arrays, and records late reads of them. */
const watchReads = () => {
  const late: string[] = [];
  let isLate = false;
  const watch = <T>(value: T, path = ""): T => {
    // A ledger is a service object, like a client, and is used throughout the call.
    if (path.endsWith(".ledger")) return value;
    const isPlain =
      Array.isArray(value) || Object.getPrototypeOf(Object(value)) === Object.prototype;
    if (typeof value !== "object" || value === null || !isPlain) return value;
    return new Proxy(value, {
      get: (target, name, receiver) => {
        const place = `${path}.${String(name)}`;
        if (isLate) late.push(place);
        return watch(Reflect.get(target, name, receiver), place);
      },
      ownKeys: (target) => {
        if (isLate) late.push(`${path}.*`);
        return Reflect.ownKeys(target);
      },
    });
  };
  const end = () => {
    isLate = true;
  };
  return { late, watch, end };
};
type Watch = ReturnType<typeof watchReads>["watch"];

const lists = Array.from({ length: 30 }, (_, index) => ({ id: index + 1, name: `List ${index}` }));
const subscriber = { phone_number: "+12065550123" };

const open = () => {
  const service = createFake();
  for (const list of lists) service.addList(list);
  service.addSubscriber(1, subscriber);
  const report = service.addReport({});
  return { service, report, v2: v2Of(service), rcs: rcsOf(service) };
};
type Service = ReturnType<typeof open>;

const callOptions = () => ({
  headers: { "x-trace": "7" },
  retry: { limit: 1, backoff: { initial: 0 } },
  signal: new AbortController().signal,
  onEvent: () => {},
  timeout: 5_000,
});
const batch = () => ({ batch: "monday", ledger: memoryLedger(), ...callOptions() });
const file =
  (type: string, body = "a,b\n") =>
  async () =>
    new Response(body, { headers: { "content-type": type } });

const rows: readonly (readonly [
  called: string,
  call: (service: Service, watch: Watch) => unknown,
])[] = [
  ["sendRcsText", ({ rcs }, watch) => rcs.sendRcsText(watch(rcsText), watch(callOptions()))],
  [
    "sendRcsFile",
    ({ rcs }, watch) =>
      rcs.sendRcsFile(watch(rcsFile), watch({ ...callOptions(), contentType: "application/pdf" })),
  ],
  [
    "request",
    ({ v2 }, watch) =>
      v2.request(
        watch({
          method: "GET",
          path: "/api/v2/lists/{ID}",
          params: { ID: 1 },
          query: { a: ["b"] },
        }),
        watch(callOptions()),
      ),
  ],
  [
    "lists.create",
    ({ v2 }, watch) =>
      v2.lists.create(watch({ name: "VIP", keyword_names: ["VIP"] }), watch(callOptions())),
  ],
  [
    "lists.configureOptIn",
    ({ v2 }, watch) =>
      v2.lists.configureOptIn(
        1,
        watch({ opt_in_type: "double", opt_in_requests_attributes: [onlyStep] }),
        watch(callOptions()),
      ),
  ],
  [
    "lists.list",
    ({ v2 }, watch) =>
      v2.lists.list(watch({ per_page: 10, page: 1 }), watch({ ...callOptions(), prefetch: true })),
  ],
  [
    "lists.list().toArray",
    ({ v2 }, watch) => v2.lists.list({ per_page: 10 }).toArray(watch({ limit: 25 })),
  ],
  [
    "scheduledMessages.list",
    ({ v2 }, watch) =>
      v2.scheduledMessages.list(1, watch({ start_date: "20260101" }), watch(callOptions())),
  ],
  [
    "subscribers.remove",
    ({ v2 }, watch) => v2.subscribers.remove(1, "+12065550123", watch(callOptions())),
  ],
  [
    "waitUntilFinished",
    ({ v2, report }, watch) =>
      v2.momtReports.waitUntilFinished(
        report.id,
        watch({ ...callOptions(), interval: 0, onProgress: () => {}, isFinished: () => true }),
      ),
  ],
  [
    "sendOnce",
    ({ rcs }, watch) =>
      sendOnce(rcs, watch(rcsText), watch({ ...batch(), key: "order-17", wait: 5 })),
  ],
  [
    "sendMany",
    ({ rcs }, watch) =>
      sendMany(
        rcs,
        watch(["+12065550123", "+14165550142"]),
        watch({ ...batch(), toMessage: (phoneNumber: string) => ({ ...rcsText, phoneNumber }) }),
      ),
  ],
  [
    "removeMany",
    ({ v2 }, watch) =>
      removeMany(v2, watch(["+12065550123"]), watch({ ...batch(), listId: 1, concurrency: 2 })),
  ],
  [
    "previewMany",
    (_, watch) =>
      previewMany(
        watch(["+12065550123"]),
        watch({ ...batch(), toMessage: (phoneNumber: string) => ({ ...rcsText, phoneNumber }) }),
      ),
  ],
  [
    "checkFile",
    (_, watch) =>
      checkFile(
        "https://example.com/menu.pdf",
        watch({ fetch: file("application/pdf"), timeout: 30_000 }),
      ),
  ],
  [
    "downloadReport",
    async (_, watch) => {
      const report = watch({ s3_url: "https://files.example.com/3.csv" });
      return downloadReport(report, watch({ fetch: file("text/csv"), retry: 1 }));
    },
  ],
  [
    "traced",
    (_, watch) => {
      const tracer = { startSpan: () => ({ end() {}, setAttribute() {}, setStatus() {} }) };
      const { fetch } = traced({
        ...watch({ propagate: true, fetch: file("text/csv") }),
        tracer,
      } as never);
      return () => fetch("https://example.com", { headers: {} });
    },
  ],
  [
    "createFakeService",
    (_, watch) => {
      const service = createFakeService(
        watch({
          account: { email: "owner@example.com" },
          rateLimit: { limit: 5, transactional: { limit: 5 } },
          latency: { min: 0 },
          webhooks: () => ({}),
        }) as never,
      );
      return () => service.reset();
    },
  ],
];

test.each(rows)("%s reads nothing of its arguments after it has returned", async (_, call) => {
  const { late, watch, end } = watchReads();
  const called = call(open(), watch);
  end();
  if (typeof called === "function") await called();
  else if (String(called) === "[object PagePromise]") {
    for await (const _ of called as AsyncIterable<unknown>);
  }
  await called;
  expect(late).toEqual([]);
});

test("a run keeps to the options and the items that it was given when the caller reuses both", async () => {
  const { service, v2 } = open();
  const [first, second] = ["+12065550123", "+14165550142"];
  service.addSubscriber(2, { phone_number: second });
  const ledger = memoryLedger();
  const options = { ledger, listId: 0, batch: "" };
  const phones: string[] = [];
  const runs = [];
  for (const [listId, phone] of [
    [1, first],
    [2, second],
  ] as const) {
    Object.assign(options, { listId, batch: `list ${listId}` });
    phones.splice(0, 1, phone);
    runs.push(removeMany(v2, phones, options));
  }
  expect(await Promise.all(runs)).toMatchObject([{ accepted: 1 }, { accepted: 1 }]);
  expect(await ledger.find("list 1", first)).toMatchObject({ state: "accepted" });
  expect(await ledger.find("list 2", second)).toMatchObject({ state: "accepted" });
});
