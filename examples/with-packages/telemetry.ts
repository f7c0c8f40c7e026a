// Logs, metrics and traces from `onEvent`, by pino and OpenTelemetry: `npm run example telemetry`.
import { metrics, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import * as sdkMetrics from "@opentelemetry/sdk-metrics";
import * as sdkTrace from "@opentelemetry/sdk-trace-node";
import { type ClientEvent, V2Client } from "messaging-service-client";
import { pino } from "pino";

// In your application: an exporter that sends these to your collector, instead of the console.
const traces = new sdkTrace.NodeTracerProvider({
  spanProcessors: [new sdkTrace.SimpleSpanProcessor(new sdkTrace.ConsoleSpanExporter())],
});
traces.register();
const exporter = new sdkMetrics.ConsoleMetricExporter();
const reader = new sdkMetrics.PeriodicExportingMetricReader({ exporter });
const meters = new sdkMetrics.MeterProvider({ readers: [reader] });
metrics.setGlobalMeterProvider(meters);

const logger = pino();
const tracer = trace.getTracer("messaging-service");
const meter = metrics.getMeter("messaging-service");
const duration = meter.createHistogram("messaging.attempt.duration", { unit: "ms" });
const waited = meter.createHistogram("messaging.throttle.wait", { unit: "ms" });
const failures = meter.createCounter("messaging.failures");

/** The attempt of each call that is under way. */
const spans = new Map<string, Span>();
const endSpan = (callId: string, reason?: string) => {
  if (reason) spans.get(callId)?.setStatus({ code: SpanStatusCode.ERROR, message: reason });
  spans.get(callId)?.end();
  spans.delete(callId);
};

function onEvent(event: ClientEvent): void {
  const { type, callId, endpoint } = event;
  if (type === "request") {
    const attributes = { "messaging.attempt": event.attempt };
    spans.set(callId, tracer.startSpan(endpoint, { kind: SpanKind.CLIENT, attributes }));
  } else if (type === "response") {
    const { status, durationMs } = event;
    duration.record(durationMs, { endpoint, status });
    spans.get(callId)?.setAttribute("http.response.status_code", status);
    endSpan(callId, status >= 400 ? String(status) : undefined);
  } else if (type === "throttled") {
    waited.record(event.waitMs, { endpoint });
  } else if (type === "failed") {
    failures.add(1, { endpoint, code: event.code, outcome: event.outcome });
    endSpan(callId, event.code);
  } else if (type === "retry") {
    endSpan(callId, event.reason);
  }
  // No event holds a credential, a message text or a phone number: all of it may be logged.
  logger[type === "failed" ? "error" : type === "retry" ? "warn" : "debug"](event);
}

const v2 = new V2Client({ onEvent });
const { id } = await v2.accounts.me();
logger.info({ account: id }, "signed in");
await meters.shutdown();
await traces.shutdown();
