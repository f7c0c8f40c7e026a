// Records spans, metrics and logs of a client by OpenTelemetry and pino: `node telemetry.ts`.
import { metrics, trace } from "@opentelemetry/api";
import {
  ConsoleMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  ConsoleSpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { V2Client } from "messaging-service-client";
import { traced } from "messaging-service-client/opentelemetry";
import { pino } from "pino";

// In your application, use exporters that send spans and metrics to your collector instead of the console.
const traces = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())],
});
traces.register();
const reader = new PeriodicExportingMetricReader({ exporter: new ConsoleMetricExporter() });
const meters = new MeterProvider({ readers: [reader] });
metrics.setGlobalMeterProvider(meters);

const logger = pino();
const tracer = trace.getTracer("messaging-service");
const meter = metrics.getMeter("messaging-service");

const v2 = new V2Client({
  ...traced({
    tracer,
    meter,
    // No event holds a credential, a message text or a phone number: you may log all of it.
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
await meters.shutdown();
await traces.shutdown();
