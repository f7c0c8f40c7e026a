// The command with which a person inspects a ledger and settles doubts.
import { parseFlags, toHelp, toHelpRow, UsageError, wordsOf } from "../terminal/arguments.ts";
import { quoteWord } from "../terminal/print.ts";
import { forget, resolve, status } from "./commands.ts";
import { ALL_FLAGS, COMMANDS, type CommandName, isCommandName } from "./flags.ts";
import { doubts, entries } from "./list-entries.ts";
import { openLedger, type Work } from "./open-ledger.ts";

const WORK: { readonly [Name in CommandName]: Work<Name> } = {
  ...{ status, doubts, entries, resolve, forget },
};

const NAMES = Object.keys(COMMANDS).join(", ");

const HELP = `Inspects a ledger of durable sends, and settles the keys in doubt.

Usage: npx messaging-service-client ledger <sends.db | postgres://…> <command>

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => toHelpRow(name, summary.replace(/\. .*/, ".")))
  .join("\n")}

ledger <command> --help shows the options of a command.`;

/** Runs a command for a ledger. */
export const run = async (args: readonly string[]): Promise<number> => {
  const { words, isHelp } = wordsOf(args, ALL_FLAGS);
  if (isHelp) {
    const asked = words.find(isCommandName);
    console.log(asked === undefined ? HELP : toHelp(COMMANDS[asked]));
    return 0;
  }
  const [place, name, ...rest] = words;
  if (!place) {
    throw new UsageError("Name a ledger: the path of a SQLite file, or a postgres:// URL.");
  }
  if (!isCommandName(name)) {
    const problem = name === undefined ? "" : `There is no command ${quoteWord(name)}. `;
    throw new UsageError(`${problem}Name a command: ${NAMES}.`);
  }
  const { flags, maxWords } = COMMANDS[name];
  const values = parseFlags(args, flags);
  const extra = rest[maxWords];
  if (extra !== undefined) throw new UsageError(`${name} takes no argument ${quoteWord(extra)}.`);
  const work = WORK[name](rest, values as never);
  const isReader = name === "status" || name === "doubts" || name === "entries";
  const opened = await openLedger(place, isReader, values.table);
  try {
    return (await work(opened)) ? 0 : 1;
  } finally {
    await opened.close();
  }
};
