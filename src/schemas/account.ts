import type * as z from "zod/mini";
import { integer, looseObject, once, string } from "./fields.ts";

export const accountSchema = /* @__PURE__ */ once(() =>
  looseObject({
    /** Id of the account. */
    id: integer(),
    /** E-mail address of the account. */
    email: string(),
    /** User name of the account. */
    username: string(),
  }),
);

/** The account that an API key belongs to. */
export interface Account extends z.infer<ReturnType<typeof accountSchema>> {}
