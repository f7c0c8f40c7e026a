import * as z from "zod/mini";
import { amount, flag, listOf, open, text } from "./fields.ts";

const optionalAmount = /* @__PURE__ */ z.optional(amount);
const optionalFlag = /* @__PURE__ */ z.optional(flag);
const optionalText = /* @__PURE__ */ z.optional(text);

/** Specification: "Validation error (version 3)". */
export const validationErrorSchema = /* @__PURE__ */ open({
  /** A short summary. */
  error: optionalText,
  /** Every field that failed. */
  errors: /* @__PURE__ */ listOf(
    /* @__PURE__ */ open({
      /** The kind of failure. */
      code: text,
      /** What is wrong, for people. */
      message: text,
      /** The keys and indexes that lead to the field. */
      path: /* @__PURE__ */ listOf(
        /* @__PURE__ */ z.union(
          [/* @__PURE__ */ z.string(), /* @__PURE__ */ z.number()],
          "must be a string or a number",
        ),
      ),
      /** The kind of check that failed. */
      validation: optionalText,
      /** The smallest allowed length or value. */
      minimum: optionalAmount,
      /** The largest allowed length or value. */
      maximum: optionalAmount,
      /** The type that was expected. */
      type: optionalText,
      /** Whether `minimum` or `maximum` itself is allowed. */
      inclusive: optionalFlag,
      /** Whether the length or value must be exactly the one told. */
      exact: optionalFlag,
    }),
  ),
});

/** The body of a version 3 HTTP 400 (specification: "Validation error"). */
export interface ValidationErrorBody extends z.infer<typeof validationErrorSchema> {}
