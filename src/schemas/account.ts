import type * as z from "zod/mini";
import { integer, looseObject, string } from "./fields.ts";

/** Schema of an {@link Account} (specification: "Account"). */
export const accountSchema = /* @__PURE__ */ looseObject({
  /** Id of the account. */
  id: integer,
  /** E-mail address of the account. */
  email: string,
  /** User name of the account. */
  username: string,
});

/** The account that an API key belongs to (specification: "Account"). */
export interface Account extends z.infer<typeof accountSchema> {}
