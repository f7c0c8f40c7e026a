import {
  type ItemResult,
  type Ledger,
  type LedgerState,
  memoryLedger,
  previewMany,
  type RcsMessage,
  type SendManyOptions,
  sendMany,
} from "messaging-service-client/bulk";
import { describe, expect, test } from "vitest";
import { agedLedger } from "../support/aged-ledger.ts";
import { createFake, rcsFile, rcsOf } from "../support/fakes/fake-service.ts";
import {
  BATCH,
  collect,
  failUnknownHost,
  HTML,
  inShort,
  messages,
  messageTo,
  phone,
  REFUSAL,
  SEND,
} from "./batches.ts";

const KEY = phone(1);

/** Bodies that resemble a documented refusal. */
const NO_REFUSALS = [
  ...[null, {}, { errors: [] }, { errors: "phoneNumber" }, { errors: ["phone"] }],
  ...[{ errors: [{ message: "no code and no path" }] }, { errors: [...REFUSAL.errors, "another"] }],
];

/** Sends one message in a batch with one item. */
const sendOne = async (
  service: ReturnType<typeof createFake>,
  ledger: Ledger,
  message: RcsMessage = messageTo(KEY),
  options: Partial<SendManyOptions<RcsMessage>> = {},
): Promise<ItemResult<RcsMessage>> => {
  const run = sendMany(rcsOf(service), [message], { batch: BATCH, ledger, ...options });
  const [result] = await collect(run);
  if (!result) throw new Error("there is no result");
  return result;
};

describe("the result of a send", () => {
  const endOf = async (failure: Parameters<ReturnType<typeof createFake>["failNext"]>[0]) => {
    const service = createFake();
    const ledger = memoryLedger();
    service.failNext({ ...failure, times: 9 });
    const result = await sendOne(service, ledger, undefined, { maxPause: 0 }).catch(() => {});
    return { result, entry: await ledger.find(BATCH, KEY), service };
  };

  test("the result of a send is accepted, with the service's transaction id", async () => {
    const service = createFake();
    const ledger = memoryLedger();
    const { transactionId, ...result } = await sendOne(service, ledger);
    expect(result).toEqual({ item: messageTo(KEY), key: KEY, state: "accepted" });
    expect(transactionId).toBe(service.outbox[0]?.transactionId);
    expect(await ledger.find(BATCH, KEY)).toMatchObject({ state: "accepted", transactionId });
  });

  test("the result of a send is accepted, with an error that describes the mismatch, if a response field has an undocumented type", async () => {
    const { result, entry, service } = await endOf({ fault: "drift" });
    expect(result).toMatchObject({ state: "accepted", error: { code: "response_validation" } });
    const { transactionId } = service.outbox[0] ?? {};
    expect(result?.transactionId).toBe(transactionId);
    expect(entry).toMatchObject({ state: "accepted", transactionId });
  });

  test.each([400, 422])(
    "the result of a send is rejected, and its key settled, after a documented %i",
    async (status) => {
      const { result, entry } = await endOf({ status, body: REFUSAL });
      expect(result).toMatchObject({ key: KEY, state: "rejected", error: { status } });
      expect(entry).toMatchObject({ state: "rejected", code: result?.error?.code });
    },
  );

  test.each([307, 308, 400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 422, 451])(
    "the result of a send is rejected, and its key left open, after an undocumented %i",
    async (status) => {
      const isDocumented = status === 400 || status === 422;
      const bodies = isDocumented ? NO_REFUSALS : [REFUSAL];
      for (const shape of [{}, HTML, ...bodies.map((body) => ({ body }))]) {
        const { result, entry } = await endOf({ status, ...shape });
        expect(result).toMatchObject({ state: "rejected", error: { status } });
        expect(entry).toMatchObject({ state: "open", code: result?.error?.code });
      }
    },
  );

  test.each([
    ...[301, 302, 303, 408, 500, 502, 503, 504].map((status) => ({ status })),
    ...(["dropped", "html", "truncated"] as const).map((fault) => ({ fault })),
  ])("the result of a send is unknown after %j", async (failure) => {
    const { result, entry } = await endOf(failure);
    expect(result).toMatchObject({ state: "unknown", error: { outcome: "unknown" } });
    expect(entry?.state).toBe("unknown");
  });

  test("the result of a send is not_sent, and its key left open, if no connection was made", async () => {
    const ledger = memoryLedger();
    const rcs = rcsOf(createFake(), { fetch: async (address) => failUnknownHost(address) });
    const [result] = await collect(sendMany(rcs, [messageTo(KEY)], { batch: BATCH, ledger }));
    expect(result).toMatchObject({ state: "not_sent", error: { code: "connection" } });
    expect(await ledger.find(BATCH, KEY)).toMatchObject({ state: "open", code: "connection" });
  });

  test("the result of a send is invalid, and the ledger not called, if the message breaks a rule", async () => {
    const service = createFake();
    const calls: string[] = [];
    const ledger = new Proxy(memoryLedger(), {
      get: (target, name) => {
        calls.push(String(name));
        return Reflect.get(target, name);
      },
    });
    const invalid = { ...messageTo("555 123 4567"), smsFailover: "It’s ready" };
    const result = await sendOne(service, ledger, invalid);
    expect(result).toMatchObject({
      ...{ state: "invalid", error: { code: "validation", endpoint: SEND } },
    });
    expect(Object(result.error).errors).toHaveLength(2);
    expect(result).not.toHaveProperty("key");
    calls.length = 0;
    const keyed = await sendOne(service, ledger, invalid, { keyOf: () => "guest-1" });
    expect(keyed).toMatchObject({ key: "guest-1", state: "invalid" });
    // The run only checks that the ledger has these methods. It calls none of them.
    expect(calls.toSorted()).toEqual(["claim", "find", "settle"]);
    expect(await ledger.counts(BATCH)).toMatchObject({ open: 0, rejected: 0 });
    expect(service.requests).toEqual([]);
  });
});

describe("the key of an invalid item", () => {
  test.each([
    ["a valid phone", { ...messageTo("(206) 200-0001"), smsFailover: "" }, KEY],
    ["a phone that breaks the rule", messageTo("555 123 4567"), undefined],
    ["no phone", { smsFailover: "Hi" }, undefined],
    ["no message", null, undefined],
  ])(
    "the key of an invalid item with %s is its phone number if that is valid, unless keyOf returns a key",
    async (_, message, key) => {
      const result = await sendOne(createFake(), memoryLedger(), message as RcsMessage);
      expect([result.state, result.key]).toEqual(["invalid", key]);
      const keyed = { keyOf: () => "guest-1" };
      const own = await sendOne(createFake(), memoryLedger(), message as RcsMessage, keyed);
      expect([own.state, own.key]).toEqual(["invalid", "guest-1"]);
    },
  );
});

describe("an item whose key is in the ledger", () => {
  const known = async (
    state: LedgerState,
    { digest, transactionId }: { digest?: string; transactionId?: string } = {},
  ) => {
    const service = createFake();
    const ledger = memoryLedger();
    const probe = memoryLedger();
    await sendOne(createFake(), probe);
    const entry = await probe.find(BATCH, KEY);
    if (!entry) throw new Error("there is no entry");
    const claim = { ...entry, digest: digest ?? entry.digest };
    await ledger.claim(claim);
    if (state !== "sending") {
      await ledger.settle(claim, { state, transactionId });
    }
    // The claim is too old for a run to wait for its result.
    const result = await sendOne(service, agedLedger(ledger));
    return { result, sent: service.outbox.length, entry: await ledger.find(BATCH, KEY) };
  };

  test.each<
    [LedgerState, { digest?: string; transactionId?: string }, end: string, isSent: boolean]
  >([
    ["accepted", { transactionId: "t-1" }, "accepted_before", false],
    ["accepted", { transactionId: "t-1", digest: "other" }, "changed", false],
    ["rejected", {}, "rejected_before", false],
    ["rejected", { digest: "other" }, "accepted", true],
    ["sending", {}, "in_doubt", false],
    ["unknown", {}, "in_doubt", false],
    ["open", {}, "accepted", true],
    ["open", { digest: "other" }, "accepted", true],
  ])("an item whose key is %s in the ledger (%o) ends as %s", async (state, found, end, isSent) => {
    const { result, sent, entry } = await known(state, found);
    expect([inShort(result), sent]).toEqual([end, Number(isSent)]);
    if (isSent) return;
    const { transactionId } = found;
    expect(result).toEqual({
      ...{ item: messageTo(KEY), key: KEY, state: "skipped", reason: end, transactionId },
      at: end === "in_doubt" ? entry?.at : undefined,
    });
    expect(entry?.state).toBe(state);
  });
});

describe("two items of a run with the same key", () => {
  const same = messageTo(KEY);
  const other = { ...same, smsFailover: "Other" };
  const refusal = { status: 422, body: REFUSAL };
  type Failure = Parameters<ReturnType<typeof createFake>["failNext"]>[0];

  test.each<[string, RcsMessage, Failure | undefined, ends: string[], sends: number]>([
    ["an accepted send", same, undefined, ["accepted", "duplicate"], 1],
    [
      "one to it as (206) 200-0001",
      messageTo("(206) 200-0001"),
      undefined,
      ["accepted", "duplicate"],
      1,
    ],
    ["an accepted send of other content", other, undefined, ["accepted", "duplicate"], 1],
    ["a documented refusal of its content", same, refusal, ["duplicate", "rejected"], 0],
    ["a documented refusal of other content", other, refusal, ["duplicate", "rejected"], 0],
    ["another refusal", same, { status: 413, ...HTML }, ["accepted", "rejected"], 1],
    ["an unknown outcome", same, { status: 503 }, ["duplicate", "unknown"], 0],
    ["an unknown outcome of other content", other, { status: 503 }, ["duplicate", "unknown"], 0],
  ])(
    "the second item with a key has the right result after %s",
    async (_, second, failure, ends, sends) => {
      for (const concurrency of [1, 4]) {
        const service = createFake();
        if (failure) service.failNext({ ...failure, endpoint: SEND });
        const options = { batch: BATCH, ledger: memoryLedger(), concurrency };
        const results = await collect(sendMany(rcsOf(service), [same, second], options));
        expect([results.map(inShort).toSorted(), service.outbox.length]).toEqual([ends, sends]);
      }
    },
  );
});

describe("a run that is repeated, whose rows share a key", () => {
  const rows = (...texts: readonly string[]) =>
    texts.map((smsFailover) => ({ ...messageTo(KEY), smsFailover }));
  const NONE = { acceptedBefore: 0, rejectedBefore: 0, duplicate: 0, changed: 0, inDoubt: 0 };
  type Failure = Parameters<ReturnType<typeof createFake>["failNext"]>[0];

  test.each<[string, Failure | undefined, string[], string[], string[]]>([
    [
      "was accepted",
      undefined,
      ["A", "B"],
      ["accepted", "duplicate"],
      ["accepted_before", "duplicate"],
    ],
    [
      "was accepted, with three rows",
      undefined,
      ["A", "A", "B"],
      ["accepted", "duplicate", "duplicate"],
      ["accepted_before", "duplicate", "duplicate"],
    ],
    [
      "was refused",
      { status: 422, body: REFUSAL },
      ["A", "B"],
      ["rejected", "duplicate"],
      ["rejected_before", "duplicate"],
    ],
    [
      "is in doubt",
      { status: 503 },
      ["A", "B"],
      ["unknown", "duplicate"],
      ["in_doubt", "duplicate"],
    ],
    [
      "was left open",
      { status: 413 },
      ["A", "B"],
      ["rejected", "accepted"],
      ["changed", "duplicate"],
    ],
  ])(
    "the second row with a key is reported as a duplicate if the first row %s",
    async (_, failure, texts, first, second) => {
      for (const concurrency of [1, 4]) {
        const service = createFake();
        if (failure) service.failNext({ ...failure, endpoint: SEND });
        const options = { batch: BATCH, ledger: memoryLedger(), concurrency };
        const run = () => sendMany(rcsOf(service), rows(...texts), options);
        expect((await collect(run())).map(inShort)).toEqual(first);
        const sent = service.outbox.length;
        for (let again = 0; again < 2; again += 1) {
          const preview = await previewMany(rows(...texts), options);
          const repeated = run();
          expect((await collect(repeated)).map(inShort)).toEqual(second);
          const { skippedBy, inDoubt } = await repeated;
          expect(preview).toMatchObject({ skippedBy, inDoubt, sendable: 0 });
          expect(preview.duplicateItems.map(({ index }) => index)).toEqual(
            texts.map((__, index) => index).slice(1),
          );
        }
        expect(service.outbox).toHaveLength(sent);
      }
    },
  );

  test("the exit code in the guide is 0 for a file with two rows of one phone number, however often it is run", async () => {
    const service = createFake();
    const options = { batch: BATCH, ledger: memoryLedger() };
    for (let time = 0; time < 3; time += 1) {
      const summary = await sendMany(rcsOf(service), rows("A", "B"), options);
      const { invalid, rejected, notSent, inDoubt, skippedBy, stopped } = summary;
      expect(invalid + rejected + notSent + inDoubt + skippedBy.changed).toBe(0);
      expect(stopped).toBeUndefined();
      expect(skippedBy).toMatchObject({ ...NONE, duplicate: 1, acceptedBefore: Number(time > 0) });
    }
    expect(service.outbox).toHaveLength(1);
  });

  test("a second row with a key is tried, or stays excluded, if the first is invalid, excluded or was not sent", async () => {
    const service = createFake();
    const ledger = memoryLedger();
    await sendMany(rcsOf(service), rows("A"), { batch: BATCH, ledger });
    const items = [...rows("", "A"), ...rows("B")];
    const options = { batch: BATCH, ledger, concurrency: 1, keyOf: () => KEY };
    const run = sendMany(rcsOf(service), items, options);
    expect((await collect(run)).map(inShort)).toEqual(["invalid", "accepted_before", "duplicate"]);
    const excluding = { batch: "another", ledger, concurrency: 1, skip: () => "opted out" };
    const excluded = sendMany(rcsOf(service), rows("A", "B"), excluding);
    expect((await collect(excluded)).map(inShort)).toEqual(["excluded", "excluded"]);
  });

  test("a run that is repeated reports why if every row is changed, or a duplicate of a changed row", async () => {
    const ledger = memoryLedger();
    const options = { batch: BATCH, ledger };
    await sendMany(rcsOf(createFake()), rows("January"), options);
    const summary = await sendMany(rcsOf(createFake()), rows("February", "February"), options);
    expect(summary).toMatchObject({
      skippedBy: { changed: 1, duplicate: 1 },
      error: { code: "ledger", reason: "changed" },
    });
  });
});

describe("skip", () => {
  test("skip excludes an item with its note and is not called for settled keys", async () => {
    const service = createFake();
    const ledger = memoryLedger();
    const asked: unknown[] = [];
    const skip = async (message: RcsMessage) => {
      asked.push(message.phoneNumber);
      return message.phoneNumber === phone(2) ? "opted out" : "";
    };
    const items = [1, 2].map((n) => messageTo(phone(n)));
    const options = { batch: BATCH, ledger, concurrency: 1, skip };
    const results = await collect(sendMany(rcsOf(service), items, options));
    expect(results.map(inShort)).toEqual(["accepted", "excluded"]);
    expect(results[1]).toMatchObject({ state: "skipped", note: "opted out" });
    expect(await ledger.find(BATCH, phone(2))).toBeUndefined();
    await sendMany(rcsOf(service), items, options);
    expect(asked).toEqual([phone(1), phone(2), phone(2)]);
  });

  test.each([1, 4])(
    "skip also excludes later items with the key of an excluded item (concurrency %i)",
    async (concurrency) => {
      const service = createFake();
      const ledger = memoryLedger();
      const rows = [
        { phone: KEY, optedOut: true },
        { phone: "(206) 200-0001", optedOut: false },
        { phone: phone(2), optedOut: false },
        { phone: KEY, optedOut: false },
      ];
      const run = sendMany(rcsOf(service), rows, {
        ...{ batch: BATCH, ledger, concurrency },
        toMessage: (row) => messageTo(row.phone),
        skip: ({ optedOut }) => optedOut && "opted out",
      });
      const results = await collect(run);
      const excluded = results.filter(({ reason }) => reason === "excluded");
      expect(excluded.map(({ key, note }) => [key, note])).toEqual(
        Array(3).fill([KEY, "opted out"]),
      );
      expect(service.outbox.map(({ to }) => to)).toEqual([phone(2)]);
      expect(await run).toMatchObject({ skipped: 3, skippedBy: { excluded: 3 } });
    },
  );
});

describe("a file in a batch", () => {
  test("a file in a batch is sent as a file; its content type is checked and not sent", async () => {
    const service = createFake();
    const url = "https://example.com/file.docx";
    const file = { ...rcsFile, rcsPayload: { file: { url } } };
    const send = (contentType: string) =>
      sendOne(service, memoryLedger(), file, { contentTypeOf: () => contentType });
    expect(inShort(await send("application/pdf"))).toBe("accepted");
    expect(service.outbox[0]).toMatchObject({ file: url });
    expect(service.requests[0]?.body).toEqual(file);
    const refused = await send("text/html");
    expect(refused.error).toMatchObject({ errors: [{ path: ["contentType"] }] });
  });
});

describe("the digest of a message", () => {
  const second = async (message: RcsMessage) => {
    const service = createFake();
    const ledger = memoryLedger();
    await sendOne(service, ledger);
    return inShort(await sendOne(service, ledger, message, { keyOf: () => KEY }));
  };

  test("the digest of a message does not depend on the order of its keys or the format of its phone", async () => {
    const { smsFailover, rcsPayload, webhookUrl } = messageTo(KEY);
    const reordered = { smsFailover, rcsPayload, webhookUrl, phoneNumber: "206-200-0001" };
    expect(await second(reordered as RcsMessage)).toBe("accepted_before");
  });

  test.each([
    { smsFailover: "Other" },
    { webhookUrl: "https://example.com/other" },
    { phoneNumber: phone(2) },
    { rcsPayload: { text: "Other" } },
    { rcsPayload: rcsFile.rcsPayload },
  ])("the digest of a message changes with %j", async (changed) => {
    expect(await second({ ...messageTo(KEY), ...changed } as RcsMessage)).toBe("changed");
  });

  test("the digest of a message excludes the ref, wherever the message contains it", async () => {
    const service = createFake();
    const ledger = memoryLedger();
    const options = {
      batch: BATCH,
      ledger,
      toMessage: (_: number, { ref }: { ref: string }) => ({
        ...messageTo(KEY),
        webhookUrl: `https://example.com/${ref}?again=${ref}`,
      }),
    };
    await sendMany(rcsOf(service), [1], options);
    const [again] = await collect(sendMany(rcsOf(service), [1], options));
    expect(again && inShort(again)).toBe("accepted_before");
  });

  test("the digest of a message describes it as it was sent, whatever changes later", async () => {
    const service = createFake();
    const ledger = memoryLedger();
    const message = { ...messageTo(KEY), smsFailover: "Before" };
    const skip = () => void Object.assign(message, { smsFailover: "After" });
    await sendOne(service, ledger, message, { skip });
    expect(service.requests[0]?.body).toMatchObject({ smsFailover: "Before" });
  });
});

describe("`validateRequests: false` in a run", () => {
  test("`validateRequests: false` sends a message unchanged; its key is the phone number, in E.164 if it is valid", async () => {
    const service = createFake();
    const ledger = memoryLedger();
    const options = { validateRequests: false };
    const odd = await sendOne(service, ledger, messageTo("(206) 200-0001"), options);
    expect(odd.key).toBe(KEY);
    expect(service.requests[0]?.body).toMatchObject({ phoneNumber: "(206) 200-0001" });
    const foreign = await sendOne(service, ledger, messageTo("+44 20 7946 0958"), options);
    expect(foreign).toMatchObject({ key: "+44 20 7946 0958", state: "rejected" });
  });

  test("`validateRequests: false` of the client applies to runs, and the option of a run overrides it", async () => {
    const service = createFake();
    const rcs = rcsOf(service, { validateRequests: false });
    const options = { batch: BATCH, ledger: memoryLedger() };
    const odd = { ...messageTo(phone(1)), smsFailover: "It’s ready" };
    await sendMany(rcs, [odd], options);
    expect(service.requests[0]?.body).toMatchObject({ smsFailover: "It’s ready" });
    const strict = { ...options, batch: "strict", validateRequests: true };
    expect(await sendMany(rcs, [odd], strict)).toMatchObject({ invalid: 1 });
    expect(service.requests).toHaveLength(1);
  });

  test.each([[Object(5)], [messageTo("1\0")], [messageTo("1".repeat(1_025))]])(
    "`validateRequests: false` does not send %o, whose phone number cannot be a key",
    async (message) => {
      const options = { validateRequests: false };
      expect(await sendOne(createFake(), memoryLedger(), message, options)).toMatchObject({
        state: "invalid",
        error: {
          endpoint: SEND,
          errors: [{ path: ["phoneNumber"], message: expect.stringMatching(/1 to 1024 bytes/) }],
        },
      });
    },
  );
});

describe("a run that reaches nobody", () => {
  const people = messages(3);
  const changed = people.map((message) => ({ ...message, smsFailover: "February" }));
  const invalid = people.map((message) => ({ ...message, phoneNumber: "no phone" }));

  test.each([
    ["changed", changed, { code: "ledger", reason: "changed" }],
    ["invalid", invalid, { code: "validation" }],
  ] as const)(
    "a run that reaches nobody reports why if every item is %s",
    async (state, items, error) => {
      const ledger = memoryLedger();
      const rcs = rcsOf(createFake());
      const options = { ledger, batch: BATCH };
      await sendMany(rcs, people, options);
      const summary = await sendMany(rcs, items, options);
      expect(summary).toMatchObject({ done: 3, accepted: 0, error });
      expect(summary).not.toHaveProperty("stopped");
      const some = await sendMany(rcs, [...items, ...messages(1, 7)], options);
      expect(some, state).not.toHaveProperty("error");
    },
  );

  test("a run that its caller stops after an invalid item has no error", async () => {
    const controller = new AbortController();
    function* items() {
      yield* invalid.slice(0, 1);
      controller.abort();
      yield* people;
    }
    const options = { ledger: memoryLedger(), batch: BATCH, stop: controller.signal };
    const summary = await sendMany(rcsOf(createFake()), items(), options);
    expect(summary).toMatchObject({ invalid: 1, accepted: 0, stopped: "signal" });
    expect(summary).not.toHaveProperty("error");
  });

  test("two rows with one phone number whose result is unknown count as one person in doubt", async () => {
    const service = createFake();
    service.failNext({ fault: "dropped" });
    const rows = [...messages(1), ...messages(1)];
    const summary = await sendMany(rcsOf(service), rows, { ledger: memoryLedger(), batch: BATCH });
    expect(summary).toMatchObject({ done: 2, unknown: 1, inDoubt: 1 });
  });
});
