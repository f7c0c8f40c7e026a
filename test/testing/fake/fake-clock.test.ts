import type { Duration } from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import { FakeClock } from "../../../src/testing/fake/clock.ts";
import { createFake, NEW_YEAR, v2Of } from "../../support/fakes/fake-service.ts";

const newClock = () => new FakeClock(() => new Date(NEW_YEAR));

describe("advance", () => {
  const table: readonly (readonly [Duration, string])[] = [
    [{ days: 1 }, "2026-01-02T00:00:00.000Z"],
    [{ hours: 2 }, "2026-01-01T02:00:00.000Z"],
    [{ minutes: 90 }, "2026-01-01T01:30:00.000Z"],
    [{ seconds: 0.5 }, "2026-01-01T00:00:00.500Z"],
    [{ milliseconds: 1 }, "2026-01-01T00:00:00.001Z"],
    [
      { days: 31, hours: 23, minutes: 59, seconds: 59, milliseconds: 999 },
      "2026-02-01T23:59:59.999Z",
    ],
    [{ hours: undefined, minutes: 1 }, "2026-01-01T00:01:00.000Z"],
    [{}, NEW_YEAR],
  ];
  test.each(table)("advance by %j leads to %s", (duration, time) => {
    const service = createFake();
    service.advance(duration);
    expect(service.now.toISOString()).toBe(time);
  });

  test("advance adds up over several calls", () => {
    const service = createFake();
    service.advance({ hours: 1 });
    service.advance({ hours: 1 });
    expect(service.now.toISOString()).toBe("2026-01-01T02:00:00.000Z");
  });

  test.each([
    ["a negative part", { hours: -1 }],
    ["an unknown unit", { weeks: 1 }],
    ["a string", { hours: "2" }],
    ["NaN", { minutes: Number.NaN }],
    ["Infinity", { minutes: Number.POSITIVE_INFINITY }],
    ["null", { minutes: null }],
    ["a number alone", 7_200_000],
    ["a string alone", "2h"],
    ["nothing", undefined],
  ])("advance refuses %s, names the units, and does not move the clock", (_, duration) => {
    const service = createFake();
    expect(() => service.advance(duration as never)).toThrow(
      new TypeError(
        "advance: duration must hold days, hours, minutes, seconds, milliseconds, each a number of 0 or more",
      ),
    );
    expect(service.now.toISOString()).toBe(NEW_YEAR);
  });
});

describe("the maximum of the clock", () => {
  const beyond: readonly Duration[] = [
    { days: 1e8 },
    { days: 3_000_000 },
    { milliseconds: Number.MAX_VALUE },
    { days: Number.MAX_VALUE, hours: Number.MAX_VALUE },
  ];
  test.each(beyond)(
    "advance by %j, beyond the year 9999, is refused and does not move the clock",
    (duration) => {
      const service = createFake();
      expect(() => service.advance(duration)).toThrow(
        new TypeError("advance: the clock must not go beyond the year 9999"),
      );
      expect(service.now.toISOString()).toBe(NEW_YEAR);
    },
  );

  test("the clock stops at the end of the year 9999, and the fake continues", async () => {
    const end = "9999-12-31T23:59:59.999Z";
    let now = new Date(end);
    const service = createFake({ now: () => now });
    const list = service.addList({ keyword_names: ["VIP"], first_optin_message: "Hello" });
    now = new Date(8.64e15);
    expect(service.now.toISOString()).toBe(end);
    expect(service.receiveText({ from: "+12065550123", text: "vip" })).toMatchObject([{ at: end }]);
    expect(service.addReport()).toMatchObject({ created_at: end });
    expect((await v2Of(service).lists.retrieve(list.id)).counts.subscribers).toBe(1);
    expect(() => service.advance({ milliseconds: 1 })).toThrow(/year 9999/);
  });

  test("an alarm beyond the maximum of the clock never runs and is not due", () => {
    const clock = newClock();
    let runs = 0;
    for (const atMs of [8.64e15, 8.65e15, Number.MAX_VALUE]) clock.setAlarm(atMs, () => runs++);
    expect(clock.nextAlarmMs).toBeUndefined();
    clock.advance({ days: 2_900_000 });
    expect(runs).toBe(0);
  });
});

describe("the source of the clock", () => {
  test("a source of the clock may move by itself, and the advanced time is added to it", () => {
    let now = new Date(NEW_YEAR);
    const service = createFake({ now: () => now });
    service.advance({ hours: 1 });
    now = new Date("2026-01-01T00:30:00.000Z");
    expect(service.now.toISOString()).toBe("2026-01-01T01:30:00.000Z");
  });

  test("the default source of the clock is the real time", () => {
    const before = Date.now();
    const now = createFake({ now: undefined }).now.getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});

describe("alarms of the clock", () => {
  test("alarms of the clock run in order, each at its own time", () => {
    const clock = newClock();
    const rung: string[] = [];
    const run = (name: string) => () => rung.push(`${name} ${clock.timestamp.slice(11, 16)}`);
    clock.setAlarm(clock.nowMs + 3 * 3_600_000, run("third"));
    clock.setAlarm(clock.nowMs + 3_600_000, run("first"));
    clock.setAlarm(clock.nowMs + 2 * 3_600_000, run("second"));
    clock.setAlarm(clock.nowMs + 2 * 3_600_000, run("second too"));
    clock.setAlarm(clock.nowMs + 5 * 3_600_000, run("never"));
    clock.advance({ hours: 4 });
    expect(rung).toEqual(["first 01:00", "second 02:00", "second too 02:00", "third 03:00"]);
    expect(clock.timestamp).toBe("2026-01-01T04:00:00.000Z");
  });

  test("alarms of the clock run once, and never a millisecond early", () => {
    const clock = newClock();
    let runs = 0;
    clock.setAlarm(clock.nowMs + 1000, () => {
      runs += 1;
    });
    clock.advance({ milliseconds: 999 });
    expect(runs).toBe(0);
    clock.advance({ milliseconds: 1 });
    clock.advance({ days: 1 });
    expect(runs).toBe(1);
  });

  test("alarms that an alarm sets count from its time, and run in the same advance", () => {
    const clock = newClock();
    const rung: string[] = [];
    clock.setAlarm(clock.nowMs + 1000, () => {
      rung.push(clock.timestamp);
      clock.setAlarm(clock.nowMs + 1000, () => rung.push(clock.timestamp));
    });
    clock.advance({ seconds: 10 });
    expect(rung).toEqual(["2026-01-01T00:00:01.000Z", "2026-01-01T00:00:02.000Z"]);
  });

  test("alarms of the clock do not run after they were canceled", () => {
    const clock = newClock();
    let runs = 0;
    const cancel = clock.setAlarm(clock.nowMs + 1000, () => {
      runs += 1;
    });
    cancel();
    clock.advance({ seconds: 2 });
    expect(runs).toBe(0);
  });

  test("an alarm that throws does not keep the clock from its target time", () => {
    const clock = newClock();
    clock.setAlarm(clock.nowMs + 1000, () => {
      throw new Error("oops");
    });
    expect(() => clock.advance({ seconds: 5 })).toThrow("oops");
    expect(clock.timestamp).toBe("2026-01-01T00:00:05.000Z");
  });

  test("alarms of the clock run if the source itself moves past them", () => {
    let now = new Date(NEW_YEAR);
    const clock = new FakeClock(() => now);
    const rung: string[] = [];
    clock.setAlarm(clock.nowMs + 1000, () => rung.push(clock.timestamp));
    now = new Date("2026-01-01T00:10:00.000Z");
    clock.runDueAlarms();
    expect(rung).toEqual(["2026-01-01T00:00:01.000Z"]);
  });
});
