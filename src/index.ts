/**
 * Typed clients of the messaging service: subscriber lists over its version 2, and RCS texts and files
 * with an SMS fallback over its transactional API.
 *
 * @module messaging-service-client
 */
export * from "./transactional.ts";
export * from "./v2.ts";
