import type { Endpoint, EndpointInput } from "../wire/endpoint.ts";
import { type ApiPromise, toApiPromise } from "./api-promise.ts";
import type { Connection } from "./call.ts";
import type { RequestOptions } from "./options.ts";
import { runCall } from "./run-call.ts";

/** Calls an endpoint. Resources are given this, never the client. */
export type Send = <Input, Data>(
  endpoint: Endpoint<Input, never, Data>,
  input: NoInfer<Input> & EndpointInput,
  options?: RequestOptions,
) => ApiPromise<Data>;

/** The `send` of one client. It never throws: every failure is a rejection. */
export const createSend =
  (connection: Connection): Send =>
  (endpoint, input, options) =>
    toApiPromise(runCall(connection, endpoint, input, options));
