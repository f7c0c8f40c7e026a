import { ALL_CARRIERS, DEFAULT_CARRIER } from "../../support/carriers.ts";
import { DISPATCHERS, NEWEST_DISPATCHER } from "../../support/dispatchers.ts";
import { testFaults, testWaits } from "./fault-tests.ts";

const carriers = ALL_CARRIERS.filter((carrier) => carrier !== DEFAULT_CARRIER);
// The first ring tests the newest dispatcher. `a dispatcher` is excluded too, because it is also undici 8.
const others = [...carriers, ...DISPATCHERS].filter(
  (each) => each !== NEWEST_DISPATCHER && each.carrier !== "a dispatcher",
);

testFaults(others);
testWaits([...others, NEWEST_DISPATCHER]);
