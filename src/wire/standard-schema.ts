/** The part of Standard Schema (standardschema.dev) that is used here: zod, valibot and arktype have it. */
export interface StandardSchema<Output = unknown> {
  /** What every library of the standard gives. */
  readonly "~standard": {
    /** The version of the standard. */
    readonly version: 1;
    /** The library. */
    readonly vendor: string;
    /** Checks a value: its output, or what is wrong. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** For the compiler only. */
    readonly types?:
      | {
          /** What may be given. */
          readonly input: unknown;
          /** What comes out. */
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
