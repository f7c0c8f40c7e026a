// Compares runs of `sendMany` whose processes die at any moment, with decisions and webhooks in between, with a model of the
// two tables, and of the wait for keys that are in progress elsewhere.
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Ledger, LedgerState } from "../../../src/bulk/ledgers/ledger.ts";
import { memoryLedger } from "../../../src/bulk/ledgers/memory-ledger.ts";
import { postgresLedger } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { sendMany } from "../../../src/bulk/send-many.ts";
import { DOUBTFUL } from "../../support/kills/kill-task.ts";
import { newMemoryFolder } from "../../support/memory-folder.ts";
import {
  type Fate,
  isTaken,
  messageTo,
  phoneOf,
  ScriptedService,
  scriptedClient,
} from "../../support/servers/scripted-service.ts";
import { usePostgres } from "../../support/servers/use-postgres.ts";

const TIMEOUT_MS = 300_000;

const KEYS = ["+12065550100", "+12065550101", "+12065550102"];

const FATES: readonly Fate[] = [
  ...(["accept", "lose", "refuse", "block", "fail", "limit", "forbid", "unreachable"] as const),
];

/** Moments at which the process of a run dies, in their order for an item. */
const DEATHS = [
  "before claim",
  "after claim",
  "on the wire",
  "before settle",
  /** The statement is on its way and arrives with the next `deliver`. */
  "while it settles",
  "after settle",
] as const;
type Death = (typeof DEATHS)[number];

interface Item {
  readonly key: string;
  readonly text: string;
  readonly fate: Fate;
  readonly death: Death | undefined;
}

type Command =
  | {
      readonly type: "run";
      readonly items: readonly Item[];
      /** Whether the statements of dead processes arrive while the run waits for their keys. */
      readonly delivers: boolean;
    }
  | { readonly type: "resolve"; readonly key: string; readonly as: "accepted" | "open" }
  | { readonly type: "confirm"; readonly claim: number }
  /** The statements arrive that were on their way when their processes died. */
  | { readonly type: "deliver" };

const item: fc.Arbitrary<Item> = fc.record({
  key: fc.constantFrom(...KEYS),
  text: fc.constantFrom("Hi", "Hello"),
  fate: fc.constantFrom(...FATES, "accept" as const),
  death: fc.option(fc.constantFrom(...DEATHS), { nil: undefined, freq: 4 }),
});

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("run" as const),
      items: fc.array(item, { minLength: 1, maxLength: 4 }),
      delivers: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("resolve" as const),
      key: fc.constantFrom(...KEYS),
      as: fc.constantFrom("accepted" as const, "open" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("confirm" as const), claim: fc.nat(9) }),
  },
  { weight: 1, arbitrary: fc.constant({ type: "deliver" as const }) },
);

/** State of a key in the model. */
interface ModelEntry {
  state: LedgerState;
  text: string;
  /** Number of the run that claimed the key last. */
  run: number;
  /** Number of the claim that took the key last. */
  claim: number;
}

/** The result and the state of the entry after each fate of a request. */
const ENDS: Readonly<Record<Fate, { readonly result?: string; readonly state: LedgerState }>> = {
  accept: { result: "accepted", state: "accepted" },
  lose: { result: "unknown", state: "unknown" },
  refuse: { result: "rejected", state: "rejected" },
  block: { result: "rejected", state: "open" },
  fail: { result: "unknown", state: "unknown" },
  limit: { state: "open" },
  forbid: { result: "rejected", state: "open" },
  unreachable: { result: "not_sent", state: "open" },
};

/** Returns the reason to skip an item according to the table of claims, if there is one. */
const whySkipped = (entry: ModelEntry | undefined, text: string, run: number) => {
  switch (entry?.state) {
    case undefined:
    case "open":
      return undefined;
    case "rejected":
      return entry?.text === text ? "rejected_before" : undefined;
    case "accepted":
      if (entry?.run === run) return "duplicate";
      return entry?.text === text ? "accepted_before" : "changed";
    case "sending":
      return entry?.run === run ? "duplicate" : "in_doubt";
    case "unknown":
      return "in_doubt";
  }
};

/** End of a run. */
interface RunEnd {
  readonly results: string[];
  hasDied: boolean;
  hasStopped: boolean;
}

class Model {
  readonly entries = new Map<string, ModelEntry>();
  readonly sent = new Map<string, number>();
  /** Number of times that a person has allowed a key to be sent again. */
  readonly allowances = new Map<string, number>();
  #late: { readonly key: string; readonly claim: number; readonly state: LedgerState }[] = [];
  #runs = 0;
  #claims = 0;

  /** Returns the results of a run, and whether its process died. */
  run(items: readonly Item[], delivers: boolean): RunEnd {
    this.#runs += 1;
    const isElsewhere = ({ key }: Item) => {
      const entry = this.entries.get(key);
      return entry?.state === "sending" && entry.run !== this.#runs;
    };
    const waiting: Item[] = [];
    const first: RunEnd = { results: [], hasDied: false, hasStopped: false };
    for (const item of items) {
      // A run comes back to keys in progress elsewhere at its end.
      if (isElsewhere(item)) waiting.push(item);
      else first.hasDied = this.#send(item, first);
      if (first.hasDied || first.hasStopped) return first;
    }
    if (waiting.length > 0 && delivers) this.deliver();
    for (const item of waiting) {
      if (first.hasDied || first.hasStopped) break;
      first.hasDied = this.#send(item, first);
    }
    return first;
  }

  /** Sends an item, unless its entry prevents that, and adds its result to the end of the run. Returns whether the process died. */
  #send({ key, text, fate, death }: Item, end: RunEnd): boolean {
    const { results } = end;
    const skipped = whySkipped(this.entries.get(key), text, this.#runs);
    if (skipped) {
      results.push(skipped);
      return false;
    }
    if (death === "before claim") return true;
    const entry: ModelEntry = { state: "sending", text, run: this.#runs, claim: this.#claims };
    this.#claims += 1;
    this.entries.set(key, entry);
    if (death === "after claim") return true;
    if (isTaken(fate)) this.sent.set(key, (this.sent.get(key) ?? 0) + 1);
    if (death === "on the wire" || death === "before settle") return true;
    const { result, state } = ENDS[fate];
    if (death === "while it settles") {
      this.#late.push({ key, claim: entry.claim, state });
      return true;
    }
    entry.state = state;
    if (death === "after settle") return true;
    // A 403 stops a run in which nothing was accepted.
    const isForbidden = fate === "forbid" && !results.includes("accepted");
    if (result) results.push(result);
    end.hasStopped = fate === "limit" || isForbidden;
    return false;
  }

  resolve(key: string, as: "accepted" | "open"): boolean {
    const entry = this.entries.get(key);
    if (!entry) return false;
    const wasInDoubt = DOUBTFUL.includes(entry.state);
    if (!wasInDoubt && !(as === "open" && entry.state === "rejected")) return false;
    entry.state = as;
    if (as === "open" && wasInDoubt) this.allowances.set(key, (this.allowances.get(key) ?? 0) + 1);
    return true;
  }

  deliver(): void {
    for (const { key, claim, state } of this.#late) {
      const entry = this.entries.get(key);
      if (!entry) continue;
      const isOwn = entry.claim === claim && entry.state === "sending";
      if (isOwn || state === "accepted") entry.state = state;
    }
    this.#late = [];
  }

  /** Returns the key that a webhook with a claim's ref confirms. */
  confirm(claim: number): string | undefined {
    for (const [key, entry] of this.entries) {
      if (entry.claim !== claim) continue;
      if (entry.state !== "rejected") entry.state = "accepted";
      return key;
    }
    return undefined;
  }
}

/** Real runs over one batch of a ledger, in simulated processes that can die. */
class System {
  readonly service = new ScriptedService();
  readonly #ledger: Ledger;
  readonly #batch: string;
  readonly #refs: string[] = [];
  #late: (() => Promise<unknown>)[] = [];

  constructor(ledger: Ledger, batch: string) {
    this.#ledger = ledger;
    this.#batch = batch;
  }

  async run(items: readonly Item[], delivers: boolean): Promise<RunEnd> {
    let die = () => {};
    const death = new Promise<"dead">((resolve) => {
      die = () => resolve("dead");
    });
    const itemsByRef = new Map<string, Item>();
    /** The latest item that was claimed. A run with a concurrency of one claims items in order. */
    let current: Item | undefined;
    /** Returns whether the process dies at the current item. If it does, nothing of it continues. */
    const mayDie = async (moment: Death) => {
      if (current?.death !== moment) return;
      die();
      await new Promise(() => {});
    };
    const ledger = this.#ledger;
    const owners = new Set<string>();
    const met = new Set<string>();
    const mortal: Ledger = {
      ...ledger,
      // A key of a different run is in progress when this run meets it. When the run comes back, its time is over.
      find: async (batch, key) => {
        const found = await ledger.find(batch, key);
        if (found?.state !== "sending" || owners.has(found.owner)) return found;
        if (!met.has(key)) {
          met.add(key);
          return { ...found, ageMs: 0 };
        }
        if (delivers) await this.deliver();
        const later = await ledger.find(batch, key);
        return later && { ...later, ageMs: 9e9 };
      },
      claim: async (claim) => {
        current = itemsByRef.get(claim.ref);
        owners.add(claim.owner);
        await mayDie("before claim");
        const found = await ledger.claim(claim);
        if (!found) this.#refs.push(claim.ref);
        await mayDie("after claim");
        return found;
      },
      settle: async (claim, result) => {
        await mayDie("before settle");
        if (current?.death === "while it settles") {
          this.#late.push(() => ledger.settle(claim, result));
          await mayDie("while it settles");
        }
        const holds = await ledger.settle(claim, result);
        await mayDie("after settle");
        return holds;
      },
    };
    const client = scriptedClient(async (_, init) => {
      try {
        return this.service.respond(phoneOf(init), current?.fate ?? "accept");
      } finally {
        await mayDie("on the wire");
      }
    });
    const run = sendMany(client, items, {
      batch: this.#batch,
      ledger: mortal,
      concurrency: 1,
      stopAfterFailures: false,
      maxPause: 0,
      // Nothing wakes a process that died.
      ledgerTimeout: 2_000_000_000,
      timeout: 2_000_000_000,
      toMessage: (item, { ref }) => {
        itemsByRef.set(ref, item);
        return messageTo(item.key, ref, item.text);
      },
    });
    const results: string[] = [];
    const consume = async () => {
      for await (const result of run) {
        results.push(result.state === "skipped" ? result.reason : result.state);
      }
      return "ended" as const;
    };
    const hasDied = (await Promise.race([death, consume()])) === "dead";
    return { results, hasDied, hasStopped: !hasDied && (await run).stopped !== undefined };
  }

  resolve(key: string, as: "accepted" | "open"): Promise<boolean> {
    return this.#ledger.resolve(this.#batch, key, as);
  }

  async confirm(claim: number): Promise<string | undefined> {
    return (await this.#ledger.confirm(this.#refs[claim] ?? "never claimed"))?.key;
  }

  async deliver(): Promise<void> {
    for (const settle of this.#late) await settle();
    this.#late = [];
  }

  async states(): Promise<Map<string, LedgerState>> {
    const states = new Map<string, LedgerState>();
    for await (const { key, state } of this.#ledger.entries({ batch: this.#batch }))
      states.set(key, state);
    return states;
  }
}

const folder = newMemoryFolder("model-");
const postgres = usePostgres();
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

describe.each([
  ["memory", () => memoryLedger(), 2_000],
  ["SQLite", () => sqliteLedger(join(folder, "sends.db")), 1_000],
  ["Postgres", () => postgresLedger(postgres.pool), 300],
] as const)("a ledger in %s", (_, makeLedger, numRuns) => {
  test(
    "a ledger in %s agrees with the model after any runs, kills, late results, decisions and webhooks, and sends nothing twice without a decision",
    async () => {
      const ledger = makeLedger();
      let histories = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(command, { maxLength: 12, size: "max" }), async (commands) => {
          histories += 1;
          const model = new Model();
          const system = new System(ledger, `reminders ${histories}`);
          for (const given of commands) {
            if (given.type === "run") {
              const { items, delivers } = given;
              expect(await system.run(items, delivers)).toEqual(model.run(items, delivers));
            } else if (given.type === "resolve") {
              const decided = await system.resolve(given.key, given.as);
              expect(decided).toBe(model.resolve(given.key, given.as));
            } else if (given.type === "confirm") {
              expect(await system.confirm(given.claim)).toBe(model.confirm(given.claim));
            } else {
              await system.deliver();
              model.deliver();
            }
            const states = [...model.entries].map(([key, { state }]) => [key, state] as const);
            expect(await system.states()).toEqual(new Map(states));
          }
          expect(system.service.sent).toEqual(model.sent);
          for (const [key, times] of system.service.sent) {
            expect(times).toBeLessThanOrEqual(1 + (model.allowances.get(key) ?? 0));
          }
        }),
        { numRuns },
      );
      await ledger.close();
    },
    TIMEOUT_MS,
  );
});
