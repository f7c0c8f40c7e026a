// `sendOnce` behind a queue that delivers at least once sends no order twice, whatever fails and wherever a worker dies.
import fc from "fast-check";
import { type Ledger, memoryLedger, sendOnce } from "messaging-service-client/bulk";
import { expect, test } from "vitest";
import { createFake, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";

const SEND = "POST /transactional_messages/send_rcs_text";
const FAULTS = [
  undefined,
  { fault: "dropped" },
  { status: 503 },
  { status: 429 },
  { fault: "network" },
] as const;
const STEPS = ["find", "claim", "settle"] as const;

/** Ledger of a worker that dies before a step takes effect, or after it but before the worker receives the result. */
const dyingAt = (ledger: Ledger, step: (typeof STEPS)[number], isDone: boolean) => {
  let die = () => {};
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  const seen: Ledger = {
    ...ledger,
    [step]: async (...args: never[]) => {
      if (isDone) await (ledger[step] as (...given: never[]) => unknown)(...args);
      die();
      return new Promise(() => {});
    },
  };
  return { seen, died };
};

const delivery = fc.record({
  order: fc.integer({ min: 0, max: 2 }),
  fault: fc.constantFrom(...FAULTS),
  death: fc.option(fc.record({ step: fc.constantFrom(...STEPS), isDone: fc.boolean() })),
});

test("an order that a queue delivers repeatedly, to workers that fail and die, is sent at most once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(delivery, { maxLength: 4 }), { maxLength: 6 }),
      async (waves) => {
        const service = createFake();
        const ledger = memoryLedger();
        const rcs = rcsOf(service);
        const send = (order: number, seen: Ledger) => {
          const message = { ...rcsText, rcsPayload: { text: `Order ${order}` } };
          return sendOnce(rcs, message, { ledger: seen, key: `order-${order}` });
        };
        for (const wave of waves) {
          await Promise.all(
            wave.map(async ({ order, fault, death }) => {
              if (fault) service.failNext({ ...fault, endpoint: SEND });
              const dying = death && dyingAt(ledger, death.step, death.isDone);
              const ended = send(order, dying?.seen ?? ledger).catch(() => {});
              // The promise of a dead worker never settles.
              await (dying ? Promise.race([ended, dying.died]) : ended);
            }),
          );
        }
        // Faults that were planned for deliveries without a send would affect the last delivery.
        for (const { fault } of waves.flat())
          if (fault) await rcs.sendRcsText(rcsText).catch(() => {});
        const countOf = (order: number) =>
          service.outbox.filter(({ text }) => text === `Order ${order}`).length;
        for (const order of [0, 1, 2]) {
          const { state = "open" } = (await ledger.find("once", `order-${order}`)) ?? {};
          const before = countOf(order);
          const isOpen = state === "open";
          if (isOpen) expect(before).toBe(0);
          else if (state === "accepted") expect(before).toBe(1);
          else expect(before).toBeLessThanOrEqual(1);
          await send(order, ledger).catch(() => {});
          // Open orders are sent in the end. Orders that were sent or are in doubt are not sent again.
          expect(countOf(order)).toBe(isOpen ? 1 : before);
        }
      },
    ),
    { numRuns: 100 },
  );
}, 120_000);
