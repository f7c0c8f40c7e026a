// Values that the checks of a run share.
import { TransactionalClient, V2Client } from "messaging-service-client";

/** Kind of ledger that a runtime may support. */
export type LedgerKind = "memory" | "sqlite" | "postgres";

/** Differences between runtimes. */
export interface Traits {
  /** Ledgers that the runtime supports. */
  readonly ledgers: readonly LedgerKind[];
  /** Whether the runtime reports that no connection was made, or, except in Bun, that the TLS handshake failed. */
  readonly tellsRefusal: boolean;
  /** Whether the runtime reports the status of a redirect that is not followed. */
  readonly tellsRedirect: boolean;
  /** Whether `fetch` itself resends a POST after a lost connection. */
  readonly resends: boolean;
  /** Maximum number of requests that `fetch` makes for a GET whose connections are lost. */
  readonly requestsOfLostGet: number;
  readonly hasFinalizationRegistry: boolean;
  /** Time in milliseconds after which a request has certainly reached the service, even on a busy machine. */
  readonly latencyMs: number;
}

/** Addresses, credentials and data of the fake service of a run. */
export interface Settings extends Traits {
  readonly v2BaseUrl: string;
  readonly transactionalBaseUrl: string;
  /** Base URL on which no server listens. */
  readonly deadBaseUrl: string;
  /** Base URL of a host that responds to every TLS handshake with an alert. */
  readonly alertBaseUrl: string;
  /** URL of a Postgres that accepts statements over HTTP. */
  readonly sqlUrl: string;
  /** Folder for SQLite files; empty if the runtime has none. */
  readonly folder: string;
  readonly email: string;
  readonly apiKey: string;
  readonly listId: number;
  readonly reportId: number;
  readonly phone: string;
}

/** Settings and both clients. */
export interface World extends Settings {
  readonly v2: V2Client;
  readonly rcs: TransactionalClient;
}

/** A check. It throws if something does not work. */
export type Check = (world: World) => Promise<void>;

export const openWorld = (settings: Settings): World => {
  const { v2BaseUrl, transactionalBaseUrl, email, apiKey } = settings;
  const v2 = new V2Client({ baseUrl: v2BaseUrl, email, apiKey, responseValidation: "strict" });
  const rcs = new TransactionalClient({ baseUrl: transactionalBaseUrl, apiKey });
  return { ...settings, v2, rcs };
};

/** RCS text that breaks no rule. */
export const message = {
  phoneNumber: "(206) 555-0123",
  webhookUrl: "https://example.com/webhooks/messages",
  rcsPayload: { text: "Your table is ready 🎉" },
  smsFailover: "Your table is ready",
};
