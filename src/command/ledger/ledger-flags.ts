import { LEDGER_STATES } from "../../bulk/ledgers/ledger.ts";
import { type Flags, flag, UsageError, type Values } from "../terminal/arguments.ts";

const MS_PER_UNIT: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Time as `doubts` prints it, in a terminal or for programs. */
const PRINTED_TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Time limit: a date, or an age in milliseconds by the ledger's clock. */
export type Limit = Date | number;

const toLimit = (value: string): Limit => {
  const [, number, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(value) ?? [];
  const unitMs = MS_PER_UNIT[unit];
  if (unitMs !== undefined) return Number(number) * unitMs;
  const date = new Date(PRINTED_TIME.test(value) ? value.replace(" ", "T") : Number.NaN);
  if (!Number.isNaN(date.getTime())) return date;
  throw new TypeError(
    'must be an age such as 90s, 30m, 1h, 30d or 2w, or a time as printed by doubts, such as "2026-11-21 08:15:30Z"',
  );
};

const oneOf =
  <T extends string>(words: readonly T[]) =>
  (value: string): T => {
    const word = words.find((known) => known === value);
    if (word !== undefined) return word;
    throw new TypeError(`must be one of ${words.join(", ")}`);
  };

const toTable = (value: string): string => {
  if (/^[A-Za-z_][\w$]*(\.[A-Za-z_][\w$]*)?$/.test(value)) return value;
  throw new TypeError("must be a table name, optionally after a schema and a dot");
};

const table = flag("<name>", "table of the ledger", toTable, { default: "messaging_sends" });
const showKeys = { help: "show phone numbers in full" };
const json = { help: "print JSON" };
const csv = { help: "print CSV; for a file, add > file.csv" };
const before = flag(
  "<time>",
  "only keys that were claimed longer ago than this, such as 1h or 30d, or before a time as printed by doubts",
  toLimit,
);
const yes = { help: "make changes without asking first" };

export const COMMANDS = {
  status: {
    usage: "ledger <file | url> status [batch]",
    summary:
      "Lists batches with their counts and oldest doubts, and the size of the file or table.",
    flags: { json, table },
    maxWords: 3,
  },
  doubts: {
    usage: "ledger <file | url> doubts",
    summary: "Lists the keys that may or may not have been sent, oldest first.",
    flags: {
      batch: flag("<name>", "only keys of this batch"),
      before,
      json,
      csv,
      "show-keys": showKeys,
      table,
    },
    maxWords: 2,
  },
  entries: {
    usage: "ledger <file | url> entries [batch]",
    summary: "Lists keys with their states, to check who was texted.",
    flags: {
      state: flag(
        "<state>",
        `only keys in this state: ${LEDGER_STATES.join(", ")}`,
        oneOf(LEDGER_STATES),
        { isRepeatable: true },
      ),
      key: flag("<key>", "only this key; a phone number can have any common format", String, {
        isRepeatable: true,
      }),
      json,
      csv,
      "show-keys": showKeys,
      table,
    },
    maxWords: 3,
  },
  resolve: {
    usage: "ledger <file | url> resolve <batch> [key…]",
    summary:
      "Records that keys in doubt were sent (accepted), or that they may be sent again (open). You can also open rejected keys that you name. A phone number can have any common format.",
    flags: {
      as: flag("<state>", "accepted or open; required", oneOf(["accepted", "open"] as const)),
      "all-before": flag(
        "<time>",
        "instead of keys: every key in doubt that was claimed longer ago than this, or before a time as printed by doubts",
        toLimit,
      ),
      force: {
        help: "open even keys that were claimed in the last ten minutes and may be on the wire now",
      },
      yes,
      "show-keys": showKeys,
      table,
    },
    maxWords: Number.POSITIVE_INFINITY,
  },
  forget: {
    usage: "ledger <file | url> forget <batch>",
    summary: "Deletes the entries of a batch. Their keys can then be sent again.",
    flags: { before, yes, table },
    maxWords: 3,
  },
};

export type CommandName = keyof typeof COMMANDS;

export type FlagsOf<Name extends CommandName> = Values<(typeof COMMANDS)[Name]["flags"]>;

/** Flags of all commands. With them, words can be distinguished from values of flags before the command is known. */
export const ALL_FLAGS: Flags = Object.assign(
  {},
  ...Object.values(COMMANDS).map(({ flags }) => flags),
);

export const isCommandName = (name: string | undefined): name is CommandName =>
  name !== undefined && Object.hasOwn(COMMANDS, name);

export const requiredBatch = (command: CommandName, batch: string | undefined): string => {
  if (batch) return batch;
  throw new UsageError(`Name the batch: ${command} <batch>.`);
};
