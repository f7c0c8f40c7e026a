#!/usr/bin/env node
import { main } from "./main.ts";

// A reader such as `head` may close the pipe before the end.
process.stdout.on("error", () => process.exit());

process.exitCode = await main(process.argv.slice(2));
