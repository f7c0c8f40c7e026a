import type { Fault } from "messaging-service-client/testing";
import { expect, test } from "vitest";
import { createFake, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";
import { useTurningClock } from "../../support/turning-clock.ts";

/** A fault, the error of a send that meets it, and whether the phone received the text. */
type Row = readonly [Fault, { readonly code: string; readonly outcome: string }, texted: boolean];

const rows: readonly Row[] = [
  ["network", { code: "connection", outcome: "unknown" }, false],
  ["hang", { code: "timeout", outcome: "unknown" }, false],
  ["stalled_body", { code: "timeout", outcome: "unknown" }, true],
  ["truncated", { code: "response_validation", outcome: "unknown" }, true],
  ["html", { code: "response_validation", outcome: "unknown" }, false],
  ["dropped", { code: "connection", outcome: "unknown" }, true],
  ["slow", { code: "timeout", outcome: "unknown" }, true],
  ["drift", { code: "response_validation", outcome: "done" }, true],
];

useTurningClock();

test.each(rows)(
  "a send that meets the fault %s has the right error and effect",
  async (fault, error, texted) => {
    const service = createFake();
    service.failNext({ fault });
    const rcs = rcsOf(service, { timeout: 100, retry: 2 });
    await expect(rcs.sendRcsText(rcsText)).rejects.toMatchObject({ ...error, attempts: 1 });
    expect(service.outbox).toHaveLength(texted ? 1 : 0);
    // Only one send meets the fault.
    await rcs.sendRcsText(rcsText);
  },
);
