/**
 * OpenTelemetry spans and metrics without personal data.
 *
 * @module messaging-service-client/opentelemetry
 */
export { type TracedOptions, traced } from "./traced.ts";
