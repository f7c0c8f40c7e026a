// Failovers at random moments of a run, and what the standby had received.
import { setTimeout as sleep } from "node:timers/promises";
import { postgresLedger } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import type { Random } from "../kills/kill-batch.ts";
import { BATCH } from "../kills/kill-task.ts";
import { type Replication, startPostgresPair } from "../servers/postgres-pair.ts";
import { createPool } from "../servers/postgres-server.ts";
import { type Batch, startBatch, statesIn } from "./batch.ts";

/** Starts a pair of servers, and a batch whose ledger follows the failover. */
export const startPairAndBatch = async (
  replication: Replication,
  options: { readonly messages: number; readonly ledgerTimeout?: number },
) => {
  const pair = await startPostgresPair(replication);
  const pool = createPool(pair.port);
  const ledger = postgresLedger(pool);
  const batch = await startBatch({ ledger, ...options });
  return {
    pair,
    ledger,
    batch,
    [Symbol.asyncDispose]: async () => {
      await batch[Symbol.asyncDispose]();
      await pair[Symbol.asyncDispose]();
      await pool.end();
    },
  };
};

/** Returns the keys whose messages were accepted but that a ledger has no record of. */
export const lostFrom = async (ledger: Parameters<typeof statesIn>[0], batch: Batch) => {
  const states = await statesIn(ledger);
  return [...batch.acceptances()].flatMap(([key, times]) =>
    times > 0 && !states.has(key) ? [key] : [],
  );
};

export interface FailoverReport {
  /** Number of messages that were accepted before the failover. */
  readonly sent: number;
  /** Keys of these messages that the standby has no record of. */
  readonly lost: number;
  /** Keys that are in doubt after the failover. */
  readonly inDoubt: number;
  /** Keys that the next run sent a second time. */
  readonly twice: number;
  readonly violations: readonly string[];
}

/**
 * Kills the primary in the middle of a run, promotes the standby, and sends the rest.
 *
 * @param isBehind Whether the stream to the standby is cut a few messages before the kill.
 */
export const failOverAtRandom = async (
  replication: Replication,
  isBehind: boolean,
  random: Random,
): Promise<FailoverReport> => {
  await using started = await startPairAndBatch(replication, { messages: 200 });
  const { pair, ledger, batch } = started;
  // A ledger does not create its table again if the failover has lost it.
  await ledger.counts(BATCH);
  await pair.catchUp();
  // Keeps the run from ending before the kill.
  batch.holdAfter(150);
  const running = batch.run();
  await batch.hasResults(10 + random() * 100);
  if (isBehind) {
    await pair.cutStream();
    // With synchronous replication, nothing more is confirmed. Otherwise, the standby may have the claims of four results.
    if (replication === "synchronous") await sleep(100);
    else await batch.hasResults(batch.results.length + 5 + random() * 20);
  }
  await sleep(random() * 5);
  await pair.killPrimary();
  batch.release();
  const { stopped } = await running;
  await pair.promote();

  const sent = [...batch.acceptances().values()].filter((times) => times > 0).length;
  const lost = await lostFrom(ledger, batch);
  const last = await batch.run();
  const twice = batch.twice();
  return {
    sent,
    lost: lost.length,
    inDoubt: last.inDoubt,
    twice: twice.length,
    violations: [
      ...(await batch.violations(last, lost)),
      ...(stopped === "ledger" ? [] : [`the first run stopped by ${stopped}`]),
      ...(last.inDoubt > 4 && !isBehind ? [`${last.inDoubt} keys are in doubt`] : []),
      ...lost.filter((key) => !twice.includes(key)).map((key) => `${key} was lost, and not sent`),
    ],
  };
};
