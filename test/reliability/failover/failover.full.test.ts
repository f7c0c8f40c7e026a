// A Postgres pair whose primary is killed during a run and whose standby takes over.
import { expect, test } from "vitest";
import { postgresLedger } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { statesIn, until } from "../../support/failover/batch.ts";
import { failOverAtRandom, lostFrom, startPairAndBatch } from "../../support/failover/fail-over.ts";
import { randomFrom } from "../../support/kills/kill-series.ts";
import { BATCH } from "../../support/kills/kill-task.ts";

const TIMEOUT_MS = 240_000;

test.each([
  ["synchronous", "is up to date", false, 1],
  ["synchronous", "no longer receives anything", true, 2],
  ["asynchronous", "no longer receives anything", true, 3],
] as const)(
  "after a kill at a random moment, with %s replication and a standby that %s, only messages with lost records are sent twice",
  async (replication, _, isBehind, seed) => {
    const report = await failOverAtRandom(replication, isBehind, randomFrom(seed));
    expect(report.violations).toEqual([]);
    expect(report.sent).toBeGreaterThan(0);
    expect(report.twice).toBe(report.lost);
    if (replication === "synchronous") expect(report.lost).toBe(0);
    else expect(report.lost).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

/**
 * Starts a run and kills its primary while four messages, `onWire`, are on the wire. With asynchronous replication, the stream is
 * cut before the kill. The standby then has the claims of four keys, `halfKnown`, but not their results, and nothing about the
 * keys after them.
 */
const killMidRun = async (
  { pair, batch }: Awaited<ReturnType<typeof startPairAndBatch>>,
  isBehind: boolean,
) => {
  const running = batch.run();
  await batch.hasResults(50);
  await batch.hold();
  const halfKnown = isBehind ? batch.onWire() : [];
  if (isBehind) {
    await pair.catchUp();
    await pair.cutStream();
    batch.release();
    await batch.hasResults(batch.results.length + 24);
    await batch.hold();
  }
  const onWire = batch.onWire();
  const recorded = batch.recorded();
  await pair.killPrimary();
  return { running, halfKnown, onWire, recorded };
};

test(
  "with synchronous replication, requests on the wire during the failover are recorded after it, and the run continues",
  async () => {
    await using started = await startPairAndBatch("synchronous", { messages: 120 });
    const { pair, ledger, batch } = started;
    const { running, recorded } = await killMidRun(started, false);
    await pair.promote();
    const states = await statesIn(ledger);
    expect(recorded.filter((key) => states.get(key) !== "accepted")).toEqual([]);
    batch.release();
    const summary = await running;
    expect(summary).toMatchObject({ accepted: 120, inDoubt: 0 });
    expect(await batch.violations(summary)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  "with asynchronous replication, a claim whose request ends after the failover is healed; earlier records are lost, and sent twice",
  async () => {
    await using started = await startPairAndBatch("asynchronous", { messages: 120 });
    const { pair, ledger, batch } = started;
    const { running, halfKnown, onWire, recorded } = await killMidRun(started, true);
    await pair.promote();
    const lost = await lostFrom(ledger, batch);
    batch.release();
    // The run does not detect the loss.
    expect(await running).toMatchObject({ done: 120, accepted: 120, inDoubt: 0 });

    const states = await statesIn(ledger);
    expect(onWire).toHaveLength(4);
    expect(lost).toEqual(expect.arrayContaining(onWire));
    expect(onWire.map((key) => states.get(key))).toEqual(onWire.map(() => "accepted"));
    expect(halfKnown.map((key) => states.get(key))).toEqual(halfKnown.map(() => "sending"));
    const forGood = lost.filter((key) => !onWire.includes(key));
    expect(forGood.length).toBeGreaterThanOrEqual(20);
    expect(recorded).toEqual(expect.arrayContaining([...forGood, ...halfKnown]));

    const last = await batch.run();
    expect(batch.twice().sort()).toEqual(forGood.sort());
    expect(last).toMatchObject({ accepted: forGood.length, inDoubt: 4 });
    expect(await batch.violations(last, forGood)).toEqual([]);

    // Webhooks settle the keys in doubt.
    for await (const { ref } of ledger.entries({ batch: BATCH, states: ["sending"] })) {
      await ledger.confirm(ref);
    }
    expect(await batch.run()).toMatchObject({ accepted: 0, inDoubt: 0, done: 120 });
  },
  TIMEOUT_MS,
);

test(
  "with asynchronous replication, a claim whose request ends while there is no database is also lost",
  async () => {
    await using started = await startPairAndBatch("asynchronous", { messages: 120 });
    const { pair, ledger, batch } = started;
    const { running, onWire } = await killMidRun(started, true);
    batch.release();
    expect(await running).toMatchObject({ stopped: "ledger" });
    const unrecorded = batch.results.filter(({ recorded }) => recorded === false);
    expect(unrecorded.map(({ key }) => key).sort()).toEqual(onWire.sort());
    await pair.promote();
    const lost = await lostFrom(ledger, batch);
    expect(lost).toEqual(expect.arrayContaining(onWire));
    const last = await batch.run();
    expect(batch.twice().sort()).toEqual(lost.sort());
    expect(await batch.violations(last, lost)).toEqual([]);
  },
  TIMEOUT_MS,
);

const CANCEL = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

test.each([
  ["its wait is cancelled", [CANCEL]],
  [
    "replication becomes asynchronous during its wait",
    ["ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()"],
  ],
])(
  "with synchronous replication, a commit counts as confirmed if %s, and can be lost",
  async (_, statements) => {
    await using started = await startPairAndBatch("synchronous", { messages: 4 });
    const { pair, ledger, batch } = started;
    // Creates the table while the standby is still receiving.
    await ledger.counts(BATCH);
    await pair.cutStream();
    const running = batch.run();
    await until(async () => {
      for (const statement of statements) await pair.toPrimary.query(statement);
      return batch.results.length === 4;
    });
    expect(await running).toMatchObject({ accepted: 4 });
    await pair.killPrimary();
    await pair.promote();
    await batch.run();
    expect(batch.twice()).toHaveLength(4);
  },
  TIMEOUT_MS,
);

test.each([
  ["synchronous", "confirms no claim: nobody is texted by it", 0, 2_000],
  ["asynchronous", "confirms claims of its own: everybody is texted twice", 8, 30_000],
] as const)(
  "with %s replication, an old primary that still runs beside the new one %s",
  async (replication, _, expected, ledgerTimeout) => {
    const options = { messages: 8, ledgerTimeout };
    await using started = await startPairAndBatch(replication, options);
    const { pair, batch } = started;
    const isolated = postgresLedger(pair.toPrimary);
    await isolated.counts(BATCH);
    await pair.catchUp();
    await pair.promote();
    const old = await batch.run(isolated);
    expect([old.stopped, old.accepted]).toEqual(expected === 0 ? ["ledger", 0] : [undefined, 8]);
    await pair.killPrimary();
    const last = await batch.run();
    expect(last).toMatchObject({ accepted: 8, inDoubt: 0 });
    expect(batch.twice()).toHaveLength(expected);
  },
  TIMEOUT_MS,
);
