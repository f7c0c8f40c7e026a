import * as z from "zod/mini";
import { amount, flag, listOf, open, text } from "./fields.ts";

const optionalAmount = /* @__PURE__ */ z.optional(amount);
const optionalFlag = /* @__PURE__ */ z.optional(flag);
const optionalText = /* @__PURE__ */ z.optional(text);

/** Specification: "Validation error (version 3)". */
export const validationErrorSchema = /* @__PURE__ */ open({
  error: optionalText,
  errors: /* @__PURE__ */ listOf(
    /* @__PURE__ */ open({
      code: text,
      message: text,
      path: /* @__PURE__ */ listOf(
        /* @__PURE__ */ z.union(
          [/* @__PURE__ */ z.string(), /* @__PURE__ */ z.number()],
          "must be a string or a number",
        ),
      ),
      validation: optionalText,
      minimum: optionalAmount,
      maximum: optionalAmount,
      type: optionalText,
      inclusive: optionalFlag,
      exact: optionalFlag,
    }),
  ),
});

/** The body of a version 3 HTTP 400 (specification: "Validation error"). */
export interface ValidationErrorBody extends z.infer<typeof validationErrorSchema> {}
