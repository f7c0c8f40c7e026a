import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { toTable } from "../write-report.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;

/** Interfaces of options by their headings on the page. */
const GROUPS: readonly (readonly [heading: string, interfaces: readonly string[]])[] = [
  ["Both clients", ["ClientOptions"]],
  ["V2Client", ["V2ClientOptions"]],
  ["TransactionalClient", ["TransactionalClientOptions"]],
  ["A call, or a client for all its calls", ["RequestOptions"]],
  ["Option retry", ["RetryOptions"]],
  ["Option throttle, and createThrottle", ["ThrottleOptions"]],
  ["throttleFrom", ["ThrottleFromOptions"]],
  ["Methods that walk through pages", ["ListRequestOptions"]],
  ["sendRcsFile", ["SendFileOptions"]],
  ["waitUntilFinished", ["WaitOptions"]],
  ["sendOnce", ["SendOnceOptions"]],
  ["sendMany and removeMany", ["RunOptions"]],
  ["sendMany only", ["SendManyOptions"]],
  ["removeMany only", ["RemoveManyOptions"]],
  ["sqliteLedger", ["SqliteLedgerOptions"]],
  ["postgresLedger", ["PostgresLedgerOptions"]],
  ["downloadReport", ["DownloadOptions"]],
  ["traced", ["TracedOptions"]],
  ["checkFile", ["CheckFileOptions"]],
  ["fitSms", ["FitSmsOptions"]],
];

const isInterface =
  (name: string) =>
  (node: ts.Statement): node is ts.InterfaceDeclaration =>
    ts.isInterfaceDeclaration(node) && node.name.text === name;

const sources = globSync("src/**/*.ts", { cwd: ROOT }).map((path) =>
  ts.createSourceFile(path, readFileSync(ROOT + path, "utf8"), ts.ScriptTarget.Latest, true),
);

/** Returns the members that an interface, or an intersection of types, itself declares. */
const membersOf = (name: string): readonly ts.TypeElement[] => {
  const found = sources.flatMap(({ statements }) =>
    statements.flatMap((statement) => {
      if (isInterface(name)(statement)) return [statement.members];
      if (!ts.isTypeAliasDeclaration(statement) || statement.name.text !== name) return [];
      const parts = ts.isIntersectionTypeNode(statement.type) ? statement.type.types : [];
      return [...parts].filter(ts.isTypeLiteralNode).map(({ members }) => members);
    }),
  );
  if (found.length !== 1) throw new Error(`${found.length} types of options are called ${name}`);
  return found[0] ?? [];
};

const DEFAULT = /\s*Default: (.+?)\.(?= [A-Z]|$)/s;
/** Matches the first sentence of a comment. The page contains only this sentence; the editor shows the rest. */
const FIRST_SENTENCE = /^.*?\.(?=\s+(?:[A-Z"]|`[^`]+` [a-z])|$)/s;

/** Options of a call that a client does not have, which `ClientOptions` omits. */
const OF_A_CALL_ONLY: readonly string[] = sources
  .flatMap(({ statements }) => statements.filter(isInterface("ClientOptions")))
  .flatMap(({ heritageClauses = [] }) => heritageClauses.flatMap(({ types }) => types))
  .flatMap(({ typeArguments = [] }) => typeArguments.slice(1))
  .flatMap((omitted) => omitted.getText().match(/(?<=")\w+/g) ?? []);

/** Returns the default of an option whose parts have their own defaults, as an object. */
const defaultOfParts = (parts: readonly string[][]): string =>
  `\`{ ${parts.map(([name = "", standard]) => `${name.replace(/.*\.|`/g, "")}: ${standard}`).join(", ")} }\``;

/** Returns the rows of the options that an interface itself declares, nested options included. */
const rowsOf = (members: readonly ts.TypeElement[], prefix = ""): readonly string[][] =>
  members.flatMap((member) => {
    if (!(ts.isPropertySignature(member) || ts.isMethodSignature(member))) return [];
    const name = `${prefix}${member.name.getText()}`;
    const [comment] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
    const text = (ts.getTextOfJSDocComment(comment?.comment) ?? "").replace(/\s*\n\s*/g, " ");
    if (text === "") throw new Error(`the option ${name} has no comment`);
    const whole = text.replace(DEFAULT, "").replaceAll(/\{@link (\S+?)\}/g, "`$1`");
    const meaning = FIRST_SENTENCE.exec(whole)?.[0] ?? whole;
    const type = ts.isPropertySignature(member) ? member.type : undefined;
    const parts: readonly ts.TypeNode[] = type && ts.isUnionTypeNode(type) ? type.types : [];
    const nested = parts
      .filter(ts.isTypeLiteralNode)
      .flatMap((literal) => rowsOf(literal.members, `${name}.`));
    const ofNothing = nested.length > 0 ? defaultOfParts(nested) : "none";
    const fallback = whole.includes("Required,") ? "read from the environment" : ofNothing;
    const standard = DEFAULT.exec(text)?.[1] ?? (member.questionToken ? fallback : "required");
    const toCell = (cell: string) => cell.replaceAll("|", "\\|");
    return [[`\`${name}\``, toCell(standard), toCell(meaning)], ...nested];
  });

/** Returns the tables of all options, with their defaults and meanings, from the comments of the source. */
export const optionsTable = (): string =>
  GROUPS.map(([heading, names]) => {
    const rows = names.flatMap((name) =>
      rowsOf(membersOf(name)).map(([option = "", standard = "", meaning = ""]) => {
        const isOfACall = name === "RequestOptions" && OF_A_CALL_ONLY.includes(option.slice(1, -1));
        return [option, standard, isOfACall ? `${meaning} A client does not have it.` : meaning];
      }),
    );
    return `## ${heading}\n\n${toTable([["option", "default", "meaning"], ...rows])}`;
  }).join("\n\n");
