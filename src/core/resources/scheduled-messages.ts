import { Resource, sendOf } from "../call/send-of.ts";
import type { ListRequestOptions } from "../call/settings.ts";
import { assertPosition } from "../paging/page.ts";
import { type PagePromise, paginate } from "../paging/page-promise.ts";
import { toDay } from "../rules/dates.ts";
import type { ScheduledMessage, ScheduledMessagesQuery } from "../schemas/scheduled-message.ts";
import { listScheduledMessages } from "../wire/v2.ts";

/** Methods for the messages that are scheduled to go to a list: `v2.scheduledMessages`. */
export class ScheduledMessages extends Resource {
  /**
   * Lists the scheduled messages of a list, page by page.
   *
   * @param listId Id of the list, a positive integer.
   * @param params First and last day, each a string `YYYYMMDD` or a `Date`, whose UTC day is used; page and page size; or,
   * to continue a walk, the `next` of a page or the `resume` of an error.
   * @returns Promise of one page, and iterable of all messages.
   * @throws A {@link MessagingServiceError}: a {@link ValidationError}, before anything is sent, if an argument is invalid;
   * typically, a {@link NotFoundError} if there is no such list.
   * @throws TypeError (as a rejection) that names an invalid or unknown option.
   * @example
   * const january = { start_date: "20270101", end_date: "20270131" };
   * for await (const message of v2.scheduledMessages.list(17, january)) console.log(message.sent_at);
   */
  list(
    listId: number,
    params: ScheduledMessagesQuery = {},
    options?: ListRequestOptions,
  ): PagePromise<ScheduledMessage> {
    const toInput = () => {
      const given: typeof params = Object(params).toJSON?.() ?? params;
      const { start_date, end_date, ...others } = assertPosition(given);
      const query = { ...others, start_date: toDay(start_date), end_date: toDay(end_date) };
      return { params: { ID: listId }, query };
    };
    return paginate(sendOf(this), listScheduledMessages, toInput, options);
  }
}
