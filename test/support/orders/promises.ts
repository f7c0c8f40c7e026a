// The promises that must be true at every moment of every history.
import type { Process } from "./process.ts";
import type { World } from "./world.ts";

type Seen = Pick<World, "processes" | "service" | "entry" | "opened" | "openedRefs" | "isDecided">;

/** Results of runs when nothing goes wrong. */
const EXPECTED: readonly string[] = ["accepted", "accepted_before", "changed"];

/** States of an entry whose message was accepted. */
const TAKEN: readonly (string | undefined)[] = ["accepted", "sending", "unknown"];

/** Returns why a report of a run is false, if it is. */
const falseReport = (
  { name, report, timers, operations }: Process,
  { service, entry, opened, isDecided }: Seen,
): string | undefined => {
  if (!report) return undefined;
  const { result, isRecorded, looksFine } = report;
  const isSent = service.accepted.length > 0 || isDecided;
  const isOwn = service.accepted.some(({ from }) => from === name);
  const state = entry?.state ?? "absent";
  if (timers.length > 0 && operations.length === 0) {
    return `run ${name} has ended and leaves a timer behind`;
  }
  // The run that received the refusal has counted it.
  if (looksFine && result !== "rejected_before") {
    if (!isSent) return `run ${name} looks fine, and the message was never accepted`;
    if (!EXPECTED.includes(result)) return `run ${name} looks fine, and reports ${result}`;
  }
  switch (result) {
    case "accepted":
      // After a key was opened, the ledger cannot tell which run's request a late success belongs to.
      if (!isOwn && !(isSent && opened > 0) && !isDecided) {
        return `run ${name} reports accepted, and its request was not`;
      }
      if (isRecorded && state !== "accepted") {
        return `run ${name} reports accepted as recorded, and the entry is ${state}`;
      }
      return undefined;
    case "accepted_before":
    case "changed":
      return state === "accepted"
        ? undefined
        : `run ${name} reports ${result}, and the entry is ${state}`;
    case "rejected":
    case "not_sent":
      return isOwn ? `run ${name} reports ${result}, and its request was accepted` : undefined;
    case "unknown":
      return isRecorded && opened === 0 && !TAKEN.includes(state)
        ? `run ${name} reports unknown as recorded, and the entry is ${state}`
        : undefined;
    default:
      return undefined;
  }
};

/** Returns the promise that is broken, if one is. */
export const brokenPromise = (seen: Seen, events: number): string | undefined => {
  const { processes, service, entry, opened, openedRefs, isDecided } = seen;
  const times = service.accepted.length;
  const texts = service.accepted.filter(({ isRemoval }) => !isRemoval);
  if (texts.length > 1 + openedRefs.length) {
    return `the message was accepted ${texts.length} times`;
  }
  if (!TAKEN.includes(entry?.state) && texts.some(({ ref }) => !openedRefs.includes(ref))) {
    return `the message was accepted, nobody opened its claim, and its entry is ${entry?.state ?? "absent"}`;
  }
  if (times > 0 && opened === 0 && !TAKEN.includes(entry?.state)) {
    return `the message was accepted, and its entry is ${entry?.state ?? "absent"}`;
  }
  if (entry?.state === "accepted" && times === 0 && !isDecided) {
    return "the entry is accepted, and the message was not";
  }
  for (const process of processes) {
    const { name, isAlive, report, operations, timers } = process;
    if (isAlive && !report && timers.length === 0 && operations.every(({ isLate }) => isLate)) {
      return `run ${name} waits for ever`;
    }
    if (isAlive && events === 0 && report && !EXPECTED.includes(report.result)) {
      return `run ${name} reports ${report.result}, although nothing went wrong`;
    }
    const lie = falseReport(process, seen);
    if (lie) return lie;
  }
  return undefined;
};
