// The real OpenTelemetry SDK with exporters in memory, and its instrumentation of undici.
import { createRequire } from "node:module";
import { join } from "node:path";
import type { MeterLike, TracerLike } from "../../src/opentelemetry/api.ts";
import { installFixture } from "../support/fixture.ts";

/** A span as the exporter stores it. */
export interface ExportedSpan {
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: number; readonly message?: string };
  readonly events: readonly unknown[];
  readonly links: readonly unknown[];
  readonly parentSpanContext?: { readonly spanId: string };
  readonly instrumentationScope: { readonly name: string };
  spanContext(): { readonly traceId: string; readonly spanId: string };
}

/** A metric as the exporter stores it. */
export interface ExportedMetric {
  readonly descriptor: { readonly name: string; readonly unit: string };
  readonly dataPoints: readonly {
    readonly attributes: Readonly<Record<string, unknown>>;
    readonly value: {
      readonly count: number;
      readonly sum: number;
      readonly buckets: { readonly boundaries: readonly number[] };
    };
  }[];
}

export interface Telemetry extends AsyncDisposable {
  readonly tracer: TracerLike;
  readonly meter: MeterLike;
  /** The API's `context`. */
  readonly context: { active(): unknown };
  /** All spans that have ended, in order. */
  spans(): readonly ExportedSpan[];
  /** All metrics of the meter that were recorded so far. */
  metrics(): Promise<readonly ExportedMetric[]>;
  /** Runs work inside a new span and returns the span's ID. */
  within(name: string, work: () => Promise<unknown>): Promise<string>;
}

/** Starts a new SDK for one test. */
export const startTelemetry = (
  options: { readonly instrumentation?: object | false; readonly isRegistered?: boolean } = {},
): Telemetry => {
  const { instrumentation = {}, isRegistered = true } = options;
  const load = createRequire(join(installFixture("first-ring"), "package.json"));
  const api = load("@opentelemetry/api");
  const trace = load("@opentelemetry/sdk-trace-node");
  const metric = load("@opentelemetry/sdk-metrics");
  const { UndiciInstrumentation } = load("@opentelemetry/instrumentation-undici");

  const spanExporter = new trace.InMemorySpanExporter();
  const tracerProvider = new trace.NodeTracerProvider({
    spanProcessors: [new trace.SimpleSpanProcessor(spanExporter)],
  });
  if (isRegistered) tracerProvider.register();
  const metricExporter = new metric.InMemoryMetricExporter(0);
  const reader = new metric.PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 2_000_000_000,
  });
  const meterProvider = new metric.MeterProvider({ readers: [reader] });
  const undici = new UndiciInstrumentation({ enabled: false });
  undici.setTracerProvider(tracerProvider);
  if (instrumentation !== false) {
    undici.setConfig({ enabled: true, ...instrumentation });
    undici.enable();
  }
  const tracer = tracerProvider.getTracer("messaging-service");
  return {
    tracer,
    meter: meterProvider.getMeter("messaging-service"),
    context: api.context,
    spans: () => spanExporter.getFinishedSpans(),
    async metrics() {
      metricExporter.reset();
      await reader.forceFlush();
      return metricExporter
        .getMetrics()
        .flatMap(({ scopeMetrics }: { scopeMetrics: readonly { metrics: unknown }[] }) =>
          scopeMetrics.flatMap(({ metrics }) => metrics),
        );
    },
    within: (name, work) =>
      tracer.startActiveSpan(name, async (span: ExportedSpan & { end(): void }) => {
        await work();
        span.end();
        return span.spanContext().spanId;
      }),
    async [Symbol.asyncDispose]() {
      if (instrumentation !== false) undici.disable();
      await meterProvider.shutdown();
      await tracerProvider.shutdown();
      for (const part of [api.trace, api.context, api.propagation, api.metrics]) part.disable();
    },
  };
};
