import { defineConfig } from "tsup";
import { ENTRY_POINTS } from "./.config/entry-points.ts";

// Builds only the declarations. .config/rolldown.config.ts builds the code.
export default defineConfig({
  entry: ENTRY_POINTS,
  format: ["esm", "cjs"],
  dts: { only: true },
});
