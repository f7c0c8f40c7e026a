import { testEntryPoints } from "../../support/wire-cases/test-entry-points.ts";
import { entryPoints } from "./entry-points.ts";

testEntryPoints(entryPoints);
