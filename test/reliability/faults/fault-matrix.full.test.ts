import { ALL_CARRIERS, DEFAULT_CARRIER } from "../../support/carriers.ts";
import { DISPATCHERS, NEWEST_DISPATCHER } from "../../support/dispatchers.ts";
import { testFaults, testWaits } from "./fault-tests.ts";

const carriers = ALL_CARRIERS.filter((carrier) => carrier !== DEFAULT_CARRIER);

testFaults([...carriers, ...DISPATCHERS.filter((carrier) => carrier !== NEWEST_DISPATCHER)]);
testWaits(carriers);
