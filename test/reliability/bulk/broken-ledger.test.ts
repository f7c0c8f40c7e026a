import { expect, test } from "vitest";
import { memoryLedger } from "../../../src/bulk/ledgers/memory-ledger.ts";
import { sendMany } from "../../../src/bulk/send-many.ts";
import { createFake, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";

const ENTRY = { state: "paused", digest: "d", ref: "r", owner: "o", at: "" };

test.each([
  ["claim() resolves to false for a key that it does not grant", { claim: async () => false }],
  ["claim() resolves to true for a key that it grants", { claim: async () => true }],
  ["claim() resolves to an undocumented state", { claim: async () => ENTRY }],
  ["find() resolves to an undocumented state", { find: async () => ENTRY }],
])(
  "a ledger that breaks its contract sends nothing, and leaves every key in doubt: %s",
  async (_, broken) => {
    const service = createFake();
    const ledger = { ...memoryLedger(), ...(broken as object) };
    const guests = [1, 2, 3].map((line) => ({ ...rcsText, phoneNumber: `+1206555010${line}` }));
    const summary = await sendMany(rcsOf(service), guests, { batch: "b", ledger });
    expect(summary).toMatchObject({ accepted: 0, inDoubt: 3 });
    expect(summary.stopped).toBeUndefined();
    expect(service.requests).toEqual([]);
  },
);
