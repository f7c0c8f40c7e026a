import { createRequire } from "node:module";
import { toHelpRow, UsageError } from "./terminal/arguments.ts";
import { describeError, quoteWord, toPrintable } from "./terminal/print.ts";

/** The commands. Each is loaded only when it runs. */
const COMMANDS = {
  check: {
    summary: "checks that your base URLs and keys work, and that the service behaves as documented",
    load: () => import("./check/check-command.ts"),
  },
  fake: {
    summary: "serves a fake of the service on this machine, with an inbox",
    load: () => import("./fake/fake-command.ts"),
  },
  ledger: {
    summary: "shows a ledger of durable sends, and settles the keys in doubt",
    load: () => import("./ledger/ledger-command.ts"),
  },
};

const isCommand = (name: string): name is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, name);

const HELP = `Usage: npx messaging-service-client <command> [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => toHelpRow(name, summary))
  .join("\n")}

${toHelpRow("--help", "show this text; after a command, the help of that command")}
${toHelpRow("--version", "show the version of the package")}

Exit codes: 0 for success, 1 for a failure, 2 for wrong usage.`;

const packageVersion = (): string =>
  createRequire(import.meta.url)("messaging-service-client/package.json").version;

const run = async ([name = "", ...args]: readonly string[]): Promise<number> => {
  if (name === "--help" || name === "-h") console.log(HELP);
  else if (name === "--version") console.log(packageVersion());
  else if (isCommand(name)) return (await COMMANDS[name].load()).run(args);
  else {
    const problem = name === "" ? "" : `There is no command ${quoteWord(name)}. `;
    throw new UsageError(`${problem}Name a command: ${Object.keys(COMMANDS).join(", ")}.`);
  }
  return 0;
};

/** Runs the command and resolves to its exit code: 0, 1 for a failure, or 2 for wrong usage. */
export const main = async (args: readonly string[]): Promise<number> => {
  try {
    return await run(args);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    console.error(describeError(error).split("\n").map(toPrintable).join("\n"));
    if (isUsage) console.error("\nRun with --help to see the options.");
    return isUsage ? 2 : 1;
  }
};
