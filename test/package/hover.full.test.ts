// Hovers that editors show for the declarations of the packed package, with TypeScript 5.9 and 7.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type tsc from "typescript";
import { afterAll, describe, expect, inject, test } from "vitest";
import { installFixture, requireFixture } from "../support/fixture.ts";
import { startLanguageServer } from "../support/language-server.ts";

const ts: typeof tsc = requireFixture("tools", "typescript5.9");
const APPLICATION = inject("application");
const FILE = join(APPLICATION, "hover.mts");

const source = `
import {
  TransactionalClient, V2Client, checkPhone, createThrottle, maxFileBytes, successActions,
} from "messaging-service-client";
import type {
  DoubleOptInResult, DoubleOptInSettings, List, ListCreate, ListRequestOptions, ListsQuery, MomtReport, OptInRequest, OptInStep, RcsFileMessage,
  RcsTextMessage, RequestOptions, ScheduledMessage, ScheduledMessagesQuery, SendFileOptions, SingleOptInResult, SingleOptInSettings, Subscriber,
  Transaction, TransactionalClientOptions, V2ClientOptions, WaitOptions, Account, Page, CustomRequest, CheckFileOptions, FitSmsOptions,
} from "messaging-service-client";
import { createFakeService } from "messaging-service-client/testing";
const v2 = new V2Client();
const rcs = new TransactionalClient();
v2.accounts.me; v2.lists.list; v2.lists.configureOptIn; v2.momtReports.waitUntilFinished; v2.request; rcs.sendRcsText;
checkPhone; createThrottle; createFakeService; maxFileBytes; successActions;

const account = await v2.accounts.me();
const page = await v2.lists.list();
const list = await v2.lists.retrieve(1);
const subscriber = await v2.subscribers.remove(1, "+12065550123");
const report = await v2.momtReports.retrieve(1);
const transaction = await rcs.sendRcsText({ phoneNumber: "", webhookUrl: "", rcsPayload: { text: "" }, smsFailover: "" });
account; page; list; subscriber; report; transaction;

export type Requests = [
  ListsQuery, ScheduledMessagesQuery, ListCreate, SingleOptInSettings, DoubleOptInSettings, OptInStep, RcsTextMessage, RcsFileMessage,
  RequestOptions, ListRequestOptions, SendFileOptions, WaitOptions, V2ClientOptions, TransactionalClientOptions, CustomRequest, CheckFileOptions,
  FitSmsOptions,
];
export type Responses = [
  Account, List, OptInRequest, SingleOptInResult, DoubleOptInResult, Subscriber, ScheduledMessage, MomtReport, Transaction, Page<List>,
];
`;
writeFileSync(FILE, source);

const MODULES = [
  ...["", "/v2", "/transactional", "/schemas", "/bulk", "/reports", "/opentelemetry"],
  ...["/testing", "/testing/node"],
];
const ENTRIES = join(APPLICATION, "entries.mts");
const entries = MODULES.map(
  (path) => `export * as m${path.replace(/\W/g, "_")} from "messaging-service-client${path}";`,
);
writeFileSync(ENTRIES, entries.join("\n"));

const service = ts.createLanguageService({
  getCompilationSettings: () => ({
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: [
      ...["lib.es2023.d.ts", "lib.dom.d.ts"],
      ...["lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    ],
    types: [],
    strict: true,
  }),
  getScriptFileNames: () => [FILE, ENTRIES],
  getScriptVersion: () => "1",
  getScriptSnapshot: (path) => {
    const text = ts.sys.readFile(path);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => APPLICATION,
  getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  readDirectory: ts.sys.readDirectory,
});

const program = service.getProgram();
const file = program?.getSourceFile(FILE);
const entriesFile = program?.getSourceFile(ENTRIES);
if (!program || !file || !entriesFile) throw new Error(`no program for ${FILE}`);
const checker = program.getTypeChecker();

const exportsOf = (of: tsc.Node): tsc.Symbol[] =>
  checker.getExportsOfModule(checker.getSymbolAtLocation(of) as tsc.Symbol);
const exported = exportsOf(entriesFile).flatMap((module) =>
  checker.getExportsOfModule(checker.getAliasedSymbol(module)),
);

/** Name and location of a function or method. */
interface Callable {
  readonly name: string;
  readonly file: string;
  readonly position: number;
}

/** Yields the functions of a symbol: the symbol itself, or the methods of a class, an interface or an object type. */
function* callablesOf(symbol: tsc.Symbol, owner = ""): Generator<Callable> {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  for (const declaration of target.declarations ?? []) {
    const { fileName } = declaration.getSourceFile();
    if (!fileName.includes("messaging-service-client")) continue;
    const name = ts.getNameOfDeclaration(declaration);
    if (ts.isAccessor(declaration) || !ts.isFunctionLike(declaration)) continue;
    if (name && ts.isIdentifier(name)) {
      yield { name: owner + target.name, file: fileName, position: name.getStart() };
    }
  }
  if (owner === "")
    for (const member of target.members?.values() ?? [])
      yield* callablesOf(member, `${target.name}.`);
}

const found = exported.flatMap((symbol) => [...callablesOf(symbol)]);
const callables = [
  ...new Map(found.map((each) => [`${each.file}:${each.position}`, each])).values(),
];

/** Content of the hover for a name. */
interface Hover {
  readonly signature: string;
  readonly docs: string;
  readonly throws: readonly string[];
}

const signatureOf = (text: string) => text.replace(/^\(\w+\) (function )?|\nimport \w+$/g, "");

const hoverOfVersion5 = async (file: string, position: number): Promise<Hover> => {
  const info = service.getQuickInfoAtPosition(file, position);
  return {
    signature: signatureOf(ts.displayPartsToString(info?.displayParts)),
    docs: ts.displayPartsToString(info?.documentation),
    throws: (info?.tags ?? [])
      .filter(({ name }) => name === "throws")
      .map(({ text }) => ts.displayPartsToString(text)),
  };
};

const tsc7 = join(installFixture("tools"), "node_modules/typescript7.0/bin/tsc");
const server = await startLanguageServer([tsc7, "--lsp", "--stdio"], APPLICATION);
afterAll(() => server.end());

const hoverOfVersion7 = async (file: string, position: number): Promise<Hover> => {
  const text = await server.hover(file, position);
  const [, code = "", docs = "", tags = ""] =
    /^```\w+\n(.*?)\n```\n?(.*?)(\n\n\*@.*|\n?\*@.*|)$/s.exec(text) ?? [];
  const throws = [...tags.matchAll(/\*@throws\*(?: — )?(.*?)(?=\n\n\*@|$)/gs)];
  return { signature: signatureOf(code), docs, throws: throws.map(([, said = ""]) => said) };
};

test("the file with the hovers compiles", () => {
  const messages = service.getSemanticDiagnostics(FILE).map(({ messageText }) => messageText);
  expect(messages).toEqual([]);
});

type HoverIn = (file: string, position: number) => Promise<Hover>;

/** Returns the hover of the last occurrence of a name. */
const hoverOf = (hoverIn: HoverIn, name: string) =>
  hoverIn(FILE, source.lastIndexOf(`${name};`) + name.lastIndexOf(".") + 1);

describe.each([
  ["5.9", hoverOfVersion5],
  ["7", hoverOfVersion7],
] as const)("hovers in an editor with TypeScript %s", (_, hoverIn) => {
  test.each([
    ["v2.accounts.me", "Accounts.me(options?: RequestOptions): ApiPromise<Account>"],
    [
      "v2.lists.list",
      "Lists.list(params?: ListsQuery, options?: ListRequestOptions): PagePromise<List>",
    ],
    ["v2.lists.configureOptIn", expect.stringMatching(/^Lists\.configureOptIn<(?!.*overload)/)],
    [
      "v2.momtReports.waitUntilFinished",
      "MomtReports.waitUntilFinished(reportId: number, options?: WaitOptions): Promise<MomtReport>",
    ],
    [
      "v2.request",
      "Client.request<T = unknown>(request: CustomRequest<T>, options?: RequestOptions): ApiPromise<T>",
    ],
    [
      "rcs.sendRcsText",
      "TransactionalClient.sendRcsText(message: RcsTextMessage, options?: RequestOptions): ApiPromise<Transaction>",
    ],
    ["checkPhone", "checkPhone(phoneNumber: string | null | undefined): PhoneCheck"],
    ["createThrottle", "createThrottle(options: ThrottleOptions): WindowThrottle"],
    ["createFakeService", "createFakeService(options?: FakeServiceOptions): FakeService"],
    ["maxFileBytes", "const maxFileBytes: 104857600"],
    ["successActions", 'const successActions: readonly ["nextrequest", "optinsubscriber"]'],
  ])("the hover of %s shows its docs and the signature %s", async (name, expected) => {
    const { signature, docs } = await hoverOf(hoverIn, name);
    expect(signature).toEqual(expected);
    expect(docs.length).toBeGreaterThan(10);
  });

  test.each([
    ["account", "Account"],
    ["page", "Page<List>"],
    ["list", "List"],
    ["subscriber", "Subscriber"],
    ["report", "MomtReport"],
    ["transaction", "Transaction"],
  ])("the hover of the result of %s shows the named type %s", async (name, type) => {
    expect((await hoverOf(hoverIn, name)).signature).toBe(`const ${name}: ${type}`);
  });

  test("every function and method has docs, and each of its errors starts with a word", async () => {
    expect(callables.length).toBeGreaterThan(100);
    const wrong: unknown[] = [];
    for (const { name, file, position } of callables) {
      const { signature, docs, throws } = await hoverIn(file, position);
      const isReadable = throws.every((text) => /^[a-z`]/i.test(text));
      if (docs.length > 10 && isReadable && !signature.includes("@link")) continue;
      wrong.push({ name, signature, docs, throws });
    }
    expect(wrong).toEqual([]);
  });
});

interface Field {
  readonly path: string;
  readonly hasDocs: boolean;
}

/** Yields the fields of a type, including nested fields. */
function* fieldsOf(type: tsc.Type, path: string, seen: readonly tsc.Type[] = []): Generator<Field> {
  if (seen.includes(type)) return;
  const within = [...seen, type];
  for (const part of type.isUnion() ? type.types : [type]) {
    if (checker.isArrayType(part)) {
      const [element] = checker.getTypeArguments(part as tsc.TypeReference);
      if (element) yield* fieldsOf(element, `${path}[]`, within);
      continue;
    }
    if (!(part.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) continue;
    for (const property of part.getProperties()) {
      const [declaration] = property.declarations ?? [];
      // Fields of the platform's own types, such as AbortSignal.
      if (!declaration?.getSourceFile().fileName.includes("messaging-service-client")) continue;
      const here = `${path}.${property.name}`;
      yield { path: here, hasDocs: property.getDocumentationComment(checker).length > 0 };
      const nested = checker.getTypeOfSymbolAtLocation(property, file as tsc.SourceFile);
      if (nested.getCallSignatures().length === 0) yield* fieldsOf(nested, here, within);
    }
  }
}

test.each([
  ["Requests", 120, "RcsTextMessage.rcsPayload.text"],
  ["Responses", 120, "List.opt_in_requests[].follow_up_hour"],
])("%s have docs for every field, nested ones included", (name, atLeast, nested) => {
  const symbol = exportsOf(file).find((known) => known.name === name) as tsc.Symbol;
  const types = checker.getTypeArguments(
    checker.getDeclaredTypeOfSymbol(symbol) as tsc.TypeReference,
  );
  const fields = types.flatMap((type) => [...fieldsOf(type, checker.typeToString(type))]);
  expect(fields.filter(({ hasDocs }) => !hasDocs)).toEqual([]);
  // At least one field was found.
  expect(fields.length).toBeGreaterThan(atLeast);
  expect(fields.map(({ path }) => path)).toContain(nested);
});

test("no export has the name of a global of the web", () => {
  const names = exported.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(150);
  const flags = ts.SymbolFlags.Type | ts.SymbolFlags.Value;
  const globals = new Set(checker.getSymbolsInScope(entriesFile, flags).map(({ name }) => name));
  expect(globals).toContain("EventListener");
  expect(names.filter((name) => globals.has(name))).toEqual([]);
});
