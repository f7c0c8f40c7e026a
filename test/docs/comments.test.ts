import { globSync, readFileSync } from "node:fs";
import * as client from "messaging-service-client";
import * as bulk from "messaging-service-client/bulk";
import * as opentelemetry from "messaging-service-client/opentelemetry";
import * as reports from "messaging-service-client/reports";
import * as testing from "messaging-service-client/testing";
import * as msw from "messaging-service-client/testing/msw";
import * as node from "messaging-service-client/testing/node";
import ts from "typescript";
import { expect, test } from "vitest";
import { compileBlocks } from "./compile-blocks.ts";
import { ROOT } from "./pages.ts";

const MODULES = {
  "messaging-service-client": client,
  "messaging-service-client/bulk": bulk,
  "messaging-service-client/reports": reports,
  "messaging-service-client/opentelemetry": opentelemetry,
  "messaging-service-client/testing": testing,
  "messaging-service-client/testing/msw": msw,
  "messaging-service-client/testing/node": node,
};

/** Values of the guides' `setup.ts` that examples use. */
const SETUP_NAMES = [
  "service",
  "v2",
  "rcs",
  "message",
  "phoneNumbers",
  "guests",
  "ledger",
  "listId",
  "reportId",
];

/** Other declarations that examples use. */
const ELSEWHERE = [
  'import type { ErrorCode } from "messaging-service-client";',
  'import { setupServer } from "msw/node";',
  'import { RateLimiterRedis } from "rate-limiter-flexible";',
  "declare const redis: object;",
  "declare const pg: { Pool: new (options?: object) => import('messaging-service-client/bulk').Queryable & { on(event: 'error', listener: (error: Error) => void): void } };",
  "declare const redisLedger: (redis: object) => import('messaging-service-client/bulk').Ledger;",
  "declare const newRedis: () => object;",
  "declare const test: (name: string, run: () => Promise<void>) => void;",
  "declare const response: Response;",
  "declare const messages: import('messaging-service-client').RcsTextMessage[];",
  "declare const phones: string[];",
  'import { writeFile } from "node:fs/promises";',
  'declare const ky: import("ky").KyInstance;',
  'const { Agent } = await import("undici");',
  'declare const pThrottle: typeof import("p-throttle").default;',
  "declare const sign: () => void;",
  'declare const { tracer, meter }: import("messaging-service-client/opentelemetry").TracedOptions;',
  "declare const { apiKey, email }: { apiKey: string; email: string };",
  "declare const { phoneNumber, webhookUrl }: { phoneNumber: string; webhookUrl: string };",
];

/** The examples in the comments of the source, each with an import of every export. */
const examples = globSync("src/**/*.ts", { cwd: ROOT }).flatMap((path) => {
  const text = readFileSync(`${ROOT}${path}`, "utf8");
  return [...text.matchAll(/^ *\* @example\n((?: *\*(?! @)(?: .*)?\n)+?)(?= *\*(?:\/| @))/gm)].map(
    (match) => ({
      path,
      line: text.slice(0, match.index).split("\n").length + 1,
      code: (match[1] ?? "").replace(/^ *\* ?/gm, ""),
    }),
  );
});

const toModule = (code: string): string => {
  const imports = Object.entries(MODULES).flatMap(([name, exports]) => {
    const used = Object.keys(exports).filter((key) => new RegExp(`\\b${key}\\b`).test(code));
    return used.length > 0 ? `import { ${used.join(", ")} } from "${name}";` : [];
  });
  const used = SETUP_NAMES.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  imports.push(`import { ${used.join(", ")} } from "./setup.ts";`);
  const elsewhere = ELSEWHERE.filter((line) =>
    (line.match(/(?<=\{ )[\w, ]+(?= \})|(?<=const )\w+/)?.[0] ?? "")
      .split(", ")
      .some((name) => new RegExp(`\\b${name}\\b`).test(code)),
  );
  // The imports take a single line, so that reported line numbers match the example.
  return `${[...imports, ...elsewhere].join(" ")} {\n${code}\n}`;
};

test("every example in a comment compiles", () => {
  expect(examples.length).toBeGreaterThan(20);
  const blocks = new Map(
    examples.map(({ code }, index) => [`example-${index}.ts`, toModule(code)] as const),
  );
  const problems = [...compileBlocks(blocks)].flatMap(([name, found]) => {
    const example = examples[Number(/\d+/.exec(name)?.[0])];
    return found.map(
      ({ line, message }) => `${example?.path}:${(example?.line ?? 0) + line - 1}: ${message}`,
    );
  });
  expect(problems).toEqual([]);
}, 120_000);

/** Returns the functions, classes and methods of an entry point without an example, except errors. */
const withoutExample = (entry: string): readonly string[] => {
  const program = ts.createProgram([`${ROOT}${entry}`], { allowImportingTsExtensions: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(`${ROOT}${entry}`);
  const module = source && checker.getSymbolAtLocation(source);
  const exports = module ? checker.getExportsOfModule(module) : [];
  const isAlias = (symbol: ts.Symbol) => symbol.flags & ts.SymbolFlags.Alias;
  return exports
    .map((symbol) => (isAlias(symbol) ? checker.getAliasedSymbol(symbol) : symbol))
    .flatMap((symbol) => {
      if (symbol.name.endsWith("Error")) return [];
      const isClass = symbol.flags & ts.SymbolFlags.Class;
      const methods = isClass ? [...(symbol.members?.values() ?? [])] : [];
      const shown = [symbol, ...methods].filter(
        ({ flags, name }) =>
          flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Method) && /^[a-z]/.test(name),
      );
      return shown
        .filter((one) => !one.getJsDocTags(checker).some((tag) => tag.name === "example"))
        .map(({ name }) => (name === symbol.name ? name : `${symbol.name}.${name}`));
    });
};

/** Methods of promises. Examples of the calls that return these promises cover them. */
const OF_A_PROMISE = /^PagePromise\.(then|catch|finally|withResponse)$/;

test.each([
  "src/index.ts",
  "src/testing/index.ts",
  "src/testing/node/listen.ts",
  "src/testing/msw.ts",
])(
  "every function and method of the entry point %s has an example",
  (entry) => {
    expect(withoutExample(entry).filter((name) => !OF_A_PROMISE.test(name))).toEqual([]);
  },
  60_000,
);

test("a method without an example is reported", () => {
  expect(withoutExample("src/index.ts")).toContain("PagePromise.finally");
});
