import type * as z from "zod/mini";
import type { ValidationIssue } from "../errors.ts";
import { once } from "../schemas/fields.ts";
import { type Matcher, matcherOf } from "../schemas/matcher.ts";

/** Operation of the service as data. The clients call it, the fake service implements it, and the docs list it. */
export interface Endpoint<Input = unknown, Body = never, Data = unknown> {
  /** Method and path template, as errors and events show them. */
  readonly id: string;
  readonly method: Method;
  /** Path template under the base URL; `{NAME}` stands for a path parameter. */
  readonly path: string;
  /** Whether the caller of `request()` wrote the path, which may then contain data. */
  readonly isCustom?: true;
  readonly params: Readonly<Record<string, PathParam>>;
  /** Returns the schema of the query. Schemas are created on first use. */
  readonly query?: () => z.ZodMiniType;
  /** Returns a fast test of whether a query matches its schema. A walk sends one query for each page. */
  readonly matchesQuery?: () => Matcher;
  /** Returns the schema of the request body that the service accepts. */
  readonly body?: () => z.ZodMiniType;
  /** Returns a fast test of whether the schema would return a request body unchanged. */
  readonly matchesBody?: () => Matcher;
  /** Field of the request that contains the body, if the body is wrapped. */
  readonly wrap?: string;
  /** Names of the options that only a call of this endpoint has. */
  readonly options?: Readonly<Record<string, true>>;
  /** Yields issues that span several parts of the input; `validate` is false if the caller turned the rules off. */
  readonly refine?: (
    input: EndpointInput,
    validate: boolean,
    options?: object,
  ) => Iterable<ValidationIssue>;
  /** Returns the schema of the whole body of a 2xx response. */
  readonly response?: () => z.ZodMiniType;
  /** Returns a fast test of whether a body matches that schema. */
  readonly matchesResponse?: () => Matcher;
  /** Returns the issue of a body that has the required fields but does not match the input that was sent. */
  readonly responseIssue?: (body: Body, sent: EndpointInput) => ValidationIssue | undefined;
  /** The caller's schema for the body. The call resolves to its output. */
  readonly schema?: StandardSchema<Data> | undefined;
  /** Fields of the body that show that the request was carried out. Default: none; any JSON, or an empty body, is accepted. */
  readonly requiredFields?: RequiredFields;
  readonly unwrap: (body: Body) => Data;
  /** Whether the request is idempotent, so that sending it twice has the same effect as sending it once. */
  readonly idempotent: boolean;
  /** Type of the input, for the compiler only; never present. */
  readonly input?: Input;
}

/** Part of Standard Schema (standardschema.dev) that this package uses. Schemas of zod, valibot and arktype implement it. */
export interface StandardSchema<Output = unknown> {
  /** Properties that the standard defines. */
  readonly "~standard": {
    /** Version of the standard. */
    readonly version: 1;
    /** Name of the library that made the schema. */
    readonly vendor: string;
    /** Validates a value, and returns its output or its issues. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Types of input and output, for the compiler only. */
    readonly types?:
      | {
          /** Type of the input. */
          readonly input: unknown;
          /** Type of the output. */
          readonly output: Output;
        }
      | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** HTTP methods that `request()` can send. */
export type Method = "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD";

export interface EndpointInput {
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  /** Body, not wrapped. */
  readonly body?: unknown;
}

/** Path parameter: the path of the caller's argument, and the schema of its value. */
export interface PathParam<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly argument: readonly string[];
  readonly schema: () => Schema;
}

/** Fields that a body must have, with their types. If one is missing, the call fails. Any other mismatch is only reported. */
export type RequiredFields = Readonly<Record<string, "object" | "array" | "string" | "integer">>;

type InputOf<Params, Query, Body> = (string extends keyof Params ? unknown : ParamsOf<Params>) &
  (Query extends z.ZodMiniType ? { readonly query?: z.input<Query> | undefined } : unknown) &
  (Body extends z.ZodMiniType ? { readonly body: z.input<Body> } : unknown);

export interface ParamsOf<Params> {
  readonly params: {
    readonly [K in keyof Params]: Params[K] extends PathParam<infer S> ? z.input<S> : never;
  };
}

// @__NO_SIDE_EFFECTS__
export const endpoint = <
  const Verb extends Method,
  const Path extends string,
  const Params extends Readonly<Record<string, PathParam>>,
  Response extends z.ZodMiniType,
  Data,
  Query extends z.ZodMiniType | undefined = undefined,
  Body extends z.ZodMiniType | undefined = undefined,
>(
  definition: Pick<Endpoint, "wrap" | "options" | "refine" | "idempotent"> & {
    readonly method: Verb;
    readonly path: Path;
    readonly params?: Params;
    readonly query?: () => Query;
    readonly body?: () => Body;
    readonly response: () => Response;
    readonly requiredFields: RequiredFields;
    readonly responseIssue?: Endpoint<unknown, z.output<Response>>["responseIssue"];
    readonly unwrap: (body: z.output<Response>) => Data;
  },
) => {
  const { method, path, params = {}, query, body } = definition;
  const id = `${method} ${path}`;
  const response = once(definition.response);
  return Object.freeze({
    ...definition,
    id,
    params,
    response,
    matchesResponse: once(() => matcherOf(response())),
    ...(body && { matchesBody: once(() => matcherOf(body() as z.ZodMiniType, true)) }),
    ...(query && { matchesQuery: once(() => matcherOf(query() as z.ZodMiniType)) }),
  }) as Endpoint<InputOf<Params, Query, Body>, z.output<Response>, Data> & {
    readonly id: `${Verb} ${Path}`;
  };
};

/** Parts of a schema or a check that contain schemas, names and values. Each kind has some of these parts. */
interface Parts {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly checks?: readonly z.core.$ZodCheck[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly string[];
}

export const partsOf = (schema: z.core.$ZodType | z.core.$ZodCheck): Parts =>
  schema._zod.def as Parts;

const addWords = (words: Set<string>, schema: z.core.$ZodType | z.core.$ZodCheck): void => {
  const {
    shape = {},
    innerType,
    element,
    options = [],
    checks = [],
    entries = {},
    values = [],
  } = partsOf(schema);
  for (const word of [...Object.keys(shape), ...Object.keys(entries), ...values]) words.add(word);
  for (const inner of [innerType, element, ...options, ...checks, ...Object.values(shape)]) {
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
