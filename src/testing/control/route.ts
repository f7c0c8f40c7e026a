import type * as z from "zod/mini";
import type { FakeHistory, FakeService } from "../fake-service.ts";

/** Name of a control call in the message of an error. The response has the problems without it. */
export const CONTROL = "control";

/** Service that a control call works on. */
export interface ControlContext {
  readonly service: FakeService;
  /** Fires when the caller is gone. */
  readonly signal: AbortSignal;
}

/** Checked input of a control call. */
export interface ControlInput<Query, Body> {
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
}

/** One call of the control API as data. The server, the docs and the tests all use it. */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path template under `/__fake/`; `{NAME}` stands for a path parameter. */
  readonly path: string;
  readonly operationId: string;
  /** Summary of the call: a sentence that begins with a verb, without its period. */
  readonly summary: string;
  readonly query?: z.ZodMiniType | undefined;
  readonly body?: z.ZodMiniType | undefined;
  /** Records that the call returns. A header of the response says whether older ones were dropped. */
  readonly history?: FakeHistory | undefined;
  /** Status of a success. */
  readonly status: 200 | 201 | 204;
  /** Body of a success; absent for 204. */
  readonly response?: z.ZodMiniType;
  /** Returns the body of a success, or a promise of it. */
  readonly run: (context: ControlContext, input: ControlInput<never, never>) => unknown;
}

type OutputOf<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

/** Declares a call; the types of its input follow from its schemas. */
export const route = <
  Query extends z.ZodMiniType | undefined = undefined,
  Body extends z.ZodMiniType | undefined = undefined,
>(
  definition: Omit<ControlRoute, "query" | "body" | "run"> & {
    readonly query?: Query;
    readonly body?: Body;
    readonly run: (
      context: ControlContext,
      input: ControlInput<OutputOf<Query>, OutputOf<Body>>,
    ) => unknown;
  },
): ControlRoute => definition as ControlRoute;
