import { loseRequests } from "../../support/programs/lost-requests.ts";
import { testLostRequests } from "./lost-request-tests.ts";

testLostRequests({ name: "Node", run: loseRequests });
