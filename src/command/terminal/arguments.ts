import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { assertOptions } from "../../core/options.ts";
import { formatCountOf } from "./print.ts";

export class UsageError extends Error {}

/** Flag of a command. The parsing, the help text and the table in the docs are derived from it. */
export interface Flag<T = unknown> {
  /** Placeholder of the value in the help text, such as `<file>`; absent if the flag takes no value. */
  readonly value?: string;
  readonly help: string;
  readonly default?: string;
  readonly isRepeatable?: true;
  /**
   * Converts the value; absent if the flag takes no value. The message of an error that it throws follows the name of the flag,
   * as in "must be …".
   */
  readonly parse?: (value: string) => T;
}

export type Flags = Readonly<Record<string, Flag>>;

type Single<F> = F extends { readonly parse: (value: string) => infer T } ? T : boolean;

/**
 * Values of flags. A flag that takes no value is `true` or `false`. Any other flag that was not given is `undefined`, unless it
 * has a default.
 */
export type Values<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends { readonly isRepeatable: true }
    ? Single<F[Name]>[]
    : F[Name] extends { readonly default: string }
      ? Single<F[Name]>
      : F[Name] extends { readonly value: string }
        ? Single<F[Name]> | undefined
        : boolean;
};

/** Declares a flag that takes a value. `more` can contain a default, or make the flag repeatable. */
export const flag = <
  T = string,
  const More extends Pick<Flag, "default" | "isRepeatable"> = object,
>(
  value: string,
  help: string,
  parse: (value: string) => T = (text) => text as T,
  more = {} as More,
) => ({ value, help, parse, ...more });

/** Description of a command for its parsing, its help text and the docs. */
export interface CommandLine<F extends Flags = Flags> {
  /** Text that follows the name of the package, such as `ledger <sends.db> status [batch]`. */
  readonly usage: string;
  readonly summary: string;
  readonly flags: F;
  /** Maximum number of words between the flags. Default: 0. */
  readonly maxWords?: number;
  /** Text at the end of the help. */
  readonly notes?: string;
}

const HELP: Flag = { help: "show this text" };

const toConfig = (flags: Flags): ParseArgsOptionsConfig =>
  Object.fromEntries(
    Object.entries({ ...flags, help: HELP }).map(([name, { value, isRepeatable = false }]) => [
      name,
      {
        type: value === undefined ? "boolean" : "string",
        multiple: isRepeatable,
        ...(name === "help" && { short: "h" }),
      },
    ]),
  );

const parse = (args: readonly string[], flags: Flags, strict: boolean) =>
  parseArgs({
    args: [...args],
    options: toConfig(flags),
    tokens: true,
    allowPositionals: true,
    strict,
  });

export const wordsOf = (args: readonly string[], flags: Flags) => {
  const { positionals: words, values } = parse(args, flags, false);
  return { words, isHelp: values.help === true };
};

/** Runs a step that checks a flag. Converts its errors to usage errors. */
const asUsage = <T>(prefix: string, step: () => T): T => {
  try {
    return step();
  } catch (error) {
    throw new UsageError(`${prefix}${(error as Error).message}`, { cause: error });
  }
};

/** @throws UsageError that names a flag that is unknown (and the likely flag instead), lacks its value, or is malformed. */
const parseFlags = <F extends Flags>(args: readonly string[], flags: F): Values<F> => {
  for (const token of parse(args, flags, false).tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName } = token;
    const dashes = rawName.slice(0, -name.length);
    asUsage("", () => assertOptions("flags", { [name]: true }, toConfig(flags) as never, dashes));
  }
  const { values } = asUsage("", () => parse(args, flags, true));
  const convert = (name: string, { isRepeatable, parse, ...flag }: Flag) => {
    const given = values[name] ?? (isRepeatable ? [] : flag.default);
    if (!parse) return given === true;
    const toValue = (value: unknown) =>
      asUsage(`--${name} `, () => {
        if (String(value).trim() === "") throw new TypeError("must not be empty");
        return parse(String(value));
      });
    if (Array.isArray(given)) return given.map(toValue);
    return given === undefined ? undefined : toValue(given);
  };
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, convert(name, flag)]),
  ) as Values<F>;
};

/** Width of the help text, and of the column with the names in it. */
const [WIDTH, NAMES] = [80, 24];

export const wrap = (text: string, width: number): readonly string[] =>
  text.match(new RegExp(`\\S.{0,${width - 1}}(?=\\s|$)`, "g")) ?? [];

/** Formats a row of a help text from a name and its description. */
export const toHelpRow = (name: string, text: string): string => {
  const lines = wrap(text, WIDTH - NAMES);
  const start = `  ${name}`.padEnd(NAMES);
  const rows = start.endsWith(" ") ? [start + lines[0], ...lines.slice(1)] : [start, ...lines];
  return rows.map((row, index) => (index === 0 ? row : " ".repeat(NAMES) + row)).join("\n");
};

/** Returns a row for each flag, with its value and its description. */
export const toFlagRows = (flags: Flags): readonly (readonly [name: string, text: string])[] =>
  Object.entries(flags).map(([name, { value, help, isRepeatable, ...flag }]) => [
    value === undefined ? `--${name}` : `--${name} ${value}`,
    [
      help,
      flag.default === undefined ? "" : ` (default: ${flag.default})`,
      isRepeatable ? "; can be repeated" : "",
    ].join(""),
  ]);

export const toHelp = ({ usage, summary, flags, notes }: CommandLine): string =>
  [
    ...wrap(summary, WIDTH),
    "",
    `Usage: npx messaging-service-client ${usage}`,
    "",
    ...toFlagRows({ ...flags, help: HELP }).map(([name, text]) => toHelpRow(name, text)),
    ...(notes === undefined ? [] : ["", notes]),
  ].join("\n");

/** Returns the values of a command's flags; `undefined` if help was requested, which is printed. */
export const parseCommand = <F extends Flags>(
  args: readonly string[],
  command: CommandLine<F>,
): Values<F> | undefined => {
  const { flags, maxWords = 0 } = command;
  const { words, isHelp } = wordsOf(args, flags);
  if (isHelp) {
    console.log(toHelp(command));
    return undefined;
  }
  const values = parseFlags(args, flags);
  if (words.length <= maxWords) return values;
  // The words are not quoted, because one may be an API key or a phone number.
  throw new UsageError(`${formatCountOf(words.length - maxWords, "argument")} too many.`);
};
