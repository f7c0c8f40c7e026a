import { describe, expect, inject, test } from "vitest";
import { APPS, sizeOf } from "../tools/sizes.ts";

describe("bundle of an application that makes one call", () => {
  const folder = inject("application");

  test.each(APPS)("the bundle of $name has at most $budget kB", async ({ code, budget }) => {
    const { gzipped } = await sizeOf(code, folder);
    expect(gzipped).toBeLessThanOrEqual(budget);
  });

  test.each(APPS.filter(({ code }) => !/bulk|LedgerError/.test(code)))(
    "the bundle of $name has no code of durable sends",
    async ({ code }) => {
      const { bundle } = await sizeOf(code, folder);
      expect(new TextDecoder().decode(bundle)).not.toMatch(/the ledger failed|accepted_before/);
    },
  );

  test.each(
    APPS.filter(({ code }) => !/TransactionalClient|sendMany|toE164|checkPhone/.test(code)),
  )("the bundle of $name has no phone metadata", async ({ code }) => {
    const { bundle, minified } = await sizeOf(code, folder);
    expect(minified).not.toHaveProperty("libphonenumber-js");
    expect(new TextDecoder().decode(bundle)).not.toContain("country_calling_codes");
  });
});
