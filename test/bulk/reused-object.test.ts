// Inputs that reuse one object for every item, as parsers and cursors do. `skip` and the results could refer to the wrong
// person.
import {
  memoryLedger,
  previewMany,
  type RunOptions,
  sendMany,
} from "messaging-service-client/bulk";
import { describe, expect, test } from "vitest";
import { createFake, rcsOf, rcsText } from "../support/fakes/fake-service.ts";
import { BATCH, collect, phone } from "./batches.ts";

interface Row {
  n: number;
  phone: string;
  nested: { name: string };
}

const COUNT = 30;
const NUMBERS = Array.from({ length: COUNT }, (_, n) => n);
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
} as const;

const toMessage = (row: Row) => ({
  ...rcsText,
  phoneNumber: row.phone,
  rcsPayload: { text: `Guest ${row.n}` },
});

const run = (items: Iterable<Row> | AsyncIterable<Row>, options: Partial<RunOptions<Row>> = {}) => {
  const service = createFake();
  const ledger = memoryLedger();
  const sending = sendMany(rcsOf(service), items, { batch: BATCH, ledger, toMessage, ...options });
  return { service, ledger, sending };
};

const REFUSAL = "the input yielded the same object again at index 1: yield a copy of each item";

test.each(Object.keys(INPUTS) as (keyof typeof INPUTS)[])(
  "%s that reuses its object is refused at its second item, by a run and by a preview",
  async (input) => {
    const { service, ledger, sending } = run(INPUTS[input]());
    await expect(sending).rejects.toThrow(REFUSAL);
    // The first guest's message was made before the second item was read.
    for (const { to, text } of service.outbox) expect([to, text]).toEqual([phone(0), "Guest 0"]);
    expect(await ledger.counts(BATCH)).toMatchObject({ sending: 0, unknown: 0 });
    await expect(previewMany<Row>(INPUTS[input](), { toMessage })).rejects.toThrow(REFUSAL);
  },
);

test("an array may contain one object twice, because nothing changes it between two reads", async () => {
  const row = fill(newRow(), 1);
  expect(await run([row, row]).sending).toMatchObject({ accepted: 1, skippedBy: { duplicate: 1 } });
});

test("an item that an input yields once is the same object in its result and in skip", async () => {
  const rows = NUMBERS.map((n) => fill(newRow(), n));
  const optedOut = new Set(rows.filter(({ n }) => n % 2 === 0));
  const { sending } = run(rows, {
    skip: (row) => optedOut.has(row) && "opted out",
  });
  const results = await collect(sending);
  expect(new Set(results.map(({ item }) => item))).toEqual(new Set(rows));
  for (const { item } of results) expect(rows.indexOf(item)).toBeGreaterThanOrEqual(0);
  expect(results.filter(({ reason }) => reason === "excluded")).toHaveLength(15);
});

test("skip receives a row as it is at its turn", async () => {
  const rows = NUMBERS.map((n) => fill(newRow(), n));
  const { service, sending } = run(rows, {
    concurrency: 1,
    skip: ({ n }) => {
      for (const row of rows) if (row.n !== n) row.nested.name = "opted out";
      return rows[n]?.nested.name;
    },
  });
  expect(await sending).toMatchObject({ accepted: 1, skippedBy: { excluded: 29 } });
  expect(service.outbox.map(({ to }) => to)).toEqual([phone(0)]);
});

describe("a pool of objects", () => {
  /** Yields the objects of a pool in rotation. */
  async function* pool(size: number): AsyncGenerator<Row> {
    const rows = Array.from({ length: size }, newRow);
    for (const n of NUMBERS) {
      yield fill(rows[n % size] as Row, n);
    }
  }
  const slowly = async (row: Row) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return toMessage(row);
  };

  test.each([2, 3])(
    "an input that yields the objects of a pool of %i is refused when one of them is under way",
    async (size) => {
      const service = createFake();
      const rcs = rcsOf(service, { throttle: { limit: 1, interval: 30 } });
      const options = {
        batch: BATCH,
        ledger: memoryLedger(),
        toMessage: slowly,
        skip: ({ n }: Row) => n === size && "opted out",
      };
      const again =
        /^the input yielded the same object again at index \d+: yield a copy of each item$/;
      await expect(sendMany(rcs, pool(size), options)).rejects.toThrow(again);
      for (const { to, text } of service.outbox) {
        const n = Number(text?.split(" ")[1]);
        expect([to, n !== size]).toEqual([phone(n), true]);
      }
    },
  );

  test("an input may yield an object again when its item has ended, unless it is the latest", async () => {
    const service = createFake();
    const options = { batch: BATCH, ledger: memoryLedger(), toMessage, concurrency: 1 };
    const summary = await sendMany(rcsOf(service), pool(2), options);
    expect(summary).toMatchObject({ accepted: COUNT });
    for (const [n, { to, text }] of service.outbox.entries()) {
      expect([to, text]).toEqual([phone(n), `Guest ${n}`]);
    }
    await expect(sendMany(rcsOf(service), pool(1), options)).rejects.toThrow(REFUSAL);
  });

  test("an object whose item waits for a different run is under way", async () => {
    const ledger = memoryLedger();
    let isYielded = false;
    const claim = { id: "c", batch: BATCH, key: phone(0), digest: "d", ref: "r", owner: "other" };
    await ledger.claim(claim);
    function* items() {
      const row = newRow();
      yield fill(row, 0);
      for (const n of [1, 2, 3]) yield fill(newRow(), n);
      isYielded = true;
      yield fill(row, 4);
    }
    const options = { batch: BATCH, ledger, toMessage, concurrency: 1 };
    await expect(sendMany(rcsOf(createFake()), items(), options)).rejects.toThrow(
      "the same object again at index 4",
    );
    expect(isYielded).toBe(true);
  });
});
