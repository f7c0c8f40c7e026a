import { usageError } from "../assert-usage.ts";
import type { FakeStore } from "../state/fake-store.ts";
import type { StoredReport } from "./fake-report.ts";
import type { StoredList } from "./stored-list.ts";

/** @throws TypeError when there is no such list. */
export const findList = (call: string, { lists }: FakeStore, listId: number): StoredList => {
  const list = lists.get(listId);
  if (list) return list;
  throw usageError(call, `there is no list ${String(listId)}`);
};

/** @throws TypeError when there is no such report. */
export const findReport = (
  call: string,
  { reports }: FakeStore,
  reportId: number,
): StoredReport => {
  const report = reports.get(reportId);
  if (report) return report;
  throw usageError(call, `there is no report ${String(reportId)}`);
};

/**
 * Returns the id of the account that owns a new resource: the chosen account, or the first.
 *
 * @throws TypeError when there is no such account.
 */
export const findAccountId = (
  call: string,
  { accounts }: FakeStore,
  chosen: number | undefined,
): number => {
  const account = accounts.find(({ id }) => chosen === undefined || id === chosen);
  if (account) return account.id;
  throw usageError(call, `there is no account ${String(chosen)}`);
};
