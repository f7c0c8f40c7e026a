import type { RequestOptions } from "../http/options.ts";
import { type Connection, createSend, type Send } from "../http/send.ts";
import { type CallSettings, toSettings } from "../http/settings.ts";

/** Key of a client's {@link ClientAccess}, the same in the ESM and the CommonJS copy. */
export const CLIENT_ACCESS: unique symbol = /* @__PURE__ */ Symbol.for(
  "messaging-service-client.client",
);

/**
 * Access of durable sends to a client. They do not call the client's methods, because a subclass or a wrapper may drop
 * arguments. The access exposes no settings, because settings contain credentials.
 */
export interface ClientAccess {
  readonly api: "v2" | "transactional";
  readonly send: Send;
  /** Completes the options of a call with the client's. */
  readonly toSettings: (options?: RequestOptions) => CallSettings;
}

/** Creates the `send` of a client, and gives durable sends access to the client. */
export const openClient = (
  client: object,
  api: ClientAccess["api"],
  connection: Connection,
): Send => {
  const send = createSend(connection);
  const access: ClientAccess = {
    api,
    send,
    toSettings: (options) => toSettings(connection.settings, options),
  };
  Object.defineProperty(client, CLIENT_ACCESS, { value: access });
  return send;
};
