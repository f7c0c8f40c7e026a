import * as z from "zod/mini";
import {
  listOf,
  looseObject,
  number,
  optionalBoolean,
  optionalString,
  string,
} from "./shared/fields.ts";

const optionalNumber = /* @__PURE__ */ z.optional(number);

/** Specification: "Validation error (version 3)". */
export const validationErrorSchema = /* @__PURE__ */ looseObject({
  /** Short summary. */
  error: optionalString,
  /** Every field that failed. */
  errors: /* @__PURE__ */ listOf(
    /* @__PURE__ */ looseObject({
      /** Kind of failure. */
      code: string,
      /** Description of the failure for people. */
      message: string,
      /** Keys and indexes that lead to the field. */
      path: /* @__PURE__ */ listOf(
        /* @__PURE__ */ z.union(
          [/* @__PURE__ */ z.string(), /* @__PURE__ */ z.number()],
          "must be a string or a number",
        ),
      ),
      /** Kind of check that failed. */
      validation: optionalString,
      /** Smallest allowed length or value. */
      minimum: optionalNumber,
      /** Largest allowed length or value. */
      maximum: optionalNumber,
      /** Expected type. */
      type: optionalString,
      /** Whether `minimum` or `maximum` itself is allowed. */
      inclusive: optionalBoolean,
      /** Whether the length or value must be exactly this one. */
      exact: optionalBoolean,
    }),
  ),
});

/** Body of a version 3 HTTP 400 (specification: "Validation error"). */
export interface ValidationErrorBody extends z.infer<typeof validationErrorSchema> {}
