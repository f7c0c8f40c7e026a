/**
 * OpenTelemetry spans and metrics without personal data.
 *
 * @module messaging-service-client/opentelemetry
 */
export type { Traced, TracedOptions } from "./traced.ts";
export { traced } from "./traced.ts";
