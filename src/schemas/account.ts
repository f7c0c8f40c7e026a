import type * as z from "zod/mini";
import { integer, open, text } from "./fields.ts";

/** Specification: "Account". */
export const accountSchema = /* @__PURE__ */ open({
  /** Identifies the account. */
  id: integer,
  /** The e-mail address that the account signs in with. */
  email: text,
  /** The name of the account's user. */
  username: text,
});

/** The account that an API key belongs to (specification: "Account"). */
export interface Account extends z.infer<typeof accountSchema> {}
