import { dirname, join } from "node:path";
import ts from "typescript";
import { ROOT, SETUP, STATUS_OF } from "./pages.ts";

const HERE = import.meta.dirname;

const settings = (): ts.CompilerOptions => {
  const path = join(ROOT, "tsconfig.json");
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, files: [], include: [] },
    ts.sys,
    dirname(path),
  );
  // A block may assign a value that it never uses.
  return { ...options, noUnusedLocals: false };
};

/**
 * Compiles code blocks with the settings of this project. Returns the problems of each block by its name, with lines from 0.
 * A block may import from `./setup.ts` and `./status-of.ts`.
 * @param blocks Code of each block, by a name that ends in `.ts`.
 */
export const compileBlocks = (
  blocks: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly { readonly line: number; readonly message: string }[]> => {
  const files = new Map([
    [join(HERE, "setup.ts"), SETUP],
    [join(HERE, "status-of.ts"), STATUS_OF],
  ]);
  for (const [name, code] of blocks) files.set(join(HERE, name), `${code}\nexport {};\n`);
  const options = settings();
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.getSourceFile = (path, languageVersion, ...rest) => {
    const text = files.get(path);
    return text === undefined
      ? getSourceFile(path, languageVersion, ...rest)
      : ts.createSourceFile(path, text, languageVersion);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return new Map(
    [...blocks.keys()].map((name) => {
      const source = program.getSourceFile(join(HERE, name));
      const found = ts.getPreEmitDiagnostics(program, source).map(({ start = 0, messageText }) => ({
        line: source?.getLineAndCharacterOfPosition(start).line ?? 0,
        message: ts.flattenDiagnosticMessageText(messageText, "\n"),
      }));
      return [name, found] as const;
    }),
  );
};
