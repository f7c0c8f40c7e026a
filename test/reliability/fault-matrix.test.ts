import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ApiError, type ClientEvent, MessagingServiceError } from "../../src/index.ts";
import { clientsOf, KINDS, type Kind } from "../support/calls.ts";
import { CARRIERS, type Carrier } from "../support/carriers.ts";
import { CODES, FAULT_MATRIX, type Fault } from "../support/fault-matrix.ts";
import { answer, startLoopback } from "../support/loopback.ts";

// Real sockets on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const FAULTS = FAULT_MATRIX.flatMap(({ group, faults }) =>
  faults.map((fault) => ({ ...fault, name: `${group}: ${fault.fault}` })),
);

/** What one call came to, in the terms of the table. */
const resultOf = async (
  fault: Fault,
  kind: Kind,
  elsewhere: string,
  { fetch }: Carrier,
  onEvent?: (event: ClientEvent) => void,
) => {
  await using service = await fault.start(kind, elsewhere);
  const retry = { backoff: { initial: 1, max: 1 } };
  const clients = clientsOf(service, { fetch, onEvent, retry });
  const error = await kind.call(clients, fault.options).then(
    () => undefined,
    (thrown: ApiError) => thrown,
  );
  return { error, seen: service.seen() };
};

/** A message of the table as a pattern. */
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

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

describe.each(CARRIERS)("every fault of every kind of call, carried by $carrier", (carrier) => {
  test.each(FAULTS.filter(({ waitMs }) => waitMs === undefined))("$name", async (fault) => {
    await using elsewhere = await startLoopback(answer(200, {}));
    await Promise.all(
      KINDS.map(async (kind) => {
        expectResult(fault, kind, await resultOf(fault, kind, elsewhere.baseUrl, carrier));
      }),
    );
    expect(elsewhere.requests).toEqual([]);
  });
});

describe.each(CARRIERS)("a wait that the service asks for, carried by $carrier", (carrier) => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each(FAULTS.filter(({ waitMs }) => waitMs !== undefined))("$name", async (fault) => {
    for (const kind of KINDS) {
      const waits: number[] = [];
      const result = await resultOf(fault, kind, "", carrier, (event) => {
        if (event.type !== "retry") return;
        waits.push(event.delayMs);
        // The pause begins behind this event.
        setImmediate(() => vi.advanceTimersByTime(event.delayMs));
      });
      expectResult(fault, kind, result);
      expect(waits, kind.kind).toEqual([fault.waitMs, fault.waitMs]);
    }
  });
});

describe("the table itself", () => {
  test("shows a POST to the service once wherever it could have been acted on", () => {
    for (const { name, error, outcome, seen } of FAULTS) {
      const mayBeDone = error === undefined || outcome === "unknown" || outcome === "done";
      if (mayBeDone) expect(seen[1], name).toBe(1);
    }
  });

  test("repeats no POST but after a 429, or where no connection was made", () => {
    for (const { name, error, outcome, seen } of FAULTS) {
      if (error !== "RateLimitError" && outcome !== "not_sent") expect(seen[1], name).toBe(1);
    }
  });
});
