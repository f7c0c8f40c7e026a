// The phases in which a call can end early, and the outcome of a call that ends in each phase.
import { createThrottle, type Outcome } from "../../../src/index.ts";
import { type Clients, clientsOf, KINDS, type Kind } from "../../support/calls.ts";
import type { Carrier } from "../../support/carriers.ts";
import {
  hang,
  type Loopback,
  type Responder,
  respond,
  stall,
  startLoopback,
} from "../../support/servers/loopback.ts";

export interface Phase {
  readonly phase: string;
  /** Response of the service to each kind of call. */
  readonly responderFor: (kind: Kind) => Responder;
  readonly outcome: Outcome;
  readonly attempts: number;
  /** Number of slots that the throttle grants. Default: any number. */
  readonly slots?: number;
  /** Whether the phase follows a response that causes a retry. */
  readonly isRepeat?: boolean;
  /** Whether a POST never reaches this phase because it is not retried. */
  readonly repeatsOnly?: boolean;
}

const SLOW_REPEAT = { backoff: { initial: 3_600_000, max: 3_600_000 } };
const AT_ONCE = { backoff: { initial: 0 } };
const HOUR = 3_600_000;

export const PHASES: readonly Phase[] = [
  {
    phase: "in the throttle's queue",
    responderFor: ({ success }) => respond(200, success),
    slots: 0,
    outcome: "not_sent",
    attempts: 0,
  },
  { phase: "in flight", responderFor: () => hang, outcome: "unknown", attempts: 1 },
  {
    phase: "in the body",
    responderFor: ({ success }) => stall(success),
    outcome: "unknown",
    attempts: 1,
  },
  {
    phase: "in the body of an error",
    responderFor: ({ success }) => stall(success, 404),
    outcome: "unknown",
    attempts: 1,
  },
  {
    phase: "in the pause after a 429",
    responderFor: () => respond(429),
    isRepeat: true,
    outcome: "rejected",
    attempts: 1,
  },
  {
    phase: "in the pause after a 503",
    responderFor: () => respond(503),
    isRepeat: true,
    repeatsOnly: true,
    outcome: "unknown",
    attempts: 1,
  },
  {
    phase: "in the queue of a repeat",
    responderFor: () => respond(429),
    isRepeat: true,
    slots: 1,
    outcome: "rejected",
    attempts: 1,
  },
];

/** Starts a service and creates clients whose calls stay in a phase. */
const stayIn = async (
  { responderFor, slots }: Phase,
  kind: Kind,
  { fetch }: Carrier,
): Promise<{ server: Loopback; clients: Clients }> => {
  const server = await startLoopback(responderFor(kind));
  const throttle = createThrottle({ limit: slots || 1, interval: HOUR });
  if (slots === 0) await throttle.acquire();
  const clients = clientsOf(server, {
    fetch,
    throttle: slots === undefined ? false : throttle,
    timeout: false,
    retry: slots === 1 ? AT_ONCE : SLOW_REPEAT,
  });
  return { server, clients };
};

/** Checks all kinds of calls that reach a phase, concurrently. */
export const inEveryKind = async (
  phase: Phase,
  carrier: Carrier,
  check: (kind: Kind, clients: Clients, server: Loopback) => Promise<void>,
): Promise<void> => {
  const kinds = KINDS.filter(({ again }) => !(again && phase.repeatsOnly));
  await Promise.all(
    kinds.map(async (kind) => {
      const { server, clients } = await stayIn(phase, kind, carrier);
      await using _ = server;
      await check(kind, clients, server);
    }),
  );
};
