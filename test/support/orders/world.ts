// One history: processes that run the package's own code, and everything that may happen next.
import { hash } from "node:crypto";
import type { Ledger, LedgerEntry } from "../../../src/bulk/ledgers/ledger.ts";
import { Clock, firstTimer } from "./clock.ts";
import type { Mutant } from "./mutants.ts";
import { type Fate, type Operation, Process } from "./process.ts";
import { brokenPromise } from "./promises.ts";
import { CALLS, type CallName } from "./runs.ts";
import { PHONE, Service } from "./service.ts";
import { ledgerIn, Names, type Store } from "./stores.ts";

export interface Setting {
  /** The call of each process. */
  readonly calls: readonly CallName[];
  readonly store: Store;
  /** Maximum number of events in a history. Default: no limit. */
  readonly maxEvents?: number;
  /** Fault in the ledgers of the processes, which the search must find. */
  readonly mutant?: Mutant | undefined;
}

/** One thing that may happen next. */
export interface Choice {
  /** Line of the story, without the response. */
  readonly text: string;
  readonly isEvent: boolean;
  /** Makes it happen. Resolves to the response in words, if there is one. */
  readonly happen: () => unknown;
}

/** Returns whether removals and sends share the key. Their history then starts with a removal in doubt. */
export const isRace = (calls: readonly CallName[]): boolean =>
  calls.includes("removeMany") && calls.some((call) => call !== "removeMany");

const DOUBTFUL = ["sending", "unknown"];

/** Resolves when all promises have settled. */
const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let histories = 0;

export class World implements Disposable {
  readonly processes: readonly Process[];
  readonly service = new Service();
  /** What has happened, one line for each choice. */
  readonly story: string[] = [];
  /** Number of times that a key in doubt was opened, by a person or to repeat a removal. */
  opened = 0;
  /** The `ref` of each message whose claim a person has opened, which permits one more message. */
  readonly openedRefs: string[] = [];
  /** Whether a person has decided that the message was accepted. */
  isDecided = false;
  /** Entry of the key, as of now. */
  entry: LedgerEntry | undefined;
  readonly #setting: Setting;
  readonly #clock = new Clock();
  readonly #names = new Names();
  readonly #handles: readonly Ledger[];
  readonly #ledger: Ledger;
  readonly #batch = `history ${histories++}`;
  #events = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.processes = setting.calls.map(
      (_, index) => new Process("ABC"[index] ?? "?", () => this.#clock.now),
    );
    this.#handles = setting.store.open();
    this.#ledger = this.#handles[0] as Ledger;
  }

  /** Starts every call, up to its first operation. */
  async start(): Promise<void> {
    const { calls, mutant, store } = this.#setting;
    if (isRace(calls)) await this.#leaveDoubt();
    for (const [index, process] of this.processes.entries()) {
      const handle = this.#handles[index + 1] ?? this.#ledger;
      const statements = mutant?.statements?.(handle, (owner) => this.#isDead(owner)) ?? handle;
      const watched = this.#watched(statements);
      store.connect?.(process, index);
      const steps = store.connect ? watched : ledgerIn(process, watched, this.#names);
      const ledger = mutant?.steps?.(steps, process) ?? steps;
      this.#clock.current = process;
      this.#call(process, calls[index] as CallName, ledger);
      await this.#settle();
    }
  }

  /** Makes a removal that ends in doubt. The removals of the history repeat it. */
  async #leaveDoubt(): Promise<void> {
    const fetch = async () => {
      throw new TypeError("fetch failed");
    };
    const { signal } = new AbortController();
    await CALLS.removeMany({ ledger: this.#ledger, batch: this.#batch, fetch, signal });
    await this.#settle();
  }

  #call(process: Process, call: CallName, ledger: Ledger): void {
    const { service } = this;
    const fetch = (_: string, init: RequestInit) =>
      process.perform("sends its request", service.fatesOf(process.name, init));
    const { signal } = process.controller;
    CALLS[call]({ ledger, batch: this.#batch, fetch, signal }).then((report) => {
      process.report = report;
      process.learn(JSON.stringify(report));
    });
  }

  #isDead(owner: string): boolean {
    const name = this.#names.of(owner);
    return this.processes.some((process) => process.name === name && !process.isAlive);
  }

  /** Counts how often a key in doubt is opened. */
  #watched(ledger: Ledger): Ledger {
    return {
      ...ledger,
      resolve: (...decision) => {
        // Counted before the call, because its confirmation may be lost.
        const [, , as] = decision;
        if (as === "open" && DOUBTFUL.includes(this.entry?.state ?? "")) this.opened += 1;
        return ledger.resolve(...decision);
      },
    };
  }

  /** Whether every process has ended or died. */
  get isOver(): boolean {
    return this.processes.every(({ isAlive, report }) => !isAlive || report);
  }

  /** Returns everything that may happen next. */
  choices(): readonly Choice[] {
    const all = [
      ...this.processes.flatMap((process) =>
        process.operations.flatMap((operation) => this.#endsOf(process, operation)),
      ),
      ...(this.isOver ? [] : [...this.#timers(), ...this.#interventions()]),
      ...this.#ends(),
    ];
    const isLimited = this.#events >= (this.#setting.maxEvents ?? Infinity);
    const events = isLimited ? [] : all.filter(({ isEvent }) => isEvent);
    // The events come last, so the number of a choice does not depend on the limit.
    return [...all.filter(({ isEvent }) => !isEvent), ...events];
  }

  /** Makes one thing happen, and lets the process continue until it waits again. */
  async take({ text, isEvent, happen }: Choice): Promise<void> {
    if (isEvent) this.#events += 1;
    this.story.push([text, await happen()].filter(Boolean).join(", "));
    await this.#settle();
  }

  /** Waits until every process waits. */
  async #settle(): Promise<void> {
    await quiet();
    this.#clock.current = undefined;
    this.entry = await this.#ledger.find(this.#batch, PHONE);
  }

  /** Returns the promise that is broken now, if one is. */
  broken(): string | undefined {
    // The removal in doubt at the start of a race also counts as an event.
    return brokenPromise(this, this.#events + Number(isRace(this.#setting.calls)));
  }

  #endsOf(process: Process, operation: Operation): Choice[] {
    const { fates } = operation;
    const isPossible = (fate: Fate) => process.isAlive || (fate.hasEffect && !fate.isEvent);
    return fates.filter(isPossible).map((fate) => ({
      text: process.isAlive
        ? `run ${process.name} ${operation.text}: ${fate.text}`
        : `run ${process.name}, which is dead, ${operation.text}: it arrives`,
      isEvent: fate.isEvent,
      happen: async () => {
        process.operations.splice(process.operations.indexOf(operation), 1);
        let response: Parameters<Operation["end"]>[0];
        try {
          response = { value: await fate.act() };
        } catch (error) {
          response = { error };
        }
        if (!process.isAlive) return undefined;
        this.#clock.current = process;
        const told = operation.end(response);
        process.learn(`${operation.text}: ${fate.text}, ${told}`);
        return told;
      },
    }));
  }

  /** Returns the timers that may fire. It is an event if an operation could end first, or if a process is late. */
  #timers(): Choice[] {
    const waiting = this.processes.filter(({ timers }) => timers.length > 0);
    const all = waiting.map((process) => ({ process, timer: firstTimer(process) }));
    const firstDue = Math.min(...all.map(({ timer }) => timer?.due ?? Infinity));
    const isBusy = this.processes.some(
      ({ isAlive, operations }) => isAlive && operations.some(({ isLate }) => !isLate),
    );
    return all.flatMap(({ process, timer }) => {
      if (!timer) return [];
      const happen = () => {
        for (const { operations } of this.processes) {
          for (const operation of operations) operation.isLate = true;
        }
        this.#clock.fire(process, timer);
        process.learn("timer");
      };
      const due = Math.max(this.#clock.now, timer.due);
      const text = `${due} ms have passed: a timer of run ${process.name} fires`;
      return [{ text, isEvent: isBusy || timer.due > firstDue, happen }];
    });
  }

  /** Returns the ends of runs: each process may die, and each run may be aborted by its `signal`. */
  #ends(): Choice[] {
    return this.processes.flatMap((process): Choice[] => {
      const { name, isAlive, report, operations, controller } = process;
      if (!isAlive || (report && operations.length === 0)) return [];
      const die = () => process.die();
      const abort = () => {
        this.#clock.current = process;
        process.learn("abort");
        controller.abort();
      };
      const isRunning = !report && !controller.signal.aborted;
      return [
        { text: `the process of run ${name} dies`, isEvent: true, happen: die },
        ...(isRunning ? [{ text: `run ${name} is aborted`, isEvent: true, happen: abort }] : []),
      ];
    });
  }

  /** Returns the changes that the webhook and a person may make now. */
  #interventions(): Choice[] {
    const { entry } = this;
    if (!entry) return [];
    const isInDoubt = DOUBTFUL.includes(entry.state);
    const acceptance = this.service.accepted.find(({ ref }) => ref === entry.ref);
    const event = (isPossible: boolean, text: string, happen: Choice["happen"]): Choice[] =>
      isPossible ? [{ text, isEvent: true, happen }] : [];
    const resolve = async (as: "accepted" | "open") => {
      await this.#watched(this.#ledger).resolve(this.#batch, PHONE, as);
      if (as === "accepted") this.isDecided = true;
      else this.openedRefs.push(entry.ref);
    };
    return [
      ...event(
        acceptance !== undefined && (isInDoubt || entry.state === "open"),
        `the webhook for the request of run ${acceptance?.from} arrives`,
        async () => void (await this.#ledger.confirm(entry.ref)),
      ),
      ...event(isInDoubt, "a person resolves the key as accepted", () => resolve("accepted")),
      ...event(isInDoubt || entry.state === "rejected", "a person opens the key", () =>
        resolve("open"),
      ),
    ];
  }

  /**
   * Returns a digest of the state. Two histories with the same state have the same continuations, because the code of a process
   * depends only on what the process has learned, and when. If both runs make the same call, it does not matter which run is A.
   */
  state(): string {
    const { calls } = this.#setting;
    const state = this.#stateOf(this.processes);
    if (calls.length !== 2 || calls[0] !== calls[1]) return hash("sha256", state, "base64");
    const mirrored = this.#stateOf(this.processes.toReversed()).replace(
      /\b[AB](?=\d*\b)/g,
      (name) => (name === "A" ? "B" : "A"),
    );
    return hash("sha256", state < mirrored ? state : mirrored, "base64");
  }

  #stateOf(processes: readonly Process[]): string {
    const { entry, opened, isDecided, service } = this;
    const id = entry && this.#names.of(entry.id);
    return JSON.stringify([
      ...[this.#clock.now, this.#events, opened, isDecided],
      this.openedRefs.map((ref) => this.#names.of(ref)),
      entry && [entry.state, id, this.#names.timed(entry).at, entry.transactionId, entry.code],
      ...processes.map(({ name, isAlive, log, report, operations }) => [
        service.accepted.filter(({ from }) => from === name).length,
        // A run that has ended and has no operations left runs no more code.
        isAlive && (report && operations.length === 0 ? report : log),
        operations.map(({ text, since, isLate }) => [text, since, isLate]),
      ]),
    ]);
  }

  [Symbol.dispose](): void {
    this.#clock[Symbol.dispose]();
  }
}
