// Counts the names that the entry points export, types included.
import ts from "typescript";

const ROOT = new URL("../../", import.meta.url).pathname;

export const exportedNames = (): readonly string[] => {
  const path = `${ROOT}tsconfig.json`;
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const entryPoints = Object.values(options.paths ?? {}).flat();
  const program = ts.createProgram(
    entryPoints.map((entryPoint) => ROOT + entryPoint.replace("./", "")),
    options,
  );
  const checker = program.getTypeChecker();
  const names = program.getRootFileNames().flatMap((name) => {
    const file = program.getSourceFile(name);
    const module = file && checker.getSymbolAtLocation(file);
    if (!module) throw new Error(`${name} is not a module`);
    return checker.getExportsOfModule(module).map((symbol) => symbol.name);
  });
  return [...new Set(names)].sort();
};
