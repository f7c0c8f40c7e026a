import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { controlRoutes } from "../../src/testing/control/routes.ts";
import { makeControlDocument } from "../tools/openapi/control-document.ts";
import { toText } from "../tools/openapi/documents.ts";
import type { Json } from "../tools/openapi/json-schemas.ts";

const { path, document } = makeControlDocument();

test("the OpenAPI document of the control API is up to date: `npm run generate` changes nothing", () => {
  const there = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  expect(there).toBe(toText(document));
});

test("every call of the control API is an operation of its OpenAPI document, and vice versa", () => {
  const operations = Object.entries(document.paths as Json).flatMap(([at, methods]) =>
    Object.keys(methods as Json).map((method) => `${method.toUpperCase()} ${at}`),
  );
  const calls = controlRoutes.map((route) => `${route.method} /${route.path}`);
  expect(operations.toSorted()).toEqual([...calls, "GET /events"].toSorted());
});

test("every field of the control API has a description", () => {
  const bare: string[] = [];
  const visit = (part: unknown, at: string): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      if (key === "example") continue;
      if (key === "properties") {
        for (const [name, field] of Object.entries(value as Record<string, Json>)) {
          if (!field.description && !field.$ref) bare.push(`${at}/${name}`);
        }
      }
      visit(value, `${at}/${key}`);
    }
  };
  visit(document, "");
  expect(bare).toEqual([]);
});
