// Records spans, metrics and logs of a client with OpenTelemetry and pino: `node telemetry.ts`.
import { metrics, trace } from "@opentelemetry/api";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { V2Client } from "messaging-service-client";
import { traced } from "messaging-service-client/opentelemetry";
import { pino } from "pino";

// Without these two lines, the SDK sends spans and metrics to your collector.
process.env.OTEL_TRACES_EXPORTER = "console";
process.env.OTEL_METRICS_EXPORTER = "console";

const sdk = new NodeSDK();
sdk.start();

const logger = pino();
const tracer = trace.getTracer("messaging-service");
const meter = metrics.getMeter("messaging-service");

const v2 = new V2Client({
  ...traced({
    tracer,
    meter,
    // You can log whole events: without `request()`, they contain no credential, message text or phone number.
    onEvent: (event) => {
      if (event.type === "failed") logger.error(event);
      else if (event.type === "retry") logger.warn(event);
      else logger.info(event);
    },
  }),
});

await tracer.startActiveSpan("nightly job", async (job) => {
  const { id } = await v2.accounts.me();
  logger.info({ account: id }, "signed in");
  job.end();
});
await sdk.shutdown();
