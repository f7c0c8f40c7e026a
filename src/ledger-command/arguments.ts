import { LEDGER_STATES, type LedgerState } from "../bulk/ledgers/ledger.ts";
import { parseFlags } from "../flags.ts";

/** Help text of the command. */
export const LEDGER_HELP = `Inspects a ledger of durable sends, and settles the keys in doubt.

Usage: npx -p messaging-service-client messaging-service-client-ledger
         <sends.db | postgres://...> <command>

  status [batch]        shows batches with their counts and oldest doubts, and
                        the size of the ledger
  doubts                lists keys that may or may not have been sent
    --batch <name>      only keys of this batch
    --before <time>     only keys claimed longer ago than this, such as 1h
    --csv <file>        writes the keys to a CSV file
  entries [batch]       lists keys with their states: was this person texted?
    --state <state>     only keys in this state: sending, accepted, rejected,
                        open or unknown; can be repeated
    --key <key>         only this key; a phone number can have any common
                        format; can be repeated
    --csv <file>        writes the keys to a CSV file
  resolve <batch> <key...> --as accepted|open
  resolve <batch> --all-before <time> --as accepted|open
                        records that keys in doubt were sent (accepted), or
                        that they may be sent again (open); a key that the
                        service rejected can be named with --as open, too
    --force             opens even keys that were claimed in the last ten
                        minutes and may be on the wire now
  forget <batch>        deletes the entries of a batch; their keys can then be
                        sent again
    --before <time>     only entries claimed longer ago than this, such as 30d

  --table <name>        table of the ledger (default: messaging_sends)
  --json                prints status, doubts or entries as JSON
  --show-keys           shows phone numbers in full
  --yes                 makes changes without asking first
  --help                shows this text

A time is a number with its unit: 90s, 30m, 1h, 30d, 2w.
Exit codes: 0 for success, 1 for a failure, 2 for wrong usage.`;

/** Error for wrong usage of the command. */
export class UsageError extends Error {}

/** Options that every command has. */
export interface CommonOptions {
  /** Path of a SQLite file, or URL of a Postgres database. */
  readonly place: string;
  readonly table: string | undefined;
  readonly showKeys: boolean;
}

const FLAGS = {
  table: { type: "string" },
  "show-keys": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  batch: { type: "string" },
  before: { type: "string" },
  state: { type: "string", multiple: true },
  key: { type: "string", multiple: true },
  csv: { type: "string" },
  as: { type: "string" },
  "all-before": { type: "string" },
  force: { type: "boolean", default: false },
  yes: { type: "boolean", default: false },
  help: { type: "boolean", default: false, short: "h" },
} as const;

const parse = (args: readonly string[]) => {
  try {
    return parseFlags(args, FLAGS);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

type Values = ReturnType<typeof parse>["values"];

const MS_PER_LETTER: Readonly<Record<string, number>> = {
  ...{ s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 },
};

const toDurationMs = (name: string, value: string | undefined): number | undefined => {
  if (value === undefined) return undefined;
  const [, number, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(value) ?? [];
  const unitMs = MS_PER_LETTER[unit];
  if (unitMs !== undefined) return Number(number) * unitMs;
  throw new UsageError(`${name} must be a time such as 30m, 1h or 30d.`);
};

const toState = (value: string): LedgerState => {
  const state = LEDGER_STATES.find((known) => known === value);
  if (state !== undefined) return state;
  throw new UsageError(`--state must be one of ${LEDGER_STATES.join(", ")}.`);
};

const toBatch = (command: string, batch: string | undefined): string => {
  if (batch) return batch;
  throw new UsageError(`Name the batch: ${command} <batch>.`);
};

/** Flags that every command has. */
const COMMON_FLAGS = ["table", "show-keys"];

/** The further flags of each command, its largest number of arguments, and its options from the values of both. */
const COMMANDS = {
  status: {
    flags: ["json"],
    maxArguments: 1,
    toOptions: ({ json }: Values, [batch]: readonly string[]) => ({ batch, json }),
  },
  doubts: {
    flags: ["batch", "before", "csv", "json"],
    maxArguments: 0,
    toOptions: ({ batch, before, csv, json }: Values) => ({
      ...{ batch, csv, json },
      beforeMs: toDurationMs("--before", before),
    }),
  },
  entries: {
    flags: ["state", "key", "csv", "json"],
    maxArguments: 1,
    toOptions: ({ state, key: keys, csv, json }: Values, [batch]: readonly string[]) => ({
      ...{ batch, keys, csv, json },
      states: state?.map(toState),
    }),
  },
  resolve: {
    flags: ["as", "all-before", "force", "yes"],
    maxArguments: Number.POSITIVE_INFINITY,
    toOptions: (values: Values, [first, ...keys]: readonly string[]) => {
      const batch = toBatch("resolve", first);
      const allBeforeMs = toDurationMs("--all-before", values["all-before"]);
      if ((allBeforeMs === undefined) === (keys.length === 0)) {
        throw new UsageError("resolve takes either keys or --all-before.");
      }
      const { as, force, yes } = values;
      if (as !== "accepted" && as !== "open") {
        throw new UsageError("--as must be accepted or open.");
      }
      return { batch, keys, allBeforeMs, as, force, yes } as const;
    },
  },
  forget: {
    flags: ["before", "yes"],
    maxArguments: 1,
    toOptions: ({ before, yes }: Values, [first]: readonly string[]) => {
      const batch = toBatch("forget", first);
      return { batch, beforeMs: toDurationMs("--before", before), yes };
    },
  },
};

type Commands = typeof COMMANDS;

/** Parsed command with its options. */
export type Command = {
  [Name in keyof Commands]: { readonly name: Name } & CommonOptions &
    Readonly<ReturnType<Commands[Name]["toOptions"]>>;
}[keyof Commands];

/** Command with this name. */
export type CommandOf<Name extends Command["name"]> = Extract<Command, { readonly name: Name }>;

const isCommandName = (name: string | undefined): name is Command["name"] =>
  name !== undefined && Object.hasOwn(COMMANDS, name);

/**
 * Parses the arguments of the command.
 *
 * @returns Command; `undefined` if help is requested.
 * @throws UsageError that names the wrong argument.
 */
export const parseCommand = (args: readonly string[]): Command | undefined => {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [place, name, ...rest] = positionals;
  if (!place)
    throw new UsageError("Name a ledger: the path of a SQLite file, or a postgres:// URL.");
  if (!isCommandName(name)) {
    const problem = name === undefined ? "" : `There is no command "${name}". `;
    throw new UsageError(`${problem}Name a command: ${Object.keys(COMMANDS).join(", ")}.`);
  }
  const { flags, maxArguments, toOptions } = COMMANDS[name];
  for (const [flag, value] of Object.entries(values)) {
    const isGiven = value !== undefined && value !== false;
    if (isGiven && ![...COMMON_FLAGS, ...flags].includes(flag)) {
      throw new UsageError(`${name} has no option --${flag}.`);
    }
  }
  const { table, "show-keys": showKeys } = values;
  if (table !== undefined && !/^[A-Za-z_][\w$]*(\.[A-Za-z_][\w$]*)?$/.test(table)) {
    throw new UsageError("--table must be a table name, optionally after a schema and a dot.");
  }
  if (rest.length > maxArguments) {
    throw new UsageError(`${name} takes no argument "${rest[maxArguments]}".`);
  }
  return { place, table, showKeys, name, ...toOptions(values, rest) } as Command;
};
