import { runtimes } from "../runtimes/runtimes.ts";
import { testRuntimes } from "./runtime-tests.ts";

testRuntimes(runtimes.filter(({ name }) => name !== "Node 24, import"));
