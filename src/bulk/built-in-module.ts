/** Returns a module of the runtime itself, if it has one of this name. No import names it, so that no bundler looks for it. */
export const builtInModule = <Module>(name: string): Partial<Module> =>
  (
    globalThis as { process?: { getBuiltinModule?(name: string): Module | undefined } }
  ).process?.getBuiltinModule?.(name) ?? {};
