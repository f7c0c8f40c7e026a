// Inputs that reuse one object for every item, as parsers and cursors do.
import {
  memoryLedger,
  previewMany,
  type RunOptions,
  removeMany,
  sendMany,
} from "messaging-service-client/bulk";
import { describe, expect, test } from "vitest";
import { keepTickBusy } from "../support/busy-tick.ts";
import { createFake, rcsOf, rcsText, v2Of } from "../support/fakes/fake-service.ts";
import { BATCH, collect, messageTo, phone } from "./batches.ts";

interface Row {
  n: number;
  phone: string;
  nested: { name: string };
}

const COUNT = 30;
const NUMBERS = Array.from({ length: COUNT }, (_, n) => n);
const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));
const fill = (row: Row, n: number): Row => Object.assign(row, { n, phone: phone(n) });
const newRow = (): Row => ({ n: -1, phone: "", nested: { name: "" } });

const INPUTS = {
  *"a generator"() {
    const row = newRow();
    for (const n of NUMBERS) yield fill(row, n);
  },
  async *"an async generator"() {
    const row = newRow();
    for (const n of NUMBERS) yield fill(row, n);
  },
  async *"an async generator that waits"() {
    const row = newRow();
    for (const n of NUMBERS) {
      if (n % 7 === 3) await pause(2);
      yield fill(row, n);
      row.nested.name = "";
    }
  },
} as const;

const message = (row: Row) => ({
  ...rcsText,
  phoneNumber: row.phone,
  rcsPayload: { text: `Guest ${row.n}` },
});

const MAKERS = {
  "a toMessage": (row: Row) => message(row),
  "a toMessage after which the event loop needs a turn": (row: Row) => {
    keepTickBusy(row.n < 2 ? 6 : 0);
    return message(row);
  },
  "an async toMessage": async (row: Row) => {
    const { phoneNumber } = message(row);
    await pause();
    // The row still describes this guest.
    expect(row.phone).toBe(phoneNumber);
    return message(row);
  },
} as const;

const run = (
  items: Iterable<Row> | AsyncIterable<Row>,
  toMessage: (row: Row) => ReturnType<typeof message> | Promise<ReturnType<typeof message>>,
  options: Partial<RunOptions<Row>> = {},
) => {
  const service = createFake();
  const ledger = memoryLedger();
  const sending = sendMany(rcsOf(service), items, { batch: BATCH, ledger, toMessage, ...options });
  return { service, ledger, sending };
};

describe.each([1, 4, 9])("with %i items under way", (concurrency) => {
  describe.each(Object.keys(INPUTS) as (keyof typeof INPUTS)[])("%s", (input) => {
    test.each(Object.keys(MAKERS) as (keyof typeof MAKERS)[])(
      "each guest receives the guest's own text once if rows are reused, with %s",
      async (maker) => {
        const { service, sending } = run(INPUTS[input](), MAKERS[maker], { concurrency });
        const results = await collect(sending);
        const sent = service.outbox.map(({ to, text }) => [to, text]);
        expect(sent.toSorted()).toEqual(NUMBERS.map((n) => [phone(n), `Guest ${n}`]).toSorted());
        // The results describe the guests, too.
        expect(results.map(({ key }) => key).toSorted()).toEqual(NUMBERS.map(phone));
        for (const { item, key } of results) expect(item.phone).toBe(key);
      },
    );

    test("skip excludes the right guests if rows are reused", async () => {
      const asked: string[] = [];
      const { service, sending } = run(INPUTS[input](), MAKERS["a toMessage"], {
        concurrency,
        skip: async ({ phone: asking, n }) => {
          asked.push(asking);
          await pause();
          return n % 3 === 0 && "opted out";
        },
      });
      const results = await collect(sending);
      const excluded = results.filter(({ reason }) => reason === "excluded");
      const expected = NUMBERS.filter((n) => n % 3 === 0).map(phone);
      expect(excluded.map(({ key }) => key).toSorted()).toEqual(expected);
      expect(asked.toSorted()).toEqual(NUMBERS.map(phone));
      const sent = service.outbox.map(({ to }) => to);
      expect(sent.toSorted()).toEqual(NUMBERS.filter((n) => n % 3 !== 0).map(phone));
    });
  });
});

test.each(Object.keys(INPUTS) as (keyof typeof INPUTS)[])(
  "previewMany counts reused rows like a run does: %s",
  async (input) => {
    const skip = ({ n }: Row) => n % 3 === 0 && "opted out";
    const preview = await previewMany<Row>(INPUTS[input](), {
      toMessage: MAKERS["an async toMessage"],
      skip,
    });
    expect(preview).toMatchObject({ items: COUNT, sendable: 20, skippedBy: { excluded: 10 } });
    expect(preview.duplicateItems).toEqual([]);
  },
);

test.each(Object.keys(INPUTS) as (keyof typeof INPUTS)[])(
  "the rows of a preview keep each item of a reused object: %s",
  async (input) => {
    const numbersOf = (rows: readonly { item: Row }[]) => rows.map(({ item }) => item.n);
    const toMessage = (row: Row) => ({ ...message(row), smsFailover: row.n % 2 === 0 ? "" : "Hi" });
    const keyOf = ({ n }: Row) => String(Math.floor(n / 4));
    const preview = await previewMany<Row>(INPUTS[input](), { toMessage, keyOf });
    expect(numbersOf(preview.invalidItems)).toEqual(NUMBERS.filter((n) => n % 2 === 0));
    expect(numbersOf(preview.duplicateItems)).toEqual(NUMBERS.filter((n) => n % 4 === 3));
  },
);

test("an object that is yielded for every message is sent as it was at each turn", async () => {
  const service = createFake();
  function* items() {
    const one = messageTo("");
    for (const n of NUMBERS) yield Object.assign(one, { phoneNumber: phone(n) });
  }
  const options = { batch: BATCH, ledger: memoryLedger() };
  expect(await sendMany(rcsOf(service), items(), options)).toMatchObject({ accepted: COUNT });
  expect(service.outbox.map(({ to }) => to).toSorted()).toEqual(NUMBERS.map(phone));
});

test("an item that an input yields once is the same object in its result and in skip", async () => {
  const rows = NUMBERS.map((n) => fill(newRow(), n));
  const optedOut = new Set(rows.filter(({ n }) => n % 2 === 0));
  const { sending } = run(rows, MAKERS["a toMessage"], {
    skip: (row) => optedOut.has(row) && "opted out",
  });
  const results = await collect(sending);
  expect(new Set(results.map(({ item }) => item))).toEqual(new Set(rows));
  for (const { item } of results) expect(rows.indexOf(item)).toBeGreaterThanOrEqual(0);
  expect(results.filter(({ reason }) => reason === "excluded")).toHaveLength(15);
});

test("skip receives a row as it is at its turn", async () => {
  const rows = NUMBERS.map((n) => fill(newRow(), n));
  const { service, sending } = run(rows, MAKERS["a toMessage"], {
    concurrency: 1,
    skip: ({ n }) => {
      for (const row of rows) if (row.n !== n) row.nested.name = "opted out";
      return rows[n]?.nested.name;
    },
  });
  expect(await sending).toMatchObject({ accepted: 1, skippedBy: { excluded: 29 } });
  expect(service.outbox.map(({ to }) => to)).toEqual([phone(0)]);
});

test("removeMany removes each phone of a generator that reuses its object", async () => {
  const service = createFake();
  const { id: listId } = service.addList();
  for (const n of NUMBERS) service.addSubscriber(listId, { phone_number: phone(n) });
  const v2 = v2Of(service, { responseValidation: "warn" });
  const phones = NUMBERS.map(phone).values();
  const options = { listId, batch: BATCH, ledger: memoryLedger() };
  expect(await removeMany(v2, phones, options)).toMatchObject({ accepted: COUNT });
});
