// Hovers that an editor shows for the declarations of the packed package, with TypeScript 5.9 and 7.
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
  TransactionalClient, V2Client, allowedContentTypes, analyzeGsm7, checkFile, checkPhone, collectedDataTypes, createThrottle, fitSms,
  maxFileBytes, maxPageSize, maxRcsTextLength, maxSmsLength, maxWebhookUrlLength, phoneReasons, successActions, toE164,
} from "messaging-service-client";
import type {
  DoubleOptInResult, DoubleOptInSettings, List, ListCreate, ListRequestOptions, ListsQuery, MomtReport, OptInRequest, OptInStep, RcsFileMessage,
  RcsTextMessage, RequestOptions, ScheduledMessage, ScheduledMessagesQuery, SendFileOptions, SingleOptInResult, SingleOptInSettings, Subscriber,
  Transaction, TransactionalClientOptions, V2ClientOptions, WaitOptions, Account, Page, CustomRequest, CheckFileOptions, FitSmsOptions,
} from "messaging-service-client";
import { createFakeService } from "messaging-service-client/testing";
import { previewMany, removeMany, sendMany, sendOnce } from "messaging-service-client/bulk";
import { traced } from "messaging-service-client/opentelemetry";
import { downloadReport } from "messaging-service-client/reports";
previewMany; removeMany; sendMany; sendOnce; traced; downloadReport;
const v2 = new V2Client();
const rcs = new TransactionalClient();
v2.accounts.me; v2.lists.list; v2.lists.retrieve; v2.lists.create; v2.lists.configureOptIn;
v2.subscribers.remove; v2.scheduledMessages.list; v2.momtReports.retrieve; v2.momtReports.waitUntilFinished;
v2.request; rcs.sendRcsText; rcs.sendRcsFile; rcs.request;
analyzeGsm7; checkFile; checkPhone; createThrottle; fitSms; toE164; createFakeService;
maxFileBytes; maxPageSize; maxRcsTextLength; maxSmsLength; maxWebhookUrlLength;
allowedContentTypes; collectedDataTypes; phoneReasons; successActions;

const account = await v2.accounts.me();
const page = await v2.lists.list();
const list = await v2.lists.retrieve(1);
const subscriber = await v2.subscribers.remove(1, "+12065550123");
const report = await v2.momtReports.retrieve(1);
const transaction = await rcs.sendRcsText({ phoneNumber: "", webhookUrl: "", rcsPayload: { text: "" }, smsFailover: "" });
account; page; list; subscriber; report; transaction;
list.name; report.percent_complete; transaction.transactionId; page.pages_count; list.opt_in_requests;

// Fields as they are written in a call; a number tells those with the same name apart.
await v2.lists.list({ /*1*/page: 1, /*1*/per_page: 1, /*1*/include_deleted: false }, { /*1*/prefetch: true, /*1*/timeout: 1 });
await v2.scheduledMessages.list(1, { /*2*/page: 1, /*2*/per_page: 1, /*2*/start_date: "", /*2*/end_date: "" });
await v2.lists.create({ /*3*/name: "", /*3*/message_help: "", /*3*/email_digest: null });
await v2.lists.configureOptIn(1, {
  /*4*/opt_in_type: "double", /*4*/bypass_opt_in_response: true,
  /*4*/opt_in_requests: [{
    /*5*/collected_data: "yes", /*5*/request_message: "", /*5*/retry_message: "", /*5*/follow_up: true, /*5*/follow_up_hour: 1,
    /*5*/no_response_message: "", /*5*/success_action: "optinsubscriber", /*5*/opt_in_message: "", /*5*/second_opt_in_message: "",
    /*5*/bypass_opt_in_response: true,
  }],
});
await v2.lists.configureOptIn(1, { /*6*/opt_in_type: "single", /*6*/first_optin_message: "", /*6*/second_optin_message: "" });
await rcs.sendRcsText({ /*7*/phoneNumber: "", /*7*/webhookUrl: "", /*7*/rcsPayload: { /*7*/text: "" }, /*7*/smsFailover: "" });
await rcs.sendRcsFile({
  /*8*/phoneNumber: "", /*8*/webhookUrl: "", /*8*/rcsPayload: { /*8*/file: { /*8*/url: "" } }, /*8*/smsFailover: "",
}, { /*9*/contentType: "" });
await v2.momtReports.waitUntilFinished(1, { /*10*/interval: 1 });
fitSms("", { /*11*/limit: 1, /*11*/unwritable: "?" });

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

/** Name of a function or method, and where it is declared. */
interface Callable {
  readonly name: string;
  readonly file: string;
  readonly position: number;
}

/** Yields the functions of a symbol: itself, or the methods of a class, an interface or an object type. */
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

/** What an editor shows of a name. */
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
  const request =
    "request<T = unknown>(request: CustomRequest<T>, options?: RequestOptions): ApiPromise<T>";
  test.each([
    ["v2.accounts.me", "Accounts.me(options?: RequestOptions): ApiPromise<Account>"],
    [
      "v2.lists.list",
      "Lists.list(params?: ListsQuery, options?: ListRequestOptions): PagePromise<List>",
    ],
    [
      "v2.lists.retrieve",
      "Lists.retrieve(listId: number, options?: RequestOptions): ApiPromise<List>",
    ],
    [
      "v2.lists.create",
      "Lists.create(params: ListCreate, options?: RequestOptions): ApiPromise<List>",
    ],
    ["v2.lists.configureOptIn", expect.stringMatching(/^Lists\.configureOptIn<(?!.*overload)/)],
    [
      "v2.subscribers.remove",
      "Subscribers.remove(listId: number, phoneNumber: string, options?: RequestOptions): ApiPromise<Subscriber>",
    ],
    [
      "v2.scheduledMessages.list",
      "ScheduledMessages.list(listId: number, params?: ScheduledMessagesQuery, options?: ListRequestOptions): PagePromise<ScheduledMessage>",
    ],
    [
      "v2.momtReports.retrieve",
      "MomtReports.retrieve(reportId: number, options?: RequestOptions): ApiPromise<MomtReport>",
    ],
    [
      "v2.momtReports.waitUntilFinished",
      "MomtReports.waitUntilFinished(reportId: number, options?: WaitOptions): Promise<MomtReport>",
    ],
    ["v2.request", `V2Client.${request}`],
    [
      "rcs.sendRcsText",
      "TransactionalClient.sendRcsText(message: RcsTextMessage, options?: RequestOptions): ApiPromise<Transaction>",
    ],
    [
      "rcs.sendRcsFile",
      "TransactionalClient.sendRcsFile(message: RcsFileMessage, options?: SendFileOptions): ApiPromise<Transaction>",
    ],
    ["rcs.request", `TransactionalClient.${request}`],
    ["analyzeGsm7", "analyzeGsm7(text: string): Gsm7Analysis"],
    ["checkFile", "checkFile(url: string, options?: CheckFileOptions): Promise<CheckedFile>"],
    ["checkPhone", "checkPhone(phoneNumber: string | null | undefined): PhoneCheck"],
    ["fitSms", "fitSms(text: string, options?: FitSmsOptions): FittedSms"],
    ["createThrottle", "createThrottle(options: ThrottleOptions): WindowThrottle"],
    ["toE164", "toE164(phoneNumber: string): string"],
    ["createFakeService", "createFakeService(options?: FakeServiceOptions): FakeService"],
    ["maxFileBytes", "const maxFileBytes: 104857600"],
    ["maxPageSize", "const maxPageSize: 1000"],
    ["maxRcsTextLength", "const maxRcsTextLength: 3000"],
    ["maxSmsLength", "const maxSmsLength: 160"],
    ["maxWebhookUrlLength", "const maxWebhookUrlLength: 255"],
    [
      "collectedDataTypes",
      'const collectedDataTypes: readonly ["zip_code", "email_address", "first_name", "yes"]',
    ],
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

  test("every function and method has docs, and each of its errors begins with a word", async () => {
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

// TypeScript 7.0 shows no docs of fields whose types are inferred from a schema.
describe("hovers of fields in an editor with TypeScript 5.9", () => {
  test.each([
    ["list.name", "name: string"],
    ["list.opt_in_requests", "List.opt_in_requests: OptInRequest[]"],
    ["report.percent_complete", "percent_complete: number"],
    ["transaction.transactionId", "transactionId: string"],
    ["page.pages_count", "PageData<List>.pages_count: number"],
  ])("the hover of %s shows its docs and the signature %s", async (name, expected) => {
    const { signature, docs } = await hoverOf(hoverOfVersion5, name);
    expect(signature).toBe(expected);
    expect(docs.length).toBeGreaterThan(5);
  });

  test.each([...source.matchAll(/\/\*\d+\*\/(\w+):/g)].map((match) => [match[0], match] as const))(
    "the hover of a field in a call shows its docs: %s",
    async (_, match) => {
      const { docs } = await hoverOfVersion5(FILE, match.index + match[0].indexOf("*/") + 2);
      expect(docs.length).toBeGreaterThan(10);
    },
  );

  test.each([
    ["/*1*/page", /an integer, 1 or more\. Default: 1\./],
    ["/*1*/per_page", /1 to 1000\. Default: 10 .*, 1000 for iteration/],
    ["/*2*/page", /an integer, 1 or more\. Default: 1\./],
    ["/*2*/per_page", /1 to 1000\. Default: 10 .*, 1000 for iteration/],
    ["/*1*/include_deleted", /Default: `true`/],
    ["/*2*/start_date", /`YYYYMMDD`, or a `Date`, .* Default: no bound/],
    ["/*5*/follow_up_hour", /Required (only )?when `follow_up` is true/],
    ["/*5*/success_action", /`optinsubscriber` for the last step/],
    ["/*7*/webhookUrl", /https URL of at most 255 characters/],
    ["/*7*/text", /at most 3000 characters/],
    ["/*7*/smsFailover", /1 to 160 characters of GSM 7-bit/],
    ["/*8*/url", /at most 255 characters .* at most 100 MB/],
    ["/*9*/contentType", /`allowedContentTypes`\. .* never sen(ds|t)/],
    ["/*11*/limit", /1 or more\. Default: 160/],
  ])("the hover of %s states the limit or default %s", async (field, limit) => {
    const position = source.indexOf(`${field}:`) + field.indexOf("*/") + 2;
    const { docs } = await hoverOfVersion5(FILE, position);
    expect(docs.replace(/\s+/g, " ")).toMatch(limit);
  });
});

interface Field {
  readonly path: string;
  readonly hasDocs: boolean;
}

/** Yields the fields of a type, nested ones included. */
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

describe("docs of fields", () => {
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
});

test("no export has the name of a global of the web", () => {
  const names = exported.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(150);
  const flags = ts.SymbolFlags.Type | ts.SymbolFlags.Value;
  const globals = new Set(checker.getSymbolsInScope(entriesFile, flags).map(({ name }) => name));
  expect(globals).toContain("EventListener");
  expect(names.filter((name) => globals.has(name))).toEqual([]);
});
