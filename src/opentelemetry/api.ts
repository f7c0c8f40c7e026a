// The parts of `@opentelemetry/api` that are used, so that no public type names that package.

/** Values of span and metric attributes. */
export type AttributeValues = Record<string, string | number>;

/** The part of a span that `traced` uses. */
export interface SpanLike {
  /** Returns the ids that make up the `traceparent` header. */
  spanContext(): {
    readonly traceId: string;
    readonly spanId: string;
    readonly traceFlags: number;
    readonly traceState?: { serialize(): string } | undefined;
  };
  /** Adds attributes. */
  setAttributes(attributes: AttributeValues): unknown;
  /** Marks the span as failed. */
  setStatus(status: { code: number }): unknown;
  /** Ends the span. */
  end(): void;
}

/** The part of a `Tracer` that `traced` uses. */
export interface TracerLike {
  /** Starts a span whose parent is the active span. */
  startSpan(name: string, options: { kind: number; attributes: AttributeValues }): SpanLike;
}

/** The part of a `Histogram` that `traced` uses. */
export interface HistogramLike {
  /** Records a value. */
  record(value: number, attributes: AttributeValues): void;
}

/** The part of a `Meter` that `traced` uses. */
export interface MeterLike {
  /** Makes a histogram. */
  createHistogram(
    name: string,
    options: {
      description: string;
      unit: string;
      advice: { explicitBucketBoundaries: number[] };
    },
  ): HistogramLike;
}

/** The part of a `Context` that `traced` uses. */
export interface ContextLike {
  /** Returns a copy of the context with one more value. */
  setValue(key: symbol, value: unknown): ContextLike;
}

/** The part of the API's `context` that `traced` uses. */
export interface ContextManagerLike {
  /** Returns the active context. */
  active(): ContextLike;
  /** Runs a function with another active context. */
  with(context: ContextLike, work: () => unknown): unknown;
}
