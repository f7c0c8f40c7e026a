// What the checks of a run know, and share.
import { TransactionalClient, V2Client } from "messaging-service-client";

/** A ledger, and how it is reached. */
export type LedgerKind = "memory" | "sqlite" | "bun:sqlite" | "postgres";

/** What runtimes do differently. */
export interface Traits {
  /** The ledgers that it can have. */
  readonly ledgers: readonly LedgerKind[];
  /** Whether it tells that a connection was never made. */
  readonly tellsRefusal: boolean;
  /** Whether it tells the status of a redirect that is not followed. */
  readonly tellsRedirect: boolean;
  /** Whether its `fetch` sends a POST once more, unasked, when the connection is lost. */
  readonly resends: boolean;
  readonly hasFinalizationRegistry: boolean;
}

/** Where the fake service of a run listens, what opens it, and what it holds. */
export interface Settings extends Traits {
  readonly v2BaseUrl: string;
  readonly transactionalBaseUrl: string;
  /** A base URL behind which nobody listens. */
  readonly deadBaseUrl: string;
  /** URL of a Postgres that takes statements by HTTP. */
  readonly sqlUrl: string;
  /** Folder for SQLite files; empty where the runtime has none. */
  readonly folder: string;
  readonly email: string;
  readonly apiKey: string;
  readonly listId: number;
  readonly reportId: number;
  readonly phone: string;
}

/** The settings, and both clients. */
export interface World extends Settings {
  readonly v2: V2Client;
  readonly rcs: TransactionalClient;
}

/** One check; it throws where something does not work. */
export type Check = (world: World) => Promise<void>;

export const openWorld = (settings: Settings): World => {
  const { v2BaseUrl, transactionalBaseUrl, email, apiKey } = settings;
  const v2 = new V2Client({ baseUrl: v2BaseUrl, email, apiKey, responseValidation: "strict" });
  const rcs = new TransactionalClient({ baseUrl: transactionalBaseUrl, apiKey });
  return { ...settings, v2, rcs };
};

/** A text that keeps the rules. */
export const message = {
  phoneNumber: "(206) 555-0123",
  webhookUrl: "https://example.com/webhooks/messages",
  rcsPayload: { text: "Your table is ready 🎉" },
  smsFailover: "Your table is ready",
};
