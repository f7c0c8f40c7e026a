// The statements of the docs about the inbox and the control API.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { controlRoutes } from "../../src/testing/control/routes.ts";
import { PICTURE, PICTURE_HASH, pictureHash } from "../tools/inbox/picture-hash.ts";

const readPage = (name: string) =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
const CONTROL = readPage("control-api");

test("the table in docs/control-api.md lists exactly the calls of the control API", () => {
  const listed = [...CONTROL.matchAll(/^\| `(GET|POST|PUT|DELETE) \/__fake\/([^`?]*)/gm)];
  const calls = controlRoutes.map(({ method, path }) => `${method} ${path}`);
  const names = listed.map(([, method, path]) => `${method} ${path}`);
  expect(names.toSorted()).toEqual([...calls, "GET events"].toSorted());
});

test("the picture in the docs is up to date: `npm run generate picture` would take the same one", async () => {
  expect(readPage("fake-command")).toContain("](images/inbox.webp)");
  expect(readPage("../README")).toContain("](docs/images/inbox.webp)");
  expect(readFileSync(PICTURE).subarray(8, 12).toString()).toBe("WEBP");
  expect(readFileSync(PICTURE_HASH, "utf8").trim()).toBe(await pictureHash());
});
