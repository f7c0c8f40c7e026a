import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { build } from "esbuild";
import { describe, expect, inject, test } from "vitest";
import { ENTRY_POINTS } from "../../.config/entry-points.ts";

const APPLICATION = inject("application");
const DIST = join(APPLICATION, "node_modules/messaging-service-client/dist");

/** Returns the external imports of a file and of every file that it loads. */
const outside = (file: string, seen = new Set<string>()): string[] => {
  if (seen.has(file)) return [];
  seen.add(file);
  const code = readFileSync(file, "utf8");
  const specifiers = [
    ...code.matchAll(
      /(?:^(?:import|export)\b[^"';]*|\brequire\(|\bimport\()\s*["']([^"'\n]+)["']/gm,
    ),
  ].map(([, specifier = ""]) => specifier);
  return specifiers.flatMap((specifier) => {
    // In Node, every entry point uses this condition of `imports` in package.json.
    const path = specifier === "#platform" ? `${DIST}/platform${extname(file)}` : undefined;
    if (path) return outside(path, seen);
    return specifier.startsWith(".") ? outside(join(dirname(file), specifier), seen) : [specifier];
  });
};

describe.each(["js", "cjs"])("external imports of dist/*.%s", (extension) => {
  test.each([
    ["index", []],
    ["v2", []],
    ["transactional", []],
    ["schemas", []],
    // The CommonJS file bundles ky, because ky is an ES module only.
    ["reports", extension === "js" ? ["ky"] : []],
    ["opentelemetry", []],
    ["bulk", []],
    ["testing", []],
    ["testing/msw", ["msw"]],
    ["testing/node", ["node:events", "node:http", "node:https", "node:net"]],
  ])("%s imports only %j from outside the package", (entry, expected) => {
    const found = new Set(outside(join(DIST, `${entry}.${extension}`)));
    expect([...found].toSorted()).toEqual(expected);
  });
});

test.each(Object.keys(ENTRY_POINTS).filter((entry) => entry !== "testing/msw"))(
  "dist/%s.cjs loads where `require` cannot load ES modules, as in Node before 22.12 and in Jest",
  (entry) => {
    const args = ["--no-experimental-require-module", "--eval", `require("${DIST}/${entry}.cjs")`];
    expect(() => execFileSync(process.execPath, args, { stdio: "pipe" })).not.toThrow();
  },
);

describe.each(["js", "cjs"])("schemas that the import of dist/*.%s makes", (extension) => {
  /** Returns the number of zod schemas and checks that a program creates. */
  const countMade = (program: string): number => {
    // zod calls this hook for each schema and each check.
    const count =
      "let made = 0; globalThis.__zod_globalConfig = { postProcessor: () => (made += 1) };";
    const code = `${count} ${program} console.log(made);`;
    return Number(execFileSync(process.execPath, ["--input-type=module", "-e", code]));
  };
  const urlOf = (entry: string) => JSON.stringify(join(DIST, `${entry}.${extension}`));

  test.each(["index", "v2", "transactional", "bulk"])(
    "the import of %s creates no schema",
    (entry) => {
      expect(countMade(`await import(${urlOf(entry)});`)).toBe(0);
    },
  );

  test("the import of schemas creates all schemas, and a call creates only the schemas that it uses", () => {
    const all = countMade(`await import(${urlOf("schemas")});`);
    const used = countMade(`const { V2Client } = await import(${urlOf("v2")});
      const fetch = async () => Response.json({ status: "OK", account: {} });
      const options = { baseUrl: "https://app.example.com", email: "a", apiKey: "k", fetch };
      await new V2Client({ ...options, responseValidation: "strict" }).accounts.me().catch(() => {});`);
    expect(used).toBeGreaterThan(3);
    expect(all).toBeGreaterThan(2 * used);
  });
});

const FORM = {
  maxFileBytes: 104_857_600,
  maxWebhookUrlLength: 255,
  maxRcsTextLength: 3000,
  maxSmsLength: 160,
};
const OPT_IN = {
  maxPageSize: 1000,
  collectedDataTypes: ["zip_code", "email_address", "first_name", "yes"],
  successActions: ["nextrequest", "optinsubscriber"],
};

describe.each(["js", "cjs"])("limits and closed sets of dist/*.%s", (extension) => {
  test.each([
    ["index", { ...FORM, ...OPT_IN }],
    ["transactional", FORM],
    ["v2", OPT_IN],
  ])("%s exports %j, and every exported array is frozen", async (entry, expected) => {
    const exports = await import(join(DIST, `${entry}.${extension}`));
    expect(exports).toMatchObject(expected);
    const arrays = Object.values(exports).filter(Array.isArray);
    expect(arrays.length).toBeGreaterThan(1);
    expect(arrays.filter((array) => !Object.isFrozen(array))).toEqual([]);
  });
});

test("declarations import no package except zod and msw, and cite no page that a user lacks", () => {
  const files = globSync("**/*.d.{ts,cts}", { cwd: DIST });
  expect(files.length).toBeGreaterThan(10);
  const texts = files.map((file) => readFileSync(join(DIST, file), "utf8"));
  expect(texts.filter((text) => text.includes("(specification:"))).toEqual([]);
  const named = texts.flatMap((text) =>
    [...text.matchAll(/(?:from |import\()['"]([^.'"][^'"]*)['"]/g)].map(
      ([, specifier]) => specifier,
    ),
  );
  expect([...new Set(named)].toSorted()).toEqual(["msw", "zod/mini", "zod/v4/core"]);
});

describe.each([
  [`import { V2Client } from "messaging-service-client"; console.log(V2Client);`],
  [`console.log(require("messaging-service-client").V2Client);`],
])("a bundle of %s", (contents) => {
  test.each([
    ["browsers", ["browser"], false],
    ["workers", ["workerd", "worker", "browser"], false],
    ["Node", ["node"], true],
  ])(
    "a bundle for %s, with the conditions %j, calls the process's dispatcher: %s",
    async (_, conditions, expected) => {
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: APPLICATION },
        conditions,
        platform: "neutral",
        bundle: true,
        write: false,
        logLevel: "error",
      });
      expect(outputFiles[0]?.text.includes("undici.globalDispatcher")).toBe(expected);
    },
  );
});
