/** The part of Standard Schema (standardschema.dev) that this package uses; zod, valibot and arktype implement it. */
export interface StandardSchema<Output = unknown> {
  /** The properties of the standard. */
  readonly "~standard": {
    /** Version of the standard. */
    readonly version: 1;
    /** Name of the library. */
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
