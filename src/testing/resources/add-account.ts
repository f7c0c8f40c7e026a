import { accountSchema } from "../../schemas/account.ts";
import { assertFields, assertResource, assertUsage } from "../assert-usage.ts";
import { given } from "./given.ts";
import type { NewAccount, ResourceContext } from "./new-resources.ts";
import type { FakeAccount } from "./stored-list.ts";

const CALL = "addAccount";

/** Adds an account, with made-up values for fields that are not given. */
export const addAccount = ({ store }: ResourceContext, account: NewAccount = {}): FakeAccount => {
  assertFields(CALL, account);
  const { apiKey, ...fields } = account;
  const id = store.ids.idOf(fields.id);
  const stored = {
    id,
    email: `owner${id}@example.com`,
    username: `owner${id}`,
    apiKey: apiKey ?? `fake-api-key-${id}`,
    ...given(fields),
  };
  assertResource(CALL, accountSchema, stored);
  const isKey = typeof stored.apiKey === "string" && stored.apiKey !== "";
  assertUsage(CALL, isKey, "apiKey must be a string that is not empty");
  const { accounts } = store;
  assertUsage(CALL, !accounts.some((known) => known.id === id), `id ${id} is taken`);
  const isNewKey = !accounts.some((known) => known.apiKey === stored.apiKey);
  assertUsage(CALL, isNewKey, "apiKey is the one of another account");
  accounts.push(stored);
  return stored;
};

/** Gives the first account the fields that are given. */
export const changeFirstAccount = (context: ResourceContext, account: NewAccount = {}): void => {
  const { accounts } = context.store;
  const [first, ...others] = accounts.splice(0);
  addAccount(context, { ...first, ...given(account) });
  accounts.push(...others);
};
