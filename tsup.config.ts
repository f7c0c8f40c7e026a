import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build, transform } from "esbuild";
import { defineConfig } from "tsup";
import { plainPhoneNumbers } from "./.config/plain-phone-numbers.ts";
import { inboxPageForEsbuild } from "./src/inbox/bundle.ts";

const entry = {
  index: "src/index.ts",
  v2: "src/v2.ts",
  transactional: "src/transactional.ts",
  schemas: "src/schemas/index.ts",
  opentelemetry: "src/opentelemetry/index.ts",
  bulk: "src/bulk/index.ts",
  reports: "src/reports/index.ts",
  "ledger-command": "src/ledger-command/cli.ts",
  testing: "src/testing/index.ts",
  "testing/cli": "src/testing/node/command.ts",
  "testing/msw": "src/testing/msw.ts",
  "testing/node": "src/testing/node/listen.ts",
};

// A bundled package loads in a third of the time, because Node reads a dozen files instead of two hundred. zod
// also stays a dependency, because the types of the schemas are zod's own.
const noExternal = ["libphonenumber-js", "zod"];

const DIST = "dist/";
/** Matches an import of a chunk: its names, if it has any, and the path and the name of the chunk. */
const IMPORT = /import (?:\{([^{}]*)\} from )?"((?:\.\.?\/)+)(chunk-\w+\.js)";\n/g;
/** Matches the exports at the end of a chunk. */
const EXPORTS = /\nexport \{([^}]*)\};\s*$/;
/** Matches one name of a statement, and the name that it has on the other side. */
const NAME = /([\w$]+)(?: as ([\w$]+))?/g;

/** Matches what the bundler writes above a module of a dependency. Some of their statements cannot be left out one by one. */
const FOREIGN = /^\/\/ node_modules\//m;

const read = (file: string): string => readFileSync(DIST + file, "utf8");

/** Returns the chunks that a file imports, at any depth. */
const chunksOf = (file: string, found = new Set<string>()): Set<string> => {
  for (const [, , , chunk = ""] of read(file).matchAll(IMPORT)) {
    if (!found.has(chunk)) chunksOf(chunk, found.add(chunk));
  }
  return found;
};

/** Replaces some chunks by one with all their exports. Chunks may export different things by the same name. */
const mergeChunks = async (chunks: readonly string[], merged: string): Promise<void> => {
  const taken = new Set<string>();
  const renamed = new Map<string, string>();
  const exports = chunks.map((chunk) => {
    const names = [...(EXPORTS.exec(read(chunk))?.[1] ?? "").matchAll(NAME)].map(
      ([, local = "", name = local]) => {
        let own = name;
        while (taken.has(own)) own += "_";
        taken.add(own);
        renamed.set(chunk + name, own);
        return `${name} as ${own}`;
      },
    );
    return `export { ${names.join(", ")} } from "./${chunk}";`;
  });
  const others = readdirSync(DIST).filter((file) => !chunks.includes(file));
  const { outputFiles } = await build({
    stdin: { contents: exports.join("\n"), resolveDir: DIST },
    external: others.map((file) => `./${file}`),
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  for (const chunk of chunks) rmSync(DIST + chunk);
  writeFileSync(DIST + merged, outputFiles[0]?.text ?? "");
  for (const file of readdirSync(DIST, { encoding: "utf8", recursive: true })) {
    if (!file.endsWith(".js")) continue;
    const code = read(file);
    const changed = code.replace(IMPORT, (statement, names: string | undefined, path, chunk) => {
      if (!chunks.includes(chunk)) return statement;
      // Nothing depends on the order in which modules without side effects run.
      if (names === undefined) return "";
      const toName = (_: string, name: string, local = name) =>
        `${renamed.get(chunk + name)} as ${local}`;
      return `import {${names.replace(NAME, toName)}} from "${path}${merged}";\n`;
    });
    if (changed !== code) writeFileSync(DIST + file, changed);
  }
};

/**
 * Merges the chunks that the same clients load. The bundler makes a chunk for each set of entry points, twenty for a client,
 * and each file takes Node half a millisecond to load.
 */
const mergeChunksOfClients = async (): Promise<void> => {
  const [v2, transactional] = [chunksOf("v2.js"), chunksOf("transactional.js")];
  const own = [...new Set([...v2, ...transactional])].filter((chunk) => !FOREIGN.test(read(chunk)));
  const isShared = (chunk: string) => v2.has(chunk) && transactional.has(chunk);
  await mergeChunks(own.filter(isShared), "chunk-client.js");
  await mergeChunks(
    own.filter((chunk) => !transactional.has(chunk)),
    "chunk-lists.js",
  );
  await mergeChunks(
    own.filter((chunk) => !v2.has(chunk)),
    "chunk-messages.js",
  );
};

/**
 * Converts the finished ES modules to CommonJS, file by file. tsup's own CommonJS, which this replaces, has its chunks
 * unmerged: a client would load three times as many files.
 */
const convertToCommonJs = async (): Promise<void> => {
  const files = readdirSync(DIST, { encoding: "utf8", recursive: true });
  for (const file of files) {
    if (file.endsWith(".cjs") && !files.includes(file.replace(/cjs$/, "js"))) rmSync(DIST + file);
  }
  for (const file of readdirSync(DIST, { encoding: "utf8", recursive: true })) {
    if (!file.endsWith(".js")) continue;
    // For Node, because it reads the names of the exports from a comment that only this platform has.
    const options = { format: "cjs", platform: "node", target: "es2022" } as const;
    const { code } = await transform(read(file), options);
    const converted = code.replace(/(\b(?:require|import)\("\.\.?\/[^"]*)\.js"\)/g, '$1.cjs")');
    writeFileSync(DIST + file.replace(/js$/, "cjs"), converted);
  }
};

export default defineConfig({
  entry,
  format: ["esm", "cjs"],
  target: "es2022",
  splitting: true,
  dts: true,
  noExternal,
  esbuildPlugins: [inboxPageForEsbuild(), plainPhoneNumbers],
  // Some runtimes do not know Node's modules by their bare names.
  removeNodeProtocol: false,
  clean: true,
  onSuccess: async () => {
    await mergeChunksOfClients();
    await convertToCommonJs();
  },
});
