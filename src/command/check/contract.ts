// Finds the fields of a response that are not as documented. Shows their paths and types, never a value.
import * as z from "zod/mini";
import { isJsonObject } from "../../core/options.ts";
import { fieldOf } from "../../core/responses/read-response.ts";
import { toValidationIssues } from "../../core/schemas/validation-issues.ts";
import { partsOf } from "../../core/wire/endpoint.ts";
import { maskPhones, toPrintable } from "../terminal/print.ts";

/** Field of a response that differs from the documentation. */
export interface Mismatch {
  /** Path of the field without indexes, such as `lists[].counts.cleaned`. */
  readonly field: string;
  readonly problem: "missing" | "new" | "type";
  readonly found: string;
  /** Documentation of the field; absent for a new field. */
  readonly documented?: string;
}

const typeOf = (value: unknown): string => {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
};

/** Shows the name of a new field. A name that is not a word may be data, because a map can have phone numbers as its keys. */
const shownName = (name: string): string =>
  /^[a-z_][\w-]{0,39}$/i.test(name) ? maskPhones(name, 0) : "(a name that is not a word)";

function* newFields(schema: z.core.$ZodType, value: unknown, path = ""): Generator<Mismatch> {
  const { shape, element, innerType } = partsOf(schema);
  if (innerType) yield* newFields(innerType, value, path);
  if (element && Array.isArray(value)) {
    for (const item of value) yield* newFields(element, item, `${path}[]`);
  }
  if (!shape || !isJsonObject(value)) return;
  const start = path === "" ? "" : `${path}.`;
  for (const [name, inner] of Object.entries(value)) {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known) yield* newFields(known, inner, start + name);
    else yield { field: start + shownName(name), problem: "new", found: typeOf(inner) };
  }
}

/** Returns each field of a body that differs from its schema, once. */
export const mismatchesOf = (schema: z.ZodMiniType, body: unknown): readonly Mismatch[] => {
  const issues = z.safeParse(schema, body).error?.issues ?? [];
  const documented = toValidationIssues(issues).map((issue): Mismatch => {
    const value = issue.path.reduce<unknown>((part, key) => Object(part)[key], body);
    return {
      field: fieldOf(issue) || "body",
      problem: value === undefined ? "missing" : "type",
      found: typeOf(value),
      documented: toPrintable(issue.message.replace(/^(is required and )?must be /, "")),
    };
  });
  const all = [...documented, ...newFields(schema, body)];
  return [...new Map(all.map((mismatch) => [JSON.stringify(mismatch), mismatch])).values()];
};
