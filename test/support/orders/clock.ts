// A clock that replaces the runtime's timers and clocks. Time passes only when a timer is fired.

const START_MS = Date.UTC(2026, 10, 21, 9);

const real = { Date, setTimeout, clearTimeout };
const { stackTraceLimit } = Error;

/** Process that owns timers. */
export interface TimerOwner {
  readonly timers: Timer[];
}

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/** Returns the timer of a process that is due first. */
export const firstTimer = ({ timers }: TimerOwner): Timer | undefined =>
  timers.reduce<Timer | undefined>(
    (first, timer) => (first && first.due <= timer.due ? first : timer),
    undefined,
  );

export class Clock implements Disposable {
  /** Milliseconds since the start. */
  now = 0;
  /** Process whose code is running, which owns the timers that are set now. Without a process, timers are real. */
  current: TimerOwner | undefined;

  /** Replaces the clocks and timers of the runtime until disposal. Until then, errors have no stacks, which are slow to make. */
  constructor() {
    const read = () => START_MS + this.now;
    class ClockDate extends real.Date {
      constructor(...args: []) {
        super(...(args.length === 0 ? ([read()] as unknown as []) : args));
      }
      static override now = read;
    }
    const setTimer = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      const owner = this.current;
      if (!owner) return real.setTimeout(run, ms, ...args);
      const timer: Timer = { due: this.now + ms, run: () => run(...args) };
      owner.timers.push(timer);
      return timer;
    };
    const clearTimer = (timer: Timer | undefined) => {
      const timers = this.current?.timers ?? [];
      const index = timer ? timers.indexOf(timer) : -1;
      if (index >= 0) timers.splice(index, 1);
      else real.clearTimeout(timer as unknown as NodeJS.Timeout);
    };
    Object.assign(globalThis, { Date: ClockDate, setTimeout: setTimer, clearTimeout: clearTimer });
    Object.defineProperty(performance, "now", { value: () => this.now, configurable: true });
    Error.stackTraceLimit = 0;
  }

  /** Lets time pass until a timer is due, and fires it. An overdue timer fires late, as in a process that was blocked. */
  fire(owner: TimerOwner, timer: Timer): void {
    owner.timers.splice(owner.timers.indexOf(timer), 1);
    this.now = Math.max(this.now, timer.due);
    this.current = owner;
    timer.run();
  }

  [Symbol.dispose](): void {
    Object.assign(globalThis, real);
    Error.stackTraceLimit = stackTraceLimit;
    Reflect.deleteProperty(performance, "now");
  }
}
