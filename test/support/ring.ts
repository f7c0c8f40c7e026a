// The two rings of tests: `npm test` runs the first one, and `npm run test:rest` the rest.
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    readonly ring: "first" | "rest";
  }
}

const isFirstRing = inject("ring") === "first";

/** Returns the cases that belong to the current ring. */
export const casesOfRing = <T>(cases: readonly T[], isFirst: (each: T) => boolean): readonly T[] =>
  cases.filter((each) => isFirst(each) === isFirstRing);
