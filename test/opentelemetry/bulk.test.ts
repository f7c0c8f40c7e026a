import { inspect } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { memoryLedger, sendMany } from "../../src/bulk/index.ts";
import { createThrottle, TransactionalClient } from "../../src/index.ts";
import { traced } from "../../src/opentelemetry/index.ts";
import { createFakeService } from "../../src/testing/index.ts";
import { installFixture } from "../support/fixture.ts";
import { startTelemetry } from "./sdk.ts";

beforeAll(() => void installFixture("first-ring"));

test("each send of a batch has a span below the span that started the batch, without personal data", async () => {
  await using telemetry = startTelemetry();
  const { tracer, meter } = telemetry;
  const service = createFakeService();
  service.failNext({ status: 429 });
  const rcs = new TransactionalClient({
    ...traced({ tracer, meter, fetch: service.fetch }),
    baseUrl: service.transactionalBaseUrl,
    apiKey: service.account.apiKey,
    // Some sends wait until an earlier one ends.
    throttle: createThrottle({ limit: 3, interval: 50 }),
    retry: { backoff: { initial: 1, max: 1 } },
  });
  const messages = Array.from({ length: 10 }, (_, index) => ({
    phoneNumber: `+120655501${String(index).padStart(2, "0")}`,
    webhookUrl: "https://example.com/webhooks",
    rcsPayload: { text: `Your table ${index} is ready` },
    smsFailover: "Your table is ready",
  }));
  const batch = await telemetry.within("batch", async () => {
    const options = { batch: "tables", ledger: memoryLedger(), concurrency: 4 };
    expect(await sendMany(rcs, messages, options)).toMatchObject({ accepted: 10 });
  });
  const spans = telemetry.spans().filter(({ name }) => name !== "batch");
  expect(spans).toHaveLength(11);
  for (const span of spans) {
    expect(span.name).toBe("POST /transactional_messages/send_rcs_text");
    expect(span.parentSpanContext?.spanId).toBe(batch);
  }
  const metrics = await telemetry.metrics();
  const shown = inspect([spans.map(({ attributes }) => attributes), metrics], { depth: null });
  for (const secret of ["2065550", "table", service.account.apiKey]) {
    expect(shown).not.toContain(secret);
  }
});
