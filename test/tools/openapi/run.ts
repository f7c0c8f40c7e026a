// `npm run openapi`: writes the OpenAPI documents of both APIs; a test fails when they are stale.
import { mkdirSync, writeFileSync } from "node:fs";
import { makeDocuments, toText } from "./documents.ts";

mkdirSync(new URL("../../../docs/openapi", import.meta.url), { recursive: true });
for (const { path, document } of await makeDocuments()) {
  writeFileSync(new URL(`../../../${path}`, import.meta.url), toText(document));
}
