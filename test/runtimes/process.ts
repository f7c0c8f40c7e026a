// Runs the suite as a program of Node, Bun or Deno. The program receives the settings as its argument and prints the results.
import { runSuite } from "./suite/index.ts";

runSuite(JSON.parse(process.argv[2] ?? "")).then((results) => console.log(JSON.stringify(results)));
