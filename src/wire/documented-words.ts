import type * as z from "zod/mini";
import type { Endpoint } from "./endpoint.ts";

/** Parts of a schema that hold other schemas. Each kind of schema has some of them. */
interface Parts {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
}

/** Adds the names of a schema's fields, at any depth, and the values of its closed sets. */
const addWords = (words: Set<string>, { _zod }: z.core.$ZodType): void => {
  const { shape = {}, innerType, element } = _zod.def as Parts;
  const { enum: values = [], alternatives = [] } = _zod.bag as {
    readonly enum?: readonly string[];
    readonly alternatives?: readonly z.core.$ZodType[];
  };
  for (const word of [...values, ...Object.keys(shape)]) words.add(word);
  for (const inner of [innerType, element, ...alternatives, ...Object.values(shape)]) {
    if (inner) addWords(words, inner);
  }
};

/** Returns the names of fields and the values of closed sets that the service documents for an endpoint. */
export const documentedWords = ({
  params,
  query,
  body,
  wrap,
  response,
}: Endpoint): ReadonlySet<string> => {
  const words = new Set(
    Object.entries(params).flatMap(([name, { argument }]) => [name, ...argument]),
  );
  if (wrap !== undefined) words.add(wrap);
  for (const toSchema of [query, body, response]) if (toSchema) addWords(words, toSchema());
  return words;
};
