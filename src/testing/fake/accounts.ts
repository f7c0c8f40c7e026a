import { accountSchema } from "../../schemas/account.ts";
import { assertFields, assertResource, assertUsage, given } from "./checks.ts";
import type { FakeAccount, ResourceContext, Some } from "./store.ts";

/** Fields of a new account. Default: generated ones. */
export interface NewAccount extends Some<FakeAccount> {}

const CALL = "addAccount";

/** Adds an account, with generated values for missing fields. */
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
  assertUsage(CALL, isNewKey, "apiKey belongs to another account");
  accounts.push(stored);
  return stored;
};

/** Sets fields of the first account. */
export const changeFirstAccount = (context: ResourceContext, account: NewAccount = {}): void => {
  const { accounts } = context.store;
  const [first, ...others] = accounts.splice(0);
  addAccount(context, { ...first, ...given(account) });
  accounts.push(...others);
};
