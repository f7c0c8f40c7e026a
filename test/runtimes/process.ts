// The suite as a program of Node, Bun or Deno: settings as its argument, results on its output.
import { runSuite } from "./suite/index.ts";

runSuite(JSON.parse(process.argv[2] ?? "")).then((results) => console.log(JSON.stringify(results)));
