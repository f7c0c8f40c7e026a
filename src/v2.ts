/**
 * The client for version 2 alone, without the phone metadata of the transactional client.
 *
 * @module messaging-service-client/v2
 */

export * from "./common.ts";
export type { ListRequestOptions } from "./core/call/settings.ts";
export * from "./core/clients/v2-client.ts";
export type { Page } from "./core/paging/page.ts";
export type { PagePromise } from "./core/paging/page-promise.ts";
export { collectedDataTypes, successActions } from "./core/rules/opt-in-steps.ts";
export { maxPageSize } from "./core/schemas/page.ts";
