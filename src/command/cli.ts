#!/usr/bin/env node
import { main } from "./main.ts";

process.stdout
  // Whether the output is read does not decide how the command ends: `head` may close the pipe while a fake serves on.
  .on("error", () => {})
  .once("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    console.error(`The output could not be written: ${message}`);
    process.exitCode = 1;
  });

const code = await main(process.argv.slice(2));
process.exitCode ||= code;
