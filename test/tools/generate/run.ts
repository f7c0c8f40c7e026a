// `npm run generate`: writes what is generated; a test fails when any of it is stale.
import { writeFileSync } from "node:fs";
import { generated } from "./generated.ts";

for (const { path, text } of await generated()) {
  writeFileSync(new URL(`../../../${path}`, import.meta.url), text);
}
