import type * as z from "zod/mini";
import type { ValidationIssue } from "../errors/validation-issue.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** One operation of the service as data: the clients call it, the fake service implements it, the docs list it. */
export interface Endpoint<Input = unknown, Body = never, Data = unknown> {
  /** Method and path template, as errors and events quote them. */
  readonly id: string;
  readonly method: Method;
  /** Path template under the base URL; `{NAME}` stands for a path parameter. */
  readonly path: string;
  readonly params: Readonly<Record<string, PathParam>>;
  readonly query?: z.ZodMiniType;
  /** The schema of the request body that the service accepts. */
  readonly body?: z.ZodMiniType;
  /** Returns the schema that the client applies, where it depends on the input. Default: `body`. */
  readonly bodyFor?: (input: EndpointInput) => z.ZodMiniType;
  /** The key that the body is sent under, where it is wrapped. */
  readonly wrap?: string;
  /** Yields issues that span several parts of the input; `validate` is false where the caller turned rules off. */
  readonly refine?: (input: EndpointInput, validate: boolean) => Iterable<ValidationIssue>;
  /** The schema of the whole body of a success. */
  readonly response?: z.ZodMiniType;
  /** Returns why a body that has the required fields is not the response to this input, if it is not. */
  readonly mismatch?: (body: Body, input: EndpointInput) => ValidationIssue | undefined;
  /** The caller's own schema, whose output the call resolves to. */
  readonly schema?: StandardSchema<Data> | undefined;
  /** Fields without which a body does not show that the request was done. Default: any JSON, or no body, will do. */
  readonly requiredFields?: RequiredFields;
  /** The form of a success that is not JSON. */
  readonly responseType?: "text" | "bytes";
  /** Returns what a call resolves to. */
  readonly unwrap: (body: Body) => Data;
  /** Whether sending the request twice has the effect of sending it once. */
  readonly idempotent: boolean;
  /** Never present: carries the type of the input. */
  readonly input?: Input;
}

/** The methods that `request()` can send. */
export type Method = "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD";

/** The input of one call of an endpoint. */
export interface EndpointInput {
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** The content type of the file, where the caller knows it; never sent. */
  readonly contentType?: string | undefined;
}

/** A path parameter: the caller's argument that holds it, and its rules. */
export interface PathParam<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly argument: readonly string[];
  readonly schema: Schema;
}

/** Fields of a body and their types. A field that drifts is reported; one of these fails the call. */
export type RequiredFields = Readonly<Record<string, "object" | "array" | "string" | "integer">>;

type InputOf<Params, Query, Body> = (string extends keyof Params ? unknown : ParamsOf<Params>) &
  (Query extends z.ZodMiniType ? { readonly query?: z.input<Query> | undefined } : unknown) &
  (Body extends z.ZodMiniType ? { readonly body: z.input<Body> } : unknown);

export interface ParamsOf<Params> {
  readonly params: {
    readonly [K in keyof Params]: Params[K] extends PathParam<infer S> ? z.input<S> : never;
  };
}

/** Declares an endpoint, whose types follow from its schemas. */
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
  readonly bodyFor?: Endpoint["bodyFor"];
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
