#!/usr/bin/env node
// The command with which a person inspects a ledger and settles doubts.
import { type Command, LEDGER_HELP, parseCommand, UsageError } from "./arguments.ts";
import { forget, resolve, status } from "./commands.ts";
import { doubts, entries } from "./list-entries.ts";
import { type OpenLedger, openLedger } from "./open-ledger.ts";
import { toPrintable } from "./print.ts";

/** Returns the message of an error. If the connection to several addresses failed, it is the message of the first failure. */
const describeError = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === "")
    return describeError(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
};

/** Runs a command. Resolves to whether everything that was asked for was done. */
const runCommand = (opened: OpenLedger, command: Command): Promise<boolean> => {
  switch (command.name) {
    case "status":
      return status(opened, command);
    case "doubts":
      return doubts(opened, command);
    case "entries":
      return entries(opened, command);
    case "resolve":
      return resolve(opened, command);
    case "forget":
      return forget(opened, command);
  }
};

const main = async (): Promise<number> => {
  const command = parseCommand(process.argv.slice(2));
  if (!command) {
    console.log(LEDGER_HELP);
    return 0;
  }
  const isReader = ["status", "doubts", "entries"].includes(command.name);
  const opened = await openLedger(command.place, isReader, command.table);
  try {
    return (await runCommand(opened, command)) ? 0 : 1;
  } finally {
    await opened.close();
  }
};

// A reader such as `head` may close the pipe before the end.
process.stdout.on("error", () => process.exit());

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const isUsage = error instanceof UsageError;
    console.error(describeError(error).split("\n").map(toPrintable).join("\n"));
    if (isUsage) console.error("\nRun with --help to see the commands.");
    process.exitCode = isUsage ? 2 : 1;
  },
);
