import { type ParseArgsConfig, parseArgs } from "node:util";
import { assertOptions } from "./options.ts";

/**
 * Parses the arguments of a command: its flags, and the words between them.
 *
 * @param hints What the error for an empty value says besides, by flag.
 * @throws TypeError that names an unknown flag with the one that was probably meant, or a flag without its value. In a
 * shell, an empty value may come from a variable that is not set.
 */
export const parseFlags = <const T extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  options: T,
  hints: Readonly<Record<string, string>> = {},
) => {
  const config = { args: [...args], options, allowPositionals: true } as const;
  for (const token of parseArgs({ ...config, strict: false, tokens: true }).tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    assertOptions("flags", { [name]: true }, options as never, rawName.slice(0, -name.length));
    if (options[name]?.type === "boolean") {
      if (value !== undefined) throw new TypeError(`${rawName} takes no value`);
    } else if (value === undefined) {
      throw new TypeError(`${rawName} needs a value`);
    } else if (!inlineValue && /^-./.test(value)) {
      const hint = `a value that begins with a dash is written as ${rawName}=-…`;
      throw new TypeError(`${rawName} needs a value; ${hint}`);
    } else if (value.trim() === "") {
      throw new TypeError(`${rawName} must not be empty${hints[name] ?? ""}`);
    }
  }
  return parseArgs(config);
};
