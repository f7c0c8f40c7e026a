// The values that the checks of a run share.
import { TransactionalClient, V2Client } from "messaging-service-client";

/** Ledger, with how it is reached. */
export type LedgerKind = "memory" | "sqlite" | "bun:sqlite" | "postgres";

/** Differences between runtimes. */
export interface Traits {
  /** Ledgers that it can have. */
  readonly ledgers: readonly LedgerKind[];
  /** Whether it reports that a connection was never made, or that its TLS handshake failed. */
  readonly tellsRefusal: boolean;
  /** Whether it reports the status of a redirect that is not followed. */
  readonly tellsRedirect: boolean;
  /** Whether its `fetch` resends a POST by itself when the connection is lost. */
  readonly resends: boolean;
  readonly hasFinalizationRegistry: boolean;
}

/** Addresses, credentials and data of the fake service of a run. */
export interface Settings extends Traits {
  readonly v2BaseUrl: string;
  readonly transactionalBaseUrl: string;
  /** Base URL on which nothing listens. */
  readonly deadBaseUrl: string;
  /** Base URL of a host that ends every TLS handshake with an alert. */
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

/** Check, which throws if something does not work. */
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
