// Checks that the picture of the inbox in the docs is up to date.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PICTURE, PICTURE_HASH, pictureHash } from "../tools/inbox/picture-hash.ts";

const readPage = (name: string) =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");

test("the picture in the docs is up to date, so `npm run generate picture` would take the same picture", async () => {
  expect(readPage("fake-command")).toContain("](images/inbox.webp)");
  expect(readPage("../README")).toContain("](docs/images/inbox.webp)");
  expect(readFileSync(PICTURE).subarray(8, 12).toString()).toBe("WEBP");
  expect(readFileSync(PICTURE_HASH, "utf8").trim()).toBe(await pictureHash());
});
