import { testDoors } from "../../support/wire-cases/test-entry-points.ts";
import { doors } from "./entry-points.ts";

testDoors(doors);
