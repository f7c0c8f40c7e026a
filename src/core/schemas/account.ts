import type * as z from "zod/mini";
import * as f from "./fields.ts";

export const accountSchema = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    /** Id of the account. */
    id: f.integer(),
    /** E-mail address of the account. */
    email: f.string(),
    /** User name of the account. */
    username: f.string(),
  }),
);

/** The account that an API key belongs to. */
export interface Account extends z.infer<ReturnType<typeof accountSchema>> {}
