import type { ListRequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
import { type PagePromise, paginate } from "../paging/page-promise.ts";
import { toDay } from "../rules/calendar-day.ts";
import type { ScheduledMessage, ScheduledMessagesQuery } from "../schemas/scheduled-message.ts";
import { listScheduledMessages } from "../wire/v2.ts";

/** Messages that are set to go to a list at a future time. */
export class ScheduledMessages {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * The scheduled messages of a list (specification: "Version 2", endpoint 7).
   *
   * @param listId a positive integer.
   * @param params the first and the last day, each a `YYYYMMDD` text or a `Date`, read as UTC.
   * @example
   * const january = { start_date: "20270101", end_date: "20270131" };
   * for await (const message of v2.scheduledMessages.list(17, january)) console.log(message.sent_at);
   */
  list(
    listId: number,
    params?: ScheduledMessagesQuery,
    options?: ListRequestOptions,
  ): PagePromise<ScheduledMessage> {
    const days = { start_date: toDay(params?.start_date), end_date: toDay(params?.end_date) };
    const input = { params: { ID: listId }, query: { ...params, ...days } };
    return paginate(this.#send, listScheduledMessages, input, options);
  }
}
