/**
 * Typed clients for the messaging service: `V2Client` for subscriber lists, and `TransactionalClient` for RCS texts and
 * files with an SMS fallback.
 *
 * @module messaging-service-client
 */
export * from "./transactional.ts";
export * from "./v2.ts";
