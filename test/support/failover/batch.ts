// A batch that is sent run after run while its database fails, and what the service and the ledger have recorded.
import { setTimeout as sleep } from "node:timers/promises";
import type { Ledger, LedgerState } from "../../../src/bulk/ledgers/ledger.ts";
import type { ItemResult, RunSummary } from "../../../src/bulk/run-result.ts";
import { sendMany } from "../../../src/bulk/send-many.ts";
import { TransactionalClient } from "../../../src/core/clients/transactional-client.ts";
import { createFakeService } from "../../../src/testing/index.ts";
import { listen } from "../../../src/testing/node/listen.ts";
import { agedLedger } from "../aged-ledger.ts";
import { phonesOf } from "../kills/kill-batch.ts";
import { BATCH, DOUBTFUL, textFor } from "../kills/kill-task.ts";

export interface BatchOptions {
  readonly ledger: Ledger;
  readonly messages: number;
  /** Timeout of an attempt, in milliseconds. Default: 30 000. */
  readonly timeout?: number;
  /** Maximum wait for a step of the ledger, in milliseconds. */
  readonly ledgerTimeout?: number;
  /** Number of items at a time. */
  readonly concurrency?: number;
}

/** Result of one item, in the order in which items end. */
type Result = ItemResult<string>;

/** Returns the state of each key in a ledger. */
export const statesIn = async (ledger: Ledger): Promise<Map<string, LedgerState>> => {
  const states = new Map<string, LedgerState>();
  for await (const { key, state } of ledger.entries({ batch: BATCH })) states.set(key, state);
  return states;
};

/** Resolves when a condition is true; rejects after two minutes. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (const end = performance.now() + 120_000; !(await holds()); ) {
    if (performance.now() > end) throw new Error(`this never happened: ${holds}`);
    await sleep(1);
  }
};

/** Sends a batch to a fake service over HTTP on loopback. */
export const startBatch = async ({
  ledger,
  messages,
  timeout,
  ledgerTimeout = 10_000,
  concurrency = 4,
}: BatchOptions) => {
  const phones = phonesOf(messages);
  const service = createFakeService();
  const server = await listen(service);
  /** Results of all runs. */
  const results: Result[] = [];
  /** Holds back the responses after the first few, until it is opened. */
  let gate:
    | { readonly after: number; readonly opened: Promise<unknown>; readonly open: () => void }
    | undefined;
  /** Number of responses that the gate holds back. */
  let held = 0;

  /** Keys whose claim the ledger has confirmed. */
  const claimed = new Set<string>();
  /** Keys that were requested without a confirmed claim. */
  const unclaimed: string[] = [];
  const watch = (place: Ledger): Ledger => ({
    ...place,
    async claim(claim) {
      const found = await place.claim(claim);
      if (!found) claimed.add(claim.key);
      return found;
    },
  });

  const rcs = new TransactionalClient({
    baseUrl: server.transactionalBaseUrl,
    apiKey: service.account.apiKey,
    fetch: async (url, init) => {
      const { phoneNumber } = JSON.parse(String(init.body));
      if (!claimed.has(phoneNumber)) unclaimed.push(phoneNumber);
      const response = await fetch(url, init);
      if (gate && service.outbox.length > gate.after) {
        held += 1;
        await gate.opened;
        held -= 1;
      }
      return response;
    },
  });

  const holdAfter = (after: number): void => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    gate = { after, opened, open };
  };

  /** Whether a run has ended. A later run starts as if the time of the earlier calls was over, and does not wait for them. */
  let isLater = false;
  /** Sends what is left, with the record in the ledger of the batch or in a different place. */
  const run = async (place = ledger): Promise<RunSummary> => {
    const running = sendMany(rcs, phones, {
      ...{ batch: BATCH, timeout, ledgerTimeout, concurrency },
      ledger: watch(isLater ? agedLedger(place) : place),
      toMessage: (phoneNumber, { ref }) => ({
        phoneNumber,
        webhookUrl: `https://example.com/hooks/${ref}`,
        rcsPayload: { text: textFor(phoneNumber) },
        smsFailover: "See you tomorrow",
      }),
    });
    for await (const result of running) results.push(result);
    isLater = true;
    return running;
  };

  /** Runs again until nothing stops the run. A pool may offer dead connections for a while. */
  const runToTheEnd = async (): Promise<RunSummary> => {
    for (const end = performance.now() + 30_000; ; ) {
      const summary = await run();
      if (!summary.stopped || performance.now() > end) return summary;
      await sleep(50);
    }
  };

  const countPerKey = (keys: readonly (string | undefined)[]): Map<string, number> => {
    const counts = new Map(phones.map((phone) => [phone, 0]));
    for (const key of keys) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  /** Number of messages that the service accepted, by key. */
  const acceptances = () => countPerKey(service.outbox.map(({ to }) => to));

  return {
    phones,
    results,
    run,
    runToTheEnd,
    acceptances,

    /** Keys whose message the service accepted twice or more. */
    twice: () => [...acceptances()].flatMap(([phone, times]) => (times > 1 ? [phone] : [])),

    /** Keys whose message the service accepted and that have no result yet. */
    onWire(): string[] {
      const ended = new Set(results.map(({ key }) => key));
      return service.outbox.flatMap(({ to }) => (ended.has(to) ? [] : [to]));
    },

    /** Keys that the run counted as accepted and recorded. */
    recorded: () =>
      results.flatMap(({ state, recorded, key = "" }) =>
        state === "accepted" && recorded !== false ? [key] : [],
      ),

    /** Resolves when a number of items have results. */
    hasResults: (count: number) => until(() => results.length >= count),

    /** Holds back every response after the first `after`, until `release`, so no run ends earlier on a fast machine. */
    holdAfter,

    /** Holds back every response from now on. Resolves when every concurrent item waits for one. */
    async hold(): Promise<void> {
      holdAfter(0);
      await until(() => held === concurrency);
    },

    /** Releases the responses that are held back. */
    release(): void {
      gate?.open();
      gate = undefined;
    },

    /**
     * Compares the service, the ledger and the results of all runs.
     *
     * @param last Summary of the last run, which was not stopped.
     * @param lost Keys whose records the ledger lost after it had confirmed them.
     */
    async violations(last: RunSummary, lost: readonly string[] = []): Promise<string[]> {
      const states = await statesIn(ledger);
      const times = acceptances();
      const told = (wanted: readonly string[]) =>
        countPerKey(results.flatMap(({ state, key }) => (wanted.includes(state) ? [key] : [])));
      const sure = told(["accepted"]);
      const possible = told(["accepted", "unknown"]);
      const perKey = phones.flatMap((phone) => {
        const state = states.get(phone);
        const sent = times.get(phone) ?? 0;
        const isDoubtful = state !== undefined && DOUBTFUL.includes(state);
        return [
          ...(sent > (lost.includes(phone) ? 2 : 1) ? [`was sent ${sent} times`] : []),
          ...(sent > 0 && !isDoubtful && state !== "accepted" ? [`was sent, and is ${state}`] : []),
          ...(sent === 0 && !isDoubtful ? [`was not sent, and is ${state}`] : []),
          ...(sent > (possible.get(phone) ?? 0) ? ["was sent, and no run said so"] : []),
          ...(sent < (sure.get(phone) ?? 0) ? ["was not sent, and a run said so"] : []),
        ].map((violation) => `${phone} ${violation}`);
      });
      const inLedger = await ledger.counts(BATCH);
      const inSummary = {
        stopped: last.stopped,
        accepted: last.accepted + last.skippedBy.acceptedBefore,
        inDoubt: last.inDoubt,
        done: last.done,
      };
      const expected = {
        stopped: undefined,
        accepted: inLedger.accepted,
        inDoubt: inLedger.sending + inLedger.unknown,
        done: phones.length,
      };
      const [summary, truth] = [inSummary, expected].map((each) => JSON.stringify(each));
      return [
        ...perKey,
        ...unclaimed.map((phone) => `${phone} was requested without a claim`),
        ...(summary === truth ? [] : [`the run said ${summary}, and the ledger says ${truth}`]),
      ];
    },

    async [Symbol.asyncDispose](): Promise<void> {
      await server.close();
    },
  };
};

export type Batch = Awaited<ReturnType<typeof startBatch>>;
