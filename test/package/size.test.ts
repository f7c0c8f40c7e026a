import * as root from "messaging-service-client";
import * as bulk from "messaging-service-client/bulk";
import * as opentelemetry from "messaging-service-client/opentelemetry";
import * as reports from "messaging-service-client/reports";
import * as testing from "messaging-service-client/testing";
import { describe, expect, inject, test } from "vitest";
import { APPS, FETCH_FROM_APPS, sizeOf } from "../tools/sizes.ts";

/** Parts of the package, the code that uses each of them, and the words or the file that show whether a bundle contains it. */
const PARTS: readonly {
  readonly part: string;
  readonly usedBy: RegExp;
  readonly words?: RegExp;
  readonly file?: RegExp;
}[] = [
  {
    part: "code of ky and of dispatchers",
    usedBy: /fetchFrom|traced|createFake/,
    words: /maxRedirections|a hook of ky/,
  },
  { part: "ky, on which the package depends", usedBy: /\/reports/, file: /node_modules\/ky\// },
  {
    part: "code of durable sends",
    usedBy: /bulk|testing|LedgerError/,
    words: /the ledger failed|accepted_before/,
  },
  {
    part: "phone metadata",
    usedBy: /TransactionalClient|(send|preview)\w+\(|toE164|checkPhone|isUsOr|createFake/,
    words: /country_calling_codes/,
  },
];

/** Returns the names of an entry point's functions, without its classes. */
const functionsOf = (entry: object): readonly string[] =>
  Object.entries(entry).flatMap(([name, value]) =>
    typeof value === "function" && !/^class\b/.test(`${value}`) ? [name] : [],
  );

test.each(Object.entries({ root, bulk, opentelemetry, reports, testing }))(
  "each function of the entry point %s has a row for an application that calls only this function",
  (_, entry) => {
    const names = functionsOf(entry);
    expect(names).not.toEqual([]);
    const imported = APPS.map(
      ({ code }) => /^import \{ (\w+) \}[^;]*;(?!\s*import)/.exec(code)?.[1],
    );
    expect(imported).toEqual(expect.arrayContaining([...names]));
  },
);

describe("bundle size of an application that makes one call", () => {
  const folder = inject("application");

  test.each(APPS)("the bundle of $name has at most $budget kB", async ({ code, budget }) => {
    const { gzipped } = await sizeOf(code, folder);
    expect(gzipped).toBeLessThanOrEqual(budget);
  });

  test.each(FETCH_FROM_APPS)(
    "$name costs a client at most $budget kB more",
    async ({ client, budget }) => {
      const used = `import { fetchFrom } from "messaging-service-client"; globalThis.fetchFrom = fetchFrom;`;
      const [without, more] = [await sizeOf(client, folder), await sizeOf(client + used, folder)];
      expect(more.gzipped - without.gzipped).toBeLessThanOrEqual(budget);
      expect(more.gzipped - without.gzipped).toBeGreaterThan(0.2);
    },
  );

  test.each(
    APPS.flatMap((app) =>
      PARTS.filter(({ usedBy }) => !usedBy.test(app.code)).map((part) => ({ ...app, ...part })),
    ),
  )("the bundle of $name contains no $part", async ({ code, words, file }) => {
    const { bundle, files } = await sizeOf(code, folder);
    if (words) expect(new TextDecoder().decode(bundle)).not.toMatch(words);
    if (file) expect(files.join("\n")).not.toMatch(file);
  });

  test("the bundle of `downloadReport` contains ky from the application's node_modules", async () => {
    const app = APPS.find(({ code }) => code.includes("/reports"));
    const { files } = await sizeOf(app?.code ?? "", folder);
    expect(files.join("\n")).toMatch(/node_modules\/ky\//);
  });
});
