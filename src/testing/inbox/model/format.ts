import type { FakePhone } from "../../control/schemas.ts";

/** Creates a format for people. Times are in UTC, like the service's timestamps. */
const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-US", { timeZone: "UTC", hourCycle: "h23", ...options });

const TIME_FORMAT = format({ hour: "2-digit", minute: "2-digit" });
const DAY_FORMAT = format({ weekday: "short", month: "short", day: "numeric", year: "numeric" });
const CLOCK_FORMAT = format({
  weekday: "short",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const SHORT_DAY_FORMAT = format({ month: "short", day: "numeric" });

export const toTime = (at: string): string => (at === "" ? "" : TIME_FORMAT.format(new Date(at)));
export const toDate = (at: string): string => (at === "" ? "" : DAY_FORMAT.format(new Date(at)));

export const toDayAndTime = (at: string): string => CLOCK_FORMAT.format(new Date(at));

/** Formats a moment as a time if it is today on the fake's clock, otherwise as a day. */
export const toShort = (at: string, now: string): string =>
  toDate(at) === toDate(now) ? toTime(at) : SHORT_DAY_FORMAT.format(new Date(at));

/** Formats a U.S. or Canadian phone number, such as `(206) 555-0123`. */
export const toNational = (phone: string): string =>
  phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "($1) $2-$3");

/** Formats a count with its noun: `1 segment`, `2 segments`. */
export const plural = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

const UNITS: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
];

export const toDistance = (at: string, now: string): string => {
  const ms = Date.parse(at) - Date.parse(now);
  const [unitMs, unit] = UNITS.find(([size]) => ms >= size) ?? [60_000, "minute"];
  const count = Math.round(ms / unitMs);
  return count < 1 ? "in less than a minute" : `in ${plural(count, unit)}`;
};

/** Describes the progress of a phone in a double opt-in with this number of steps. */
export const toProgress = (
  { step = 0, reminderAt }: FakePhone["optIns"][number],
  steps: number | undefined,
  now: string,
): string => {
  const asked = `step ${step + 1} of ${steps ?? "?"}`;
  return reminderAt ? `${asked}, reminder ${toDistance(reminderAt, now)}` : asked;
};
