// `npm run generate`: writes the generated files of the repository. A test fails if one of them is out of date.
// `npm run generate picture` takes the picture of the inbox in the docs, and needs Chromium.
import { mkdirSync, writeFileSync } from "node:fs";
import { makeControlDocument } from "../openapi/control-document.ts";
import { makeDocuments, toText } from "../openapi/documents.ts";
import { generated } from "./generated.ts";

const write = (path: string, text: string): void =>
  writeFileSync(new URL(`../../../${path}`, import.meta.url), text);

if (process.argv[2] === "picture") {
  await import("../inbox/picture.ts");
} else {
  for (const { path, text } of await generated()) write(path, text);
  mkdirSync(new URL("../../../docs/openapi", import.meta.url), { recursive: true });
  for (const { path, document } of [...(await makeDocuments()), makeControlDocument()]) {
    write(path, toText(document));
  }
}
