import { describe, expect, test } from "vitest";
import { memoryLedger } from "../../../src/bulk/ledgers/memory-ledger.ts";
import { sendMany } from "../../../src/bulk/send-many.ts";
import { BATCH } from "../../support/kills/kill-task.ts";
import {
  CountingService,
  clientOver,
  messageTo,
  phoneOf,
} from "../../support/servers/counting-service.ts";

const PHONES = Array.from({ length: 9 }, (_, index) => `+1206555010${index}`);

describe("a ledger that breaks its contract", () => {
  const toMessage = (phone: string, { ref }: { ref: string }) => messageTo(phone, ref);

  test.each([
    ["false for a key that it does not grant", false],
    ["true for a key that it grants", true],
    ["an undocumented state", { state: "paused", digest: "d", ref: "r", owner: "o", at: "" }],
  ])(
    "a ledger whose claim() resolves to %s stops every send, and every key is in doubt",
    async (_, value) => {
      const service = new CountingService();
      const client = clientOver(async (_, init) => service.accept(phoneOf(init)));
      const ledger = { ...memoryLedger(), claim: async () => value as never };
      const options = { batch: BATCH, ledger, toMessage };
      const { accepted, inDoubt, stopped } = await sendMany(client, PHONES, options);
      expect([accepted, inDoubt, stopped, service.sent.size]).toEqual([
        0,
        PHONES.length,
        undefined,
        0,
      ]);
    },
  );

  test("a ledger whose find() resolves to an undocumented state leaves every key in doubt", async () => {
    const service = new CountingService();
    const client = clientOver(async (_, init) => service.accept(phoneOf(init)));
    const entry = { state: "paused", digest: "d", ref: "r", owner: "o", at: "" };
    const ledger = { ...memoryLedger(), find: async () => entry as never };
    const { inDoubt } = await sendMany(client, PHONES, { batch: BATCH, ledger, toMessage });
    expect([inDoubt, service.sent.size]).toEqual([PHONES.length, 0]);
  });
});
