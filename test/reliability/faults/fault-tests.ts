import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ApiError, type ClientEvent, MessagingServiceError } from "../../../src/index.ts";
import { clientsOf, KINDS, type Kind } from "../../support/calls.ts";
import type { Carrier, Carrying } from "../../support/carriers.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";
import { CODES, FAULT_MATRIX, type Fault } from "../../support/tables/fault-matrix.ts";
import { useTurningClock } from "../../support/turning-clock.ts";

/** Every fault of the table, with the name of its group. */
export const FAULTS = FAULT_MATRIX.flatMap(({ group, faults }) =>
  faults.map((fault) => ({ ...fault, name: `${group}: ${fault.fault}` })),
);

const WAITING = FAULTS.filter(({ waitMs }) => waitMs !== undefined);
const LATE = FAULTS.filter(({ options }) => options?.timeout !== undefined);
const AT_ONCE = FAULTS.filter((fault) => !WAITING.includes(fault) && !LATE.includes(fault));

/** Returns the result of one call in the terms of the table. */
const resultOf = async (
  fault: Fault,
  kind: Kind,
  elsewhere: string,
  { fetch, onEvent }: Carrying,
  listener?: (event: ClientEvent) => void,
) => {
  await using service = await fault.start(kind, elsewhere);
  const retry = { backoff: { initial: 1, max: 1 } };
  const allowRecipient = fault.allowRecipient?.();
  const clients = clientsOf(service, { fetch, onEvent, retry, allowRecipient });
  const options = { ...fault.options, onEvent: listener };
  const error = await kind.call(clients, options).then(
    () => undefined,
    (thrown: ApiError) => thrown,
  );
  return { error, seen: service.seen() };
};

/** Converts a message in the table to a pattern. */
const patternOf = (says: string) =>
  new RegExp(`^${says.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("…", ".*")}$`, "s");

const expectResult = (
  { error: name, outcome, seen: [same, post], attempts, retryAfterMs, says }: Fault,
  kind: Kind,
  { error, seen }: Awaited<ReturnType<typeof resultOf>>,
) => {
  const requests = kind.again ? post : same;
  expect(seen, kind.kind).toBe(requests);
  if (name === undefined) return expect(error, kind.kind).toBeUndefined();
  expect(error, kind.kind).toBeInstanceOf(MessagingServiceError);
  expect(error, kind.kind).toMatchObject({
    name,
    code: CODES[name],
    outcome,
    attempts: attempts ?? requests,
    endpoint: kind.endpoint,
  });
  expect(error?.retryAfterMs, kind.kind).toBe(retryAfterMs);
  const [, words] = error?.message.split(`${kind.endpoint}: `) ?? [];
  expect(words, kind.kind).toMatch(patternOf(says ?? ""));
};

/** Tests every fault of the table with every kind of call and each carrier. */
export const testFaults = (carriers: readonly Carrier[]): void => {
  useTurningClock();
  beforeEach(() => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
  });

  describe.each(carriers)("faults in every kind of call, carried by $carrier", (carrier) => {
    const check = async (fault: Fault) => {
      const { after } = fault;
      await using elsewhere = await startLoopback(respond(200, {}));
      using carrying = after ? carrier.followedBy(after) : { ...carrier, [Symbol.dispose]() {} };
      await Promise.all(
        KINDS.filter(({ kind }) => !fault.allowRecipient || kind === "POST send").map(
          async (kind) => {
            expectResult(fault, kind, await resultOf(fault, kind, elsewhere.baseUrl, carrying));
          },
        ),
      );
      expect(elsewhere.requests).toEqual([]);
    };

    test.each(AT_ONCE)("a call has the result in the table of faults: $name", check);
    // These tests mostly wait.
    test.concurrent.each(LATE)("a call has the result in the table of faults: $name", check);
  });
};

/** Tests the waits that the service requests, with every kind of call and each carrier. */
export const testWaits = (carriers: readonly Carrier[]): void => {
  beforeEach(() => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
  });

  describe.each(carriers)("waits that the service asks for, carried by $carrier", (carrier) => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    test.each(WAITING)("a call waits as long as the table of faults says: $name", async (fault) => {
      for (const kind of KINDS) {
        const waits: number[] = [];
        const result = await resultOf(fault, kind, "", carrier, (event) => {
          if (event.type !== "retry") return;
          waits.push(event.delayMs);
          // The pause begins after this event.
          setImmediate(() => vi.advanceTimersByTime(event.delayMs));
        });
        expectResult(fault, kind, result);
        expect(waits, kind.kind).toEqual([fault.waitMs, fault.waitMs]);
      }
    });
  });
};
