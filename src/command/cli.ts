#!/usr/bin/env node
import { main } from "./main.ts";

process.stdout
  // A closed pipe neither ends the command nor fails it. `head`, for example, closes the pipe while a fake keeps serving.
  .on("error", () => {})
  .once("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    console.error(`The output could not be written: ${message}`);
    process.exitCode = 1;
  });

const code = await main(process.argv.slice(2));
process.exitCode ||= code;
