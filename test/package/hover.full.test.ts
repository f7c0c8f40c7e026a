// Hovers that an editor shows for the declarations of the packed package.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, inject, test } from "vitest";

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
  /*8*/phoneNumber: "", /*8*/webhookUrl: "", /*8*/rcsPayload: { /*8*/file: { /*8*/url: "" } }, /*8*/smsFailover: "", /*8*/contentType: "",
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

const service = ts.createLanguageService({
  getCompilationSettings: () => ({
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
    strict: true,
  }),
  getScriptFileNames: () => [FILE],
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

const hoverAt = (position: number) => {
  const info = service.getQuickInfoAtPosition(FILE, position);
  const text = ts.displayPartsToString(info?.displayParts);
  return {
    signature: text.replace(/^\(\w+\) (function )?|\nimport \w+$/g, ""),
    docs: ts.displayPartsToString(info?.documentation),
    throws: (info?.tags ?? [])
      .filter(({ name }) => name === "throws")
      .map(({ text }) => ts.displayPartsToString(text)),
  };
};

/** Returns the hover of the last occurrence of a name. */
const hover = (name: string) => hoverAt(source.lastIndexOf(`${name};`) + name.lastIndexOf(".") + 1);

/** Expects a hover with the given signature, and docs of at least some length. */
const expectHover = (name: string, expected: unknown, characters: number): void => {
  const { signature, docs } = hover(name);
  expect(signature).toEqual(expected);
  expect(docs.length).toBeGreaterThan(characters);
};

test("the file with the hovers compiles", () => {
  const messages = service.getSemanticDiagnostics(FILE).map(({ messageText }) => messageText);
  expect(messages).toEqual([]);
});

describe("hovers in an editor", () => {
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
  ])("the hover of %s shows its docs and the signature %s", (name, expected) =>
    expectHover(name, expected, 10),
  );

  test.each([
    ...["v2.accounts.me", "v2.lists.list", "v2.lists.retrieve", "v2.lists.create"],
    ...["v2.lists.configureOptIn", "v2.subscribers.remove", "v2.scheduledMessages.list"],
    ...["v2.momtReports.retrieve", "v2.momtReports.waitUntilFinished", "v2.request"],
    ...["rcs.sendRcsText", "rcs.sendRcsFile", "rcs.request", "traced"],
    ...["previewMany", "removeMany", "sendMany", "sendOnce", "downloadReport"],
  ])("the hover of %s has docs, and each of its errors begins with a word", (name) => {
    const { docs, throws } = hover(name);
    expect(docs.length).toBeGreaterThan(10);
    for (const text of throws) expect(text).toMatch(/^[a-z`]/i);
  });

  test.each([
    ["account", "Account"],
    ["page", "Page<List>"],
    ["list", "List"],
    ["subscriber", "Subscriber"],
    ["report", "MomtReport"],
    ["transaction", "Transaction"],
  ])("the hover of the result of %s shows the named type %s", (name, type) => {
    expect(hover(name).signature).toBe(`const ${name}: ${type}`);
  });

  test.each([
    ["list.name", "name: string"],
    ["list.opt_in_requests", "List.opt_in_requests: OptInRequest[]"],
    ["report.percent_complete", "percent_complete: number"],
    ["transaction.transactionId", "transactionId: string"],
    ["page.pages_count", "PageData<List>.pages_count: number"],
  ])("the hover of %s shows its docs and the signature %s", (name, expected) =>
    expectHover(name, expected, 5),
  );

  test.each([...source.matchAll(/\/\*\d+\*\/(\w+):/g)].map((match) => [match[0], match] as const))(
    "the hover of a field in a call shows its docs: %s",
    (_, match) => {
      const { docs } = hoverAt(match.index + match[0].indexOf("*/") + 2);
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
    ["/*8*/contentType", /`allowedContentTypes`\. .* never sen(ds|t)/],
    ["/*9*/contentType", /`allowedContentTypes`\. .* never sen(ds|t)/],
    ["/*11*/limit", /1 or more\. Default: 160/],
  ])("the hover of %s states the limit or default %s", (field, limit) => {
    const { docs } = hoverAt(source.indexOf(`${field}:`) + field.indexOf("*/") + 2);
    expect(docs.replace(/\s+/g, " ")).toMatch(limit);
  });
});

const program = service.getProgram();
const file = program?.getSourceFile(FILE);
if (!program || !file) throw new Error(`no program for ${FILE}`);
const checker = program.getTypeChecker();

interface Field {
  readonly path: string;
  readonly hasDocs: boolean;
}

/** Yields the fields of a type, nested ones included. */
function* fieldsOf(type: ts.Type, path: string, seen: readonly ts.Type[] = []): Generator<Field> {
  if (seen.includes(type)) return;
  const within = [...seen, type];
  for (const part of type.isUnion() ? type.types : [type]) {
    if (checker.isArrayType(part)) {
      const [element] = checker.getTypeArguments(part as ts.TypeReference);
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
      const nested = checker.getTypeOfSymbolAtLocation(property, file as ts.SourceFile);
      if (nested.getCallSignatures().length === 0) yield* fieldsOf(nested, here, within);
    }
  }
}

describe("docs of fields", () => {
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(file) as ts.Symbol);

  test.each([
    ["Requests", 120, "RcsTextMessage.rcsPayload.text"],
    ["Responses", 120, "List.opt_in_requests[].follow_up_hour"],
  ])("%s have docs for every field, nested ones included", (name, atLeast, nested) => {
    const symbol = exported.find((known) => known.name === name) as ts.Symbol;
    const types = checker.getTypeArguments(
      checker.getDeclaredTypeOfSymbol(symbol) as ts.TypeReference,
    );
    const fields = types.flatMap((type) => [...fieldsOf(type, checker.typeToString(type))]);
    expect(fields.filter(({ hasDocs }) => !hasDocs)).toEqual([]);
    // At least one field was found.
    expect(fields.length).toBeGreaterThan(atLeast);
    expect(fields.map(({ path }) => path)).toContain(nested);
  });
});

/** Source of a valid step as an object literal, with some fields replaced or, if undefined, left out. */
const stepWith = (fields: Readonly<Record<string, string | undefined>>): string => {
  const step = {
    collected_data: '"yes"',
    request_message: '""',
    retry_message: '""',
    follow_up: "false",
    success_action: '"optinsubscriber"',
    ...fields,
  };
  const entries = Object.entries(step).filter(([, value]) => value !== undefined);
  return `{ ${entries.map(([name, value]) => `${name}: ${value}`).join(", ")} }`;
};
const double = (fields: Readonly<Record<string, string | undefined>>): string =>
  `await v2.lists.configureOptIn(1, { opt_in_type: "double", opt_in_requests: [${stepWith(fields)}] });`;

/** Lines with one mistake each, and the end of the compiler's message. */
const MISTAKES: readonly (readonly [line: string, expected: RegExp])[] = [
  [double({ collected_data: '"zip"' }), /'"zip"' is not assignable to .*"zip_code"/],
  [double({ success_action: '"subscribe"' }), /'"subscribe"' is not assignable to .*"nextrequest"/],
  [double({ retry_message: undefined }), /'retry_message' is missing/],
  [double({ retry_message: "5" }), /'number' is not assignable to type 'string'/],
  [double({ follow_up: "true" }), /'follow_up_hour' is missing/],
  [double({ follow_up: "true", follow_up_hour: "null" }), /'follow_up_hour' are incompatible/],
  [double({ retry_mesage: '""' }), /'retry_mesage' does not exist/],
  [
    "await v2.lists.configureOptIn(1, { opt_in_type: 'double', opt_in_requests: [{ ...returned, retry_message: 5 }] });",
    /'number' is not assignable to type 'string'/,
  ],
  [
    'const settings: OptInSettings = { opt_in_type: "triple" };',
    /'"triple"' is not assignable to .*"single"/,
  ],
  ["v2.lists.list({ per_pages: 5 });", /'per_pages' does not exist in type 'ListsQuery'/],
  [
    'await rcs.sendRcsText({ ...envelope, rcsPayload: { txt: "" } });',
    /'txt' does not exist in type '\{ text: string; \}'/,
  ],
  ["await rcs.sendRcsFile({ ...envelope, rcsPayload: { file: {} } });", /'url' is missing/],
];

describe("errors of the compiler", () => {
  const mistakes = join(APPLICATION, "mistakes.mts");
  const head = [
    'import { TransactionalClient, V2Client, type OptInRequest, type OptInSettings } from "messaging-service-client";',
    "const v2 = new V2Client(); const rcs = new TransactionalClient();",
    'const envelope = { phoneNumber: "", webhookUrl: "", smsFailover: "" };',
    "declare const returned: OptInRequest;",
    double({}),
    "await v2.lists.configureOptIn(1, { opt_in_type: 'double', opt_in_requests: [{ ...returned, retry_message: '' }, returned] });",
  ];
  writeFileSync(mistakes, [...head, ...MISTAKES.map(([line]) => line)].join("\n"));
  const said = new Map<number, string>();
  const all = ts.createProgram([mistakes], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
    types: [],
    strict: true,
  });
  for (const { file, start = 0, messageText } of all.getSemanticDiagnostics()) {
    const { line = -1 } = file?.getLineAndCharacterOfPosition(start) ?? {};
    said.set(line, ts.flattenDiagnosticMessageText(messageText, "\n"));
  }

  test("code without a mistake has no error of the compiler", () => {
    expect([...said.keys()].filter((line) => line < head.length)).toEqual([]);
  });

  test.each(
    MISTAKES.map(([line, expected], index) => [line, expected, head.length + index] as const),
  )("the compiler's error for %s names the mistake: %s", (_, expected, line) => {
    const message = said.get(line) ?? "";
    expect(message).toMatch(expected);
    // A step to configure must not have the fields of a response.
    expect(message).not.toMatch(/'(id|list_id|created_at)'|properties from type.*\bid\b/);
  });
});

describe("names of exports", () => {
  const modules = [
    "",
    "/v2",
    "/transactional",
    "/schemas",
    "/bulk",
    "/reports",
    "/opentelemetry",
    "/testing",
    "/testing/node",
  ];
  const entries = join(APPLICATION, "entries.mts");
  writeFileSync(
    entries,
    modules
      .map(
        (path) =>
          `export * as m${path.replace(/\W/g, "_")} from "messaging-service-client${path}";`,
      )
      .join("\n"),
  );

  test("no export has the name of a global of the web", () => {
    const all = ts.createProgram([entries], {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      lib: [
        "lib.es2023.d.ts",
        "lib.dom.d.ts",
        "lib.dom.iterable.d.ts",
        "lib.dom.asynciterable.d.ts",
      ],
      types: [],
    });
    const its = all.getTypeChecker();
    const root = its.getSymbolAtLocation(all.getSourceFile(entries) as ts.SourceFile) as ts.Symbol;
    const names = its
      .getExportsOfModule(root)
      .flatMap((module) =>
        its.getExportsOfModule(its.getAliasedSymbol(module)).map(({ name }) => name),
      );
    expect(names.length).toBeGreaterThan(150);
    const global = its.getSymbolsInScope(
      all.getSourceFile(entries) as ts.SourceFile,
      ts.SymbolFlags.Type | ts.SymbolFlags.Value,
    );
    const globals = new Set(global.map(({ name }) => name));
    expect(globals).toContain("EventListener");
    expect(names.filter((name) => globals.has(name))).toEqual([]);
  });
});
