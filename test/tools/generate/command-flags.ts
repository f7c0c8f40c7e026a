import { COMMANDS } from "../../../src/command/ledger/ledger-flags.ts";

const escaped = (text: string): string => text.replaceAll("|", "\\|");

const toTable = (head: string, rows: readonly (readonly [name: string, text: string])[]): string =>
  [
    `| ${head} |`,
    "|---|---|",
    ...rows.map(([name, text]) => `| \`${escaped(name)}\` | ${escaped(text)} |`),
  ].join("\n");

/** Returns the table of the commands for a ledger, with their flags. */
export const ledgerCommands = (): string =>
  toTable(
    "command | effect",
    Object.values(COMMANDS).map(({ usage, summary, flags }) => {
      const names = Object.keys(flags).filter((name) => name !== "table");
      return [
        usage.replace(/^ledger <[^>]*> /, ""),
        `${summary} ${names.map((name) => `\`--${name}\``).join(", ")}`,
      ];
    }),
  );
