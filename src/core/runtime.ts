/** Parts of `process` that Node, Bun and Deno share. */
interface Process {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly versions: { readonly node?: string; readonly undici?: string };
  cwd(): string;
  getBuiltinModule?(name: string): unknown;
}

/** Returns the parts of `process` that the runtime has; an empty object in a browser. */
export const runtime = (): Partial<Process> =>
  (globalThis as { readonly process?: Process }).process ?? {};

/** Returns a built-in module of the runtime, or `undefined`. It is not imported, so no bundler tries to resolve it. */
export const builtInModule = <Module>(name: string): Module | undefined =>
  runtime().getBuiltinModule?.(name) as Module | undefined;
