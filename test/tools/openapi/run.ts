// `npm run openapi`: writes the OpenAPI documents of both APIs. A test fails when they are out of date.
import { mkdirSync, writeFileSync } from "node:fs";
import { makeControlDocument } from "./control-document.ts";
import { makeDocuments, toText } from "./documents.ts";

mkdirSync(new URL("../../../docs/openapi", import.meta.url), { recursive: true });
for (const { path, document } of [...(await makeDocuments()), makeControlDocument()]) {
  writeFileSync(new URL(`../../../${path}`, import.meta.url), toText(document));
}
