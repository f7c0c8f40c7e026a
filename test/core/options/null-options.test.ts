// Only `undefined` means that an option is not given; `null` is a malformed value.
import { type TracedOptions, traced } from "messaging-service-client/opentelemetry";
import { type DownloadOptions, downloadReport } from "messaging-service-client/reports";
import type {
  Duration,
  FakeService,
  FakeServiceOptions,
  LatencyOptions,
  NewAccount,
  NextFailure,
  RateLimits,
} from "messaging-service-client/testing";
import { type ListenOptions, listen } from "messaging-service-client/testing/node";
import { describe, expect, test } from "vitest";
import { createFake } from "../../support/fakes/fake-service.ts";
import { onlyStep } from "../../support/fakes/opt-in-lists.ts";

type NamesOf<Options> = Record<Options extends unknown ? keyof Options & string : never, 1>;

/** Returns the names of an interface's options. The compiler reports missing names. */
const namesOf = <Options>(names: NamesOf<Options>): string[] => Object.keys(names);

/** A function of the package, the names of its options, and a call with one option. */
type Row = readonly [called: string, names: readonly string[], call: (option: never) => unknown];

const openService = () => {
  const service = createFake();
  service.addList({ id: 10 });
  service.addReport({ id: 30 });
  return service;
};
const tracer = { startSpan: () => ({}) };
const text = { from: "+12065550123", text: "Hi" };
const report = { s3_url: "https://127.0.0.1/report.csv" } as never;
const account = namesOf<NewAccount>({ id: 1, email: 1, username: 1, apiKey: 1 });
const filter = { endpoint: 1, phone: 1, share: 1, seed: 1 } as const;
const effect = {
  times: 1,
  fault: 1,
  status: 1,
  delayMs: 1,
  headers: 1,
  body: 1,
  refuse: 1,
} as const;

const options: readonly Row[] = [
  [
    "listen",
    namesOf<ListenOptions>({
      ...{ port: 1, host: 1, inbox: 1, allowedHosts: 1, allowedOrigins: 1 },
      ...{ webhooksTo: 1, webhooksAnywhere: 1 },
    }),
    (option) => listen(createFake(), option),
  ],
  [
    "createFakeService",
    namesOf<FakeServiceOptions>({
      ...{ now: 1, rateLimit: 1, latency: 1, account: 1, ids: 1, setUp: 1, state: 1 },
      ...{ webhooks: 1, historyLimit: 1 },
    }),
    (option) => createFake(option),
  ],
  [
    "rateLimit of createFakeService",
    namesOf<RateLimits>({ limit: 1, interval: 1, transactional: 1 }),
    (rateLimit) => createFake({ rateLimit }),
  ],
  [
    "rateLimit.transactional of createFakeService",
    namesOf<Omit<RateLimits, "transactional">>({ limit: 1, interval: 1 }),
    (transactional) => createFake({ rateLimit: { transactional } }),
  ],
  [
    "latency of createFakeService",
    namesOf<LatencyOptions>({ min: 1, max: 1, ...filter }),
    (latency) => createFake({ latency }),
  ],
  ["account of createFakeService", account, (fields) => createFake({ account: fields })],
  ["addAccount", account, (fields) => createFake().addAccount(fields)],
  [
    "failNext",
    // The body of a response may be `null`, because that is valid JSON.
    namesOf<NextFailure>({ ...filter, ...effect }).filter((name) => name !== "body"),
    (option) => createFake().failNext({ status: 503, ...(option as object) }),
  ],
  [
    "receiveText",
    namesOf<Parameters<FakeService["receiveText"]>[0]>({ from: 1, text: 1, list_id: 1 }),
    (option) => createFake().receiveText({ ...text, ...(option as object) }),
  ],
  [
    "advance",
    namesOf<Duration>({ days: 1, hours: 1, minutes: 1, seconds: 1, milliseconds: 1 }),
    (option) => createFake().advance(option),
  ],
  [
    "reset",
    namesOf<Parameters<FakeService["reset"]>[0]>({ empty: 1 }),
    (option) => createFake().reset(option),
  ],
  [
    "hostFile",
    namesOf<Parameters<FakeService["hostFile"]>[1]>({ contentType: 1, size: 1 }),
    (option) =>
      createFake().hostFile("https://example.com/a", { contentType: "a/b", ...(option as object) }),
  ],
  [
    "traced",
    namesOf<TracedOptions>({ tracer: 1, meter: 1, propagate: 1, fetch: 1, onEvent: 1 }),
    (option) => traced({ tracer, ...(option as object) } as never),
  ],
  [
    "downloadReport",
    namesOf<DownloadOptions>({ signal: 1, onProgress: 1, stallTimeout: 1, retry: 1, fetch: 1 }),
    (option) => downloadReport(report, option),
  ],
];

/** Fields that the specification does not declare nullable, and fields that only the fake has. */
const fields: readonly Row[] = [
  [
    "addList",
    [
      ...["id", "name", "keyword_names", "opt_in_type", "opt_in_requests"],
      ...["bypass_opt_in_response", "deleted", "account_id"],
    ],
    (field) => createFake().addList(field),
  ],
  [
    "a step of addList",
    [
      ...["collected_data", "request_message", "retry_message", "follow_up"],
      ...["bypass_opt_in_response", "success_action"],
    ],
    (field) => createFake().addList({ opt_in_requests: [{ ...onlyStep, ...(field as object) }] }),
  ],
  [
    "addSubscriber",
    ["phone_number", "subscribed_at", "total_messages_received"],
    (field) => openService().addSubscriber(10, field),
  ],
  [
    "addScheduledMessage",
    ["id", "sent_at", "status", "is_broadcast", "recipient_count"],
    (field) => openService().addScheduledMessage(10, field),
  ],
  [
    "addReport",
    ["id", "account_id", "processed_rows", "percent_complete", "is_csv", "created_at"],
    (field) => createFake().addReport(field),
  ],
];

const call = createFake();
const arguments_: readonly Row[] = [
  ["failReport", ["runErrors"], () => openService().failReport(30, null)],
  ["clearFailures", ["id"], () => call.clearFailures(null as never)],
  ["subscribe", ["listener"], () => call.subscribe(null as never)],
  ["postWebhooks", ["post"], () => call.postWebhooks(null as never)],
  ["setRcsReachable", ["isReachable"], () => call.setRcsReachable(text.from, null as never)],
  ["setSmsReachable", ["isReachable"], () => call.setSmsReachable(text.from, null as never)],
];

/** Fields that an error names differently. */
const CALLED: Readonly<Record<string, string>> = { account_id: "account" };

describe.each([...options, ...fields, ...arguments_])("%s", (called, names, run) => {
  test.each(names)(`${called} throws a TypeError that names %s, if it is null`, async (name) => {
    const outcome = await Promise.resolve({ [name]: null })
      .then((option) => run(option as never))
      .then(
        () => "null passes as not given",
        (error) => error,
      );
    expect(outcome).toBeInstanceOf(TypeError);
    expect(outcome.message).toContain(CALLED[name] ?? name);
  });
});
