// Tests of the hovers that an editor shows for a name.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, inject, test } from "vitest";

const APPLICATION = inject("application");
const FILE = join(APPLICATION, "hover.mts");

const source = `
import { TransactionalClient, V2Client, analyzeGsm7, checkFile, createThrottle, toE164 } from "messaging-service-client";
import { createFakeService } from "messaging-service-client/testing";
const v2 = new V2Client();
const rcs = new TransactionalClient();
v2.accounts.me; v2.lists.list; v2.lists.retrieve; v2.lists.create; v2.lists.configureOptIn;
v2.subscribers.remove; v2.scheduledMessages.list; v2.momtReports.retrieve; v2.momtReports.waitUntilFinished;
v2.request; rcs.sendRcsText; rcs.sendRcsFile; rcs.request;
analyzeGsm7; checkFile; createThrottle; toE164; createFakeService;

const account = await v2.accounts.me();
const page = await v2.lists.list();
const list = await v2.lists.retrieve(1);
const subscriber = await v2.subscribers.remove(1, "+12065550123");
const report = await v2.momtReports.retrieve(1);
const transaction = await rcs.sendRcsText({ phoneNumber: "", webhookUrl: "", rcsPayload: { text: "" }, smsFailover: "" });
account; page; list; subscriber; report; transaction;
list.name; report.percent_complete; transaction.transactionId; page.pages_count;
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

/** Returns the hover of the last occurrence of a name. */
const hover = (name: string) => {
  const position = source.lastIndexOf(`${name};`) + name.lastIndexOf(".") + 1;
  const info = service.getQuickInfoAtPosition(FILE, position);
  const text = ts.displayPartsToString(info?.displayParts);
  return {
    signature: text.replace(/^\(\w+\) (function )?|\nimport \w+$/g, ""),
    docs: ts.displayPartsToString(info?.documentation),
  };
};

/** Expects the signature of a hover, and docs of more characters than some. */
const expectHover = (name: string, expected: string, characters: number): void => {
  const { signature, docs } = hover(name);
  expect(signature).toBe(expected);
  expect(docs.length).toBeGreaterThan(characters);
};

test("the file with the hovers compiles", () => {
  const messages = service.getSemanticDiagnostics(FILE).map(({ messageText }) => messageText);
  expect(messages).toEqual([]);
});

describe("hovers in an editor", () => {
  const request =
    'request<T = unknown, Type extends CustomResponseType = "json">(request: CustomRequest<T, Type>, options?: RequestOptions): ApiPromise<CustomData<T, Type>>';
  test.each([
    ["v2.accounts.me", "Accounts.me(options?: RequestOptions): ApiPromise<Account>"],
    [
      "v2.lists.list",
      "Lists.list(params?: ListsQuery | Resume, options?: ListRequestOptions): PagePromise<List>",
    ],
    [
      "v2.lists.retrieve",
      "Lists.retrieve(listId: number, options?: RequestOptions): ApiPromise<List>",
    ],
    [
      "v2.lists.create",
      "Lists.create(params: ListCreate, options?: RequestOptions): ApiPromise<List>",
    ],
    [
      "v2.lists.configureOptIn",
      "Lists.configureOptIn(listId: number, settings: SingleOptInSettings, options?: RequestOptions): ApiPromise<SingleOptInResult> (+2 overloads)",
    ],
    [
      "v2.subscribers.remove",
      "Subscribers.remove(listId: number, phoneNumber: string, options?: RequestOptions): ApiPromise<Subscriber>",
    ],
    [
      "v2.scheduledMessages.list",
      "ScheduledMessages.list(listId: number, params?: ScheduledMessagesQuery | Resume, options?: ListRequestOptions): PagePromise<ScheduledMessage>",
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
    ["createThrottle", "createThrottle(options: ThrottleOptions): WindowThrottle"],
    ["toE164", "toE164(phoneNumber: string): string"],
    ["createFakeService", "createFakeService(options?: FakeServiceOptions): FakeService"],
  ])("the hover of %s has its docs and the signature %s", (name, expected) =>
    expectHover(name, expected, 20),
  );

  test.each([
    ["account", "Account"],
    ["page", "Page<List>"],
    ["list", "List"],
    ["subscriber", "Subscriber"],
    ["report", "MomtReport"],
    ["transaction", "Transaction"],
  ])("the hover of the result of %s has the named type %s", (name, type) => {
    expect(hover(name).signature).toBe(`const ${name}: ${type}`);
  });

  test.each([
    ["list.name", "name: string"],
    ["report.percent_complete", "percent_complete: number"],
    ["transaction.transactionId", "transactionId: string"],
    ["page.pages_count", "PageData<List>.pages_count: number"],
  ])("the hover of %s has its docs and the signature %s", (name, expected) =>
    expectHover(name, expected, 5),
  );
});
