import type * as z from "zod/mini";
import type { ValidationIssue } from "../errors/validation-issue.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** One operation of the service, as data: the clients call it, the fake service answers it, the docs list it. */
export interface Endpoint<Input = unknown, Body = never, Data = unknown> {
  /** Method and path template: what errors and events call it. */
  readonly id: string;
  readonly method: Method;
  /** Path template under the base URL; `{NAME}` stands for a path parameter. */
  readonly path: string;
  readonly params: Readonly<Record<string, PathParam>>;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** The key under which the body goes out, where it is wrapped. */
  readonly wrap?: string;
  /** Rules that look at more than one part of the input; `validate` is false where the caller turned rules off. */
  readonly refine?: (input: EndpointInput, validate: boolean) => Iterable<ValidationIssue>;
  /** The whole body of a success. */
  readonly response?: z.ZodMiniType;
  /** Why a body that proves itself answers something else than the input asked for. */
  readonly mismatch?: (body: Body, input: EndpointInput) => ValidationIssue | undefined;
  /** A schema of the caller's own, whose output the call resolves to. */
  readonly schema?: StandardSchema<Data> | undefined;
  /** What a body must hold to prove that the service did what was asked; without it, any JSON or none will do. */
  readonly requiredFields?: RequiredFields;
  /** The form of a success that is not JSON. */
  readonly responseType?: "text" | "bytes";
  /** What a call resolves to. */
  readonly unwrap: (body: Body) => Data;
  /** What a repeat would do: leave everything the same, or do it again. */
  readonly idempotent: boolean;
  /** Never there: carries the type of the input. */
  readonly input?: Input;
}

/** The methods that `request()` can send. */
export type Method = "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD";

/** What one call of an endpoint is given. */
export interface EndpointInput {
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** What the caller knows the file to be; never sent. */
  readonly contentType?: string | undefined;
}

/** A path parameter: which of the caller's arguments it is, and its rules. */
export interface PathParam<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly argument: readonly string[];
  readonly schema: Schema;
}

/** Keys of a body and what each must be. Drift elsewhere is reported; here it fails the call. */
export type RequiredFields = Readonly<Record<string, "object" | "array" | "string" | "integer">>;

type InputOf<Params, Query, Body> = (string extends keyof Params ? unknown : ParamsOf<Params>) &
  (Query extends z.ZodMiniType ? { readonly query?: z.input<Query> | undefined } : unknown) &
  (Body extends z.ZodMiniType ? { readonly body: z.input<Body> } : unknown);

export interface ParamsOf<Params> {
  readonly params: {
    readonly [K in keyof Params]: Params[K] extends PathParam<infer S> ? z.input<S> : never;
  };
}

/** Declares an endpoint; its types follow from its schemas. */
// @__NO_SIDE_EFFECTS__
export const endpoint = <
  const Verb extends Method,
  const Path extends string,
  const Params extends Readonly<Record<string, PathParam>>,
  Response extends z.ZodMiniType,
  Data,
  Query extends z.ZodMiniType | undefined = undefined,
  Body extends z.ZodMiniType | undefined = undefined,
>(definition: {
  readonly method: Verb;
  readonly path: Path;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly wrap?: string;
  readonly refine?: Endpoint["refine"];
  readonly response: Response;
  readonly requiredFields: RequiredFields;
  readonly mismatch?: (
    body: z.output<Response>,
    input: EndpointInput,
  ) => ValidationIssue | undefined;
  readonly unwrap: (body: z.output<Response>) => Data;
  readonly idempotent: boolean;
}) => {
  const { method, path, params = {} } = definition;
  return Object.freeze({ ...definition, id: `${method} ${path}`, params }) as Endpoint<
    InputOf<Params, Query, Body>,
    z.output<Response>,
    Data
  > & { readonly id: `${Verb} ${Path}` };
};
