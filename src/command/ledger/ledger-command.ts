// The command with which a person inspects a ledger and settles doubts.
import { MissingLedger } from "../../bulk/ledgers/sql-database.ts";
import type { SqlLedger } from "../../bulk/ledgers/sql-ledger.ts";
import { parseCommand, toHelpRow, UsageError, wordsOf } from "../terminal/arguments.ts";
import { quoteWord } from "../terminal/print.ts";
import { forget, resolve, status } from "./commands.ts";
import { ALL_FLAGS, COMMANDS, type CommandName, isCommandName } from "./ledger-flags.ts";
import { doubts, entries } from "./list-entries.ts";
import { openLedger, type Work } from "./open-ledger.ts";

const WORK: { readonly [Name in CommandName]: Work<Name> } = {
  status,
  doubts,
  entries,
  resolve,
  forget,
};

const NAMES = Object.keys(COMMANDS).join(", ");

const HELP = `Inspects a ledger of durable sends, and settles the keys in doubt.

Usage: npx messaging-service-client ledger <sends.db | postgres://…> <command>

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => toHelpRow(name, summary.replace(/\. .*/, ".")))
  .join("\n")}

ledger <command> --help shows the options of a command.`;

type Common = Pick<(typeof COMMANDS)["status"]["flags"], "table">;

export const run = async (args: readonly string[]): Promise<number> => {
  const { words, isHelp } = wordsOf(args, ALL_FLAGS);
  const asked = isHelp ? words.find(isCommandName) : words[1];
  if (isHelp && asked === undefined) {
    console.log(HELP);
    return 0;
  }
  const [place, , ...rest] = words;
  if (!place) {
    throw new UsageError("Name a ledger: the path of a SQLite file, or a postgres:// URL.");
  }
  if (!isCommandName(asked)) {
    const problem = asked === undefined ? "" : `There is no command ${quoteWord(asked)}. `;
    throw new UsageError(`${problem}Name a command: ${NAMES}.`);
  }
  const values = parseCommand<Common>(args, COMMANDS[asked]);
  if (!values) return 0;
  const work = WORK[asked](rest, values as never);
  const isReader = asked !== "resolve" && asked !== "forget";
  let ledger: SqlLedger | undefined;
  try {
    ledger = openLedger(place, isReader, values.table);
    return (await work(ledger)) ? 0 : 1;
  } catch (error) {
    const missing = [error, Object(error).cause].find((cause) => cause instanceof MissingLedger);
    if (!missing) throw error;
    // The error's own message names an option that the command sets, not the user.
    const message = `There is no ledger in ${missing.place}: check the place of the ledger, and --table.`;
    throw new Error(message, { cause: error });
  } finally {
    await ledger?.close();
  }
};
