import * as z from "zod/mini";
import { assertUsage, parseOptions } from "./checks.ts";
import * as f from "./fake-fields.ts";

const unit = z.optional(f.notNegativeNumber);

export const durationSchema = f.objectOf({
  /** Days of 24 hours. Default: 0. */
  days: unit,
  /** Hours. Default: 0. */
  hours: unit,
  /** Minutes. Default: 0. */
  minutes: unit,
  /** Seconds. Default: 0. */
  seconds: unit,
  /** Milliseconds. Default: 0. */
  milliseconds: unit,
});

/** Duration; its parts add up. */
export interface Duration extends f.DeepReadonly<z.infer<typeof durationSchema>> {}

export const MS_PER_UNIT = {
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
  milliseconds: 1,
} as const;

/** @throws TypeError when a part is unknown, or not a number of 0 or more. */
const durationToMs = (duration: Duration): number => {
  const parts = parseOptions("advance", durationSchema, duration, "duration");
  let ms = 0;
  for (const [unit, unitMs] of Object.entries(MS_PER_UNIT)) {
    ms += (parts[unit as keyof typeof parts] ?? 0) * unitMs;
  }
  return ms;
};

/** First time of the clock in epoch milliseconds: January 1 of the year 1. */
export const CLOCK_START_MS = -62_135_596_800_000;
/** Last time of the clock in epoch milliseconds: the end of the year 9999, because timestamps have four-digit years. */
export const CLOCK_END_MS = 253_402_300_799_999;

export const clockMsSchema = f.numberFrom(CLOCK_START_MS, CLOCK_END_MS);

interface Alarm {
  readonly atMs: number;
  readonly run: () => void;
  readonly owner: object;
}

/** Clock of a fake service: the time of its source plus the time by which it was advanced. */
export class FakeClock {
  readonly #source: () => Date;
  readonly #alarms = new Set<Alarm>();
  #aheadMs = 0;
  #alarmMs: number | undefined;

  constructor(source: () => Date) {
    this.#source = source;
  }

  get nowMs(): number {
    return this.#alarmMs ?? Math.min(this.#source().getTime() + this.#aheadMs, CLOCK_END_MS);
  }

  get now(): Date {
    return new Date(this.nowMs);
  }

  get timestamp(): string {
    return this.now.toISOString();
  }

  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** Time of the next alarm in epoch milliseconds; `undefined` when none is set. */
  get nextAlarmMs(): number | undefined {
    return this.#earliest?.atMs;
  }

  /** Moves the clock without running the alarms that become due. */
  skip(ms: number): void {
    this.#aheadMs += ms;
  }

  /** @throws TypeError when the duration is malformed or leads beyond the end of the clock. The clock then does not move. */
  advance(duration: Duration): void {
    const ms = durationToMs(duration);
    const isInRange = this.nowMs + ms <= CLOCK_END_MS;
    assertUsage("advance", isInRange, "the clock must not go beyond the year 9999");
    this.skip(ms);
    this.runDueAlarms();
  }

  /** Sets an alarm of an owner for a time in epoch milliseconds. An alarm beyond the end of the clock never runs. */
  setAlarm(atMs: number, run: () => void, owner: object): void {
    if (atMs <= CLOCK_END_MS) this.#alarms.add({ atMs, run, owner });
  }

  cancelAlarmsOf(owner: object): void {
    for (const alarm of this.#alarms) if (alarm.owner === owner) this.#alarms.delete(alarm);
  }

  /** Runs the alarms that are due, earliest first; the clock shows each alarm's time. Returns whether any was due. */
  runDueAlarms(): boolean {
    let hasRun = false;
    for (;;) {
      const due = this.#earliest;
      if (!due || due.atMs > this.nowMs) return hasRun;
      hasRun = true;
      this.#alarms.delete(due);
      this.#alarmMs = due.atMs;
      try {
        due.run();
      } finally {
        this.#alarmMs = undefined;
      }
    }
  }

  get #earliest(): Alarm | undefined {
    let earliest: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (!earliest || alarm.atMs < earliest.atMs) earliest = alarm;
    }
    return earliest;
  }
}
