import { doors } from "./doors.ts";
import { testDoors } from "./test-doors.ts";

testDoors(doors);
