// The parts of `@opentelemetry/api` that `traced` uses. No public type names that package, because it is not a dependency.

/** Values of span and metric attributes. */
export type AttributeValues = Record<string, string | number>;

/** The part of a span that `traced` uses. */
export interface SpanLike {
  /** Returns the ids that make up the headers of W3C Trace Context. */
  spanContext(): {
    /** Id of the trace, 32 hexadecimal digits. */
    readonly traceId: string;
    /** Id of the span, 16 hexadecimal digits. */
    readonly spanId: string;
    /** Trace flags of W3C Trace Context; 1 means sampled. */
    readonly traceFlags: number;
    /** State that vendors add to the trace. */
    readonly traceState?:
      | {
          /** Returns the value of the `tracestate` header. */
          serialize(): string;
        }
      | undefined;
  };
  /** Adds attributes. */
  setAttributes(attributes: AttributeValues): unknown;
  /** Marks the span as failed. */
  setStatus(status: { readonly code: number }): unknown;
  /** Ends the span. */
  end(): void;
}

/** The part of a `Tracer` that `traced` uses. */
export interface TracerLike {
  /** Starts a span whose parent is the active span. */
  startSpan(
    name: string,
    options: { readonly kind: number; readonly attributes: AttributeValues },
  ): SpanLike;
}

/** The part of a `Meter` that `traced` uses. */
export interface MeterLike {
  /** Creates a histogram. */
  createHistogram(
    name: string,
    options: {
      readonly description: string;
      readonly unit: string;
      readonly advice: { explicitBucketBoundaries: number[] };
    },
  ): {
    /** Records a value. */
    record(value: number, attributes: AttributeValues): void;
  };
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
  /** Runs a function while `context` is the active context. */
  with(context: ContextLike, work: () => unknown): unknown;
}
