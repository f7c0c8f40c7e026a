import * as root from "messaging-service-client";
import * as bulk from "messaging-service-client/bulk";
import * as opentelemetry from "messaging-service-client/opentelemetry";
import * as reports from "messaging-service-client/reports";
import * as testing from "messaging-service-client/testing";
import { describe, expect, inject, test } from "vitest";
import { APPS, FETCH_FROM_APPS, sizeOf } from "../tools/sizes.ts";

/** Rows whose application sends a message or reads a phone number. */
const HAS_PHONES = /TransactionalClient|(send|preview)\w+\(|toE164|checkPhone|isUsOr|createFake/;

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
      expect(more.gzipped - without.gzipped).toBeGreaterThan(1);
    },
  );

  test.each(APPS.filter(({ code }) => !/fetchFrom|traced|createFake/.test(code)))(
    "the bundle of $name has no code of ky and of dispatchers",
    async ({ code }) => {
      const { bundle } = await sizeOf(code, folder);
      const words = /DecompressionStream|maxRedirections|a hook of ky/;
      expect(new TextDecoder().decode(bundle)).not.toMatch(words);
    },
  );

  test.each(APPS.filter(({ code }) => !code.includes("/reports")))(
    "the bundle of $name holds nothing of ky, on which the package depends",
    async ({ code }) => {
      expect((await sizeOf(code, folder)).minified).not.toHaveProperty("ky");
    },
  );

  test("the bundle of `downloadReport` holds ky of the application's node_modules", async () => {
    const app = APPS.find(({ code }) => code.includes("/reports"));
    expect((await sizeOf(app?.code ?? "", folder)).minified).toHaveProperty("ky");
  });

  test.each(APPS.filter(({ code }) => !/bulk|testing|LedgerError/.test(code)))(
    "the bundle of $name contains no code of durable sends",
    async ({ code }) => {
      const { bundle } = await sizeOf(code, folder);
      expect(new TextDecoder().decode(bundle)).not.toMatch(/the ledger failed|accepted_before/);
    },
  );

  test.each(APPS.filter(({ code }) => !HAS_PHONES.test(code)))(
    "the bundle of $name contains no phone metadata",
    async ({ code }) => {
      const { bundle, minified } = await sizeOf(code, folder);
      expect(minified).not.toHaveProperty("libphonenumber-js");
      expect(new TextDecoder().decode(bundle)).not.toContain("country_calling_codes");
    },
  );
});
