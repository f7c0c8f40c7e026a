import * as transactional from "../../wire/transactional.ts";
import * as v2 from "../../wire/v2.ts";

/** An endpoint of the service: method and path template, such as `"GET /api/v2/lists/{ID}"`. */
export type FakeEndpoint =
  | (typeof v2)[keyof typeof v2]["id"]
  | (typeof transactional)[keyof typeof transactional]["id"];

/** The endpoints that the fake serves. */
export const endpointIds: readonly FakeEndpoint[] = [
  ...Object.values(v2),
  ...Object.values(transactional),
].map(({ id }) => id);
