import type { StoredReport } from "../resources/fake-report.ts";
import type { FakeAccount, StoredList } from "../resources/stored-list.ts";
import { appendBounded } from "./append-bounded.ts";
import { type IdMode, Ids } from "./ids.ts";

/** Send that the fake accepted. */
export interface AcceptedSend {
  /** Transaction id of the response. */
  readonly transactionId: string;
  /** Time of the fake's clock, ISO 8601. */
  readonly at: string;
  /** Phone number in E.164. */
  readonly phoneNumber: string;
  /** URL that webhooks of this send go to. */
  readonly webhookUrl: string;
  /** RCS text; absent for a file. */
  readonly text?: string;
  /** URL of the RCS file; absent for a text. */
  readonly file?: string;
  /** Text of the SMS fallback. */
  readonly smsFailover: string;
}

/** File as its host serves it. */
export interface HostedFile {
  /** Value of the host's `content-type` header. */
  readonly contentType: string;
  /** Size in bytes. Default: unknown. */
  readonly size?: number | undefined;
}

/** Store of a fake service. */
export class FakeStore {
  readonly ids: Ids;
  readonly accounts: FakeAccount[] = [];
  readonly lists = new Map<number, StoredList>();
  readonly reports = new Map<number, StoredReport>();
  readonly sends: AcceptedSend[] = [];
  /** Hosted files by URL. */
  readonly files = new Map<string, HostedFile>();
  readonly #historyLimit: number;

  constructor(ids: IdMode, historyLimit: number) {
    this.ids = new Ids(ids);
    this.#historyLimit = historyLimit;
  }

  addSend(send: AcceptedSend): void {
    appendBounded(this.sends, send, this.#historyLimit);
  }

  /** Returns the lists of an account in the order of their ids. */
  listsOf(accountId: number): StoredList[] {
    return [...this.lists.values()]
      .filter((list) => list.accountId === accountId)
      .sort((a, b) => a.resource.id - b.resource.id);
  }
}
