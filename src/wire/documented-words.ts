import type * as z from "zod/mini";
import type { Endpoint } from "./endpoint.ts";

/** Parts of a schema that hold other schemas, names and values. Each kind of schema has some of them. */
interface Parts {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly string[];
}

/** Adds the names of a schema's fields, at any depth, and the values of its closed sets. */
const addWords = (words: Set<string>, schema: z.core.$ZodType): void => {
  const {
    shape = {},
    innerType,
    element,
    options = [],
    entries = {},
    values = [],
  } = schema._zod.def as Parts;
  for (const word of [...Object.keys(shape), ...Object.keys(entries), ...values]) words.add(word);
  for (const inner of [innerType, element, ...options, ...Object.values(shape)]) {
    if (inner) addWords(words, inner);
  }
};

/** Returns the names of fields and the values of closed sets that the service documents for an endpoint. */
export const documentedWords = (endpoint: Endpoint): ReadonlySet<string> => {
  const { params, query, body, wrap = "", response } = endpoint;
  const words = new Set([wrap, ...Object.keys(params)]);
  for (const toSchema of [query, body, response]) if (toSchema) addWords(words, toSchema());
  return words;
};
