import { attachSend } from "../http/methods.ts";
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

/**
 * Gives a client of a class its `send` and its `throttle`, and durable sends their access to the client.
 *
 * Nothing here is a private field or enumerable: proxies can read it, and `console.log` does not show it.
 */
export const registerClient = (
  client: object,
  from: { readonly prototype: object },
  api: ClientAccess["api"],
  connection: Connection,
): Send => {
  const send = createSend(connection);
  const access: ClientAccess = {
    api,
    send,
    toSettings: (options) => toSettings(connection.settings, options),
  };
  // A proxy may return something else only for a property that can change.
  Object.defineProperties(client, {
    [CLIENT_ACCESS]: { value: access, configurable: true },
    // A getter, because `inspect` with `showHidden` would show the store of a shared throttle.
    throttle: { get: () => connection.throttle, configurable: true },
  });
  attachSend(client, from, send);
  return send;
};
