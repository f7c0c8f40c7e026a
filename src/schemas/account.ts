import type * as z from "zod/mini";
import { integer, looseObject, once, string } from "./fields.ts";

/** Specification: "Account". */
export const accountSchema = /* @__PURE__ */ once(() =>
  looseObject({
    /** Id of the account. */
    id: integer(),
    /** E-mail address that the account signs in with. */
    email: string(),
    /** Name of the account's user. */
    username: string(),
  }),
);

/** The account that an API key belongs to (specification: "Account"). */
export interface Account extends z.infer<ReturnType<typeof accountSchema>> {}
