// Sends one batch by processes that are killed at random moments, and checks that each message was sent at most once.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ledger, LedgerEntry } from "../../../src/bulk/ledgers/ledger.ts";
import { createFakeService, type FakeService } from "../../../src/testing/index.ts";
import { listen } from "../../../src/testing/node/listen.ts";
import { BATCH, type Condition, DOUBTFUL, type Step, type Store, textFor } from "./kill-task.ts";
import { KillWorker } from "./kill-worker.ts";

/** Returns numbers from 0 to 1 like `Math.random`, from a seed. */
export type Random = () => number;

/** Disturbances of a batch. */
export interface KillPlan {
  readonly store: Store;
  /** Opens the ledger for the final checks. */
  readonly ledger: Ledger;
  /** The bundled program of a process. */
  readonly program: string;
  readonly random: Random;
  readonly messages: number;
  readonly processes: number;
  readonly concurrency: number;
  /** Maximum number of kills. */
  readonly kills: number;
  /** Maximum time from a start, or from the first request, to the next kill, in milliseconds. */
  readonly maxLifeMs: number;
  readonly condition?: Condition | undefined;
  /** Stops the store and starts it again. It is called repeatedly while kills are left, at most once per kill. */
  readonly interrupt?: (() => Promise<void>) | undefined;
}

/** Result of a batch. */
export interface KillReport {
  readonly messages: number;
  readonly kills: number;
  readonly sent: number;
  /** Number of keys that are `sending` in the ledger at the end. */
  readonly sending: number;
  /** Number of keys that are `unknown` in the ledger at the end. */
  readonly unknown: number;
  /** Largest number of keys that one process left `sending`. */
  readonly mostPerProcess: number;
  /** Violations of the guarantee. */
  readonly violations: readonly string[];
}

const AREAS = [206, 212, 213, 303, 312, 404, 415, 512, 617, 702];

/** Returns valid phone numbers that are reserved for fiction. */
export const phonesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const line = `${index % 100}`.padStart(2, "0");
    return `+1${AREAS[Math.floor(index / 100)]}55501${line}`;
  });

const shuffle = <T>(items: readonly T[], random: Random): T[] =>
  items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);

/** Faults, each with the number of requests out of a hundred that meet it. */
const FAULTS: readonly (readonly [number, Parameters<FakeService["failNext"]>[0]])[] = [
  [3, { fault: "dropped" }],
  [2, { fault: "network" }],
  [2, { status: 503 }],
  [4, { status: 429, headers: { "retry-after": "0" } }],
  [0.3, { status: 429, headers: { "retry-after": "1" } }],
  [30, { fault: "slow", delayMs: 10 }],
];

const html = { headers: { "content-type": "text/html" }, body: "<html>Nothing here</html>" };
/** Refusals of a gateway in front of the service, which prove nothing about the message. */
const REFUSALS: typeof FAULTS = [
  [4, { status: 413, ...html }],
  [3, { status: 400, ...html }],
  [3, { status: 404, ...html }],
];

const planFault = (service: FakeService, { random, condition }: KillPlan): void => {
  let percent = random() * 100;
  const faults = condition === "refusals in HTML" ? [...REFUSALS, ...FAULTS] : FAULTS;
  const found = faults.find(([share]) => {
    percent -= share;
    return percent < 0;
  });
  if (found) service.failNext(found[1]);
};

/** Steps at which a key's request may be on the wire. */
const ON_THE_WIRE: readonly (Step | undefined)[] = [
  "claim",
  "claimed",
  "fetch",
  "response",
  "settle",
];

/** Returns the violations of the guarantee: keys that were sent twice, forgotten, or in doubt without a request. */
const examine = (
  phones: readonly string[],
  outbox: FakeService["outbox"],
  entries: ReadonlyMap<string, LedgerEntry>,
  workers: readonly KillWorker[],
  plan: KillPlan,
): Pick<KillReport, "mostPerProcess" | "violations"> => {
  const sent = new Map<string, number>();
  for (const { to } of outbox) sent.set(to, (sent.get(to) ?? 0) + 1);
  const perKey = phones.flatMap((phone) => {
    const times = sent.get(phone) ?? 0;
    const state = entries.get(phone)?.state;
    if (times > 1) return [`${phone} was sent ${times} times`];
    if (state !== undefined && DOUBTFUL.includes(state)) return [];
    if (times === 0) return [`${phone} was not sent, and is ${state}`];
    return state === "accepted" ? [] : [`${phone} was sent, and is ${state}`];
  });

  const toOthers = outbox
    .filter(({ to, text }) => text !== textFor(to))
    .map(({ to, text }) => `${to} got "${text}"`);

  const perWorker = workers.map((worker) => {
    const { owners, last } = worker.read();
    const left = [...entries.values()].filter(
      ({ state, owner }) => state === "sending" && owners.has(owner),
    );
    const isLate = plan.condition === "late ledger";
    // A claim may arrive after its release, and even after a later run of the same process has finished the key.
    const unexplained = left.flatMap(({ key, owner }) => {
      const step = last.get(`${key} ${owner}`);
      if (ON_THE_WIRE.includes(step)) return [];
      return [`${key} is in doubt after the last step of its run, ${step}`];
    });
    const mayLeave = worker.wasKilled || worker.hasLeftLedger || plan.interrupt || isLate;
    const most = mayLeave ? plan.concurrency * owners.size : 0;
    const tooMany = left.length > most ? [`${left.length} keys in doubt after one end`] : [];
    return { count: left.length, violations: [...unexplained, ...tooMany] };
  });
  return {
    mostPerProcess: Math.max(0, ...perWorker.map(({ count }) => count)),
    violations: [...perKey, ...toOthers, ...perWorker.flatMap(({ violations }) => violations)],
  };
};

/** Sends one batch under kills, and continues until nothing is left to send. */
export const killBatch = async (plan: KillPlan): Promise<KillReport> => {
  const { random, processes, concurrency, ledger } = plan;
  const folder = mkdtempSync(join(tmpdir(), "kills-"));
  const phones = phonesOf(plan.messages);
  const service = createFakeService();
  let kills = 0;
  // The first kill happens while a request waits for a response that never comes, so at least one is on the wire.
  const planNext = () =>
    kills === 0 ? service.failNext({ fault: "hang" }) : planFault(service, plan);
  service.subscribe(({ type }) => {
    if (type === "request") planNext();
  });
  if (plan.kills > 0) planNext();
  const server = await listen(service);

  const workers: KillWorker[] = [];
  const prepareWorker = (): KillWorker =>
    new KillWorker(plan.program, {
      store: plan.store,
      baseUrl: server.transactionalBaseUrl,
      apiKey: service.account.apiKey,
      condition: plan.condition,
      concurrency,
      phones: shuffle(phones, random),
      log: join(folder, `${workers.length}-${random()}.log`),
    });
  // The next process loads while the current ones send.
  let standby = prepareWorker();
  const startWorker = async (): Promise<KillWorker> => {
    const worker = standby;
    workers.push(worker);
    standby = prepareWorker();
    await worker.go();
    return worker;
  };

  let isDone = false;
  /** Number of people in doubt according to the process that ended last. */
  let inDoubt = 0;

  /** Returns whether no key is left to send. A process that read all keys must leave none; a skipped key is a violation. */
  const isFinished = async (hasReadAll: boolean): Promise<boolean> => {
    const { open, ...others } = await ledger.counts(BATCH);
    const claimed = Object.values(others).reduce((total, count) => total + count, 0);
    return open === 0 && (hasReadAll || claimed === phones.length);
  };

  /** Runs one process until it ends or is killed. Resolves to whether the batch was finished by then. */
  const send = async (mayKill: boolean): Promise<boolean> => {
    const worker = await startWorker();
    const ended = worker.end();
    while (mayKill && !worker.hasEnded && kills < plan.kills) {
      // On a busy machine, most kills would otherwise hit a process that has sent nothing yet.
      if (kills === 0 || random() < 0.5) await worker.firstRequest();
      if (kills > 0) await Promise.race([ended, sleep(random() * plan.maxLifeMs)]);
      if (worker.hasEnded || kills >= plan.kills) break;
      await worker.kill();
      if (worker.wasKilled) kills += 1;
    }
    const end = await ended;
    inDoubt = end?.inDoubt ?? inDoubt;
    if (end?.stopped) await sleep(20);
    const hasReadAll = end !== undefined && end.stopped === undefined;
    // The doubts of the last process are compared with the ledger, and a run that stopped counts only finished items.
    if (!mayKill && !hasReadAll) return false;
    // The store may be stopped.
    return isFinished(hasReadAll).catch(() => false);
  };
  const sendUnderKills = async (): Promise<void> => {
    while (!isDone && kills < plan.kills) isDone = (await send(true)) || isDone;
  };
  const keepInterrupting = async (): Promise<void> => {
    // Limited, because a busy machine kills late. The interruptions would stop run after run, each in a new process.
    for (let left = plan.kills; !isDone && kills < plan.kills && left > 0; left -= 1) {
      await plan.interrupt?.();
    }
  };

  const senders = Array.from({ length: processes }, sendUnderKills);
  await Promise.all([...senders, ...(plan.interrupt ? [keepInterrupting()] : [])]);
  while (!(await send(false)));
  await standby.kill();

  const entries = new Map<string, LedgerEntry>();
  for await (const entry of ledger.entries({ batch: BATCH })) entries.set(entry.key, entry);
  const { sending, unknown } = await ledger.counts(BATCH);
  // The last run started after every kill and must report every doubt. With a late ledger, statements may arrive after it.
  const isWrong = plan.condition !== "late ledger" && inDoubt !== sending + unknown;
  const hidden = isWrong ? [`${inDoubt} in doubt in the summary, not ${sending + unknown}`] : [];
  const examined = examine(phones, service.outbox, entries, workers, plan);
  await server.close();
  rmSync(folder, { recursive: true });
  return {
    messages: phones.length,
    kills,
    sent: service.outbox.length,
    sending,
    unknown,
    ...examined,
    violations: [...examined.violations, ...hidden],
  };
};
