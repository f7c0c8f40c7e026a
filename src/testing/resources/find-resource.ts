import { usageError } from "../assert-usage.ts";
import type { FakeStore } from "../state/fake-store.ts";
import type { StoredReport } from "./fake-report.ts";
import type { StoredList } from "./stored-list.ts";

/** @throws TypeError when there is no such resource. */
const found = <Resource>(call: string, name: string, resource: Resource | undefined): Resource => {
  if (resource) return resource;
  throw usageError(call, `there is no ${name}`);
};

/** @throws TypeError when there is no such list. */
export const findList = (call: string, { lists }: FakeStore, listId: number): StoredList =>
  found(call, `list ${String(listId)}`, lists.get(listId));

/** @throws TypeError when there is no such report. */
export const findReport = (call: string, { reports }: FakeStore, reportId: number): StoredReport =>
  found(call, `report ${String(reportId)}`, reports.get(reportId));

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
  return found(call, `account ${String(chosen)}`, account).id;
};
