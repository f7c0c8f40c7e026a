import { checkThat } from "../misuse.ts";

/** How far the clock of a fake service is moved; the parts add up. */
export interface Duration {
  /** 24 hours each. */
  readonly days?: number | undefined;
  /** 60 minutes each. */
  readonly hours?: number | undefined;
  /** 60 seconds each. */
  readonly minutes?: number | undefined;
  /** 1000 milliseconds each. */
  readonly seconds?: number | undefined;
  /** Thousandths of a second. */
  readonly milliseconds?: number | undefined;
}

const UNITS_MS = {
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
  milliseconds: 1,
} as const;

/** @throws TypeError when a part is not a number of 0 or more, or unknown. */
export const toMs = (duration: Duration): number => {
  const units = Object.keys(UNITS_MS).join(", ");
  const check = (holds: boolean) =>
    checkThat("advance", holds, `must be given ${units}, each a number of 0 or more`);
  check(typeof duration === "object" && duration !== null);
  let ms = 0;
  for (const [unit, amount] of Object.entries(duration)) {
    if (amount === undefined) continue;
    const isKnown = Object.hasOwn(UNITS_MS, unit) && Number.isFinite(amount) && amount >= 0;
    check(isKnown);
    ms += amount * UNITS_MS[unit as keyof typeof UNITS_MS];
  }
  return ms;
};

interface Alarm {
  readonly atMs: number;
  readonly ring: () => void;
}

/** The time of a fake service: that of its source, and as much as it was advanced. */
export class FakeClock {
  readonly #source: () => Date;
  readonly #alarms = new Set<Alarm>();
  #aheadMs = 0;
  /** While an alarm rings, the moment for which it was set. */
  #ringingMs: number | undefined;

  constructor(source: () => Date) {
    this.#source = source;
  }

  /** Epoch milliseconds. */
  get nowMs(): number {
    return this.#ringingMs ?? this.#source().getTime() + this.#aheadMs;
  }

  get now(): Date {
    return new Date(this.nowMs);
  }

  /** ISO 8601. */
  get timestamp(): string {
    return this.now.toISOString();
  }

  advance(duration: Duration): void {
    this.#aheadMs += toMs(duration);
    this.ringDue();
  }

  /** Sets an alarm; the function returned takes it back. */
  setAlarm(inMs: number, ring: () => void): () => void {
    const alarm = { atMs: this.nowMs + inMs, ring };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  /** Rings the alarms whose moment has come, each at its own moment, the earliest first. */
  ringDue(): void {
    for (;;) {
      const { nowMs } = this;
      const [due] = [...this.#alarms]
        .filter(({ atMs }) => atMs <= nowMs)
        .sort((a, b) => a.atMs - b.atMs);
      if (!due) return;
      this.#alarms.delete(due);
      this.#ringingMs = due.atMs;
      try {
        due.ring();
      } finally {
        this.#ringingMs = undefined;
      }
    }
  }
}
