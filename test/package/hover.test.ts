// What an editor shows who points at a name.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, inject, test } from "vitest";

const APPLICATION = inject("application");
const FILE = join(APPLICATION, "hover.mts");

const source = `
import { TransactionalClient, V2Client, toE164, createThrottle } from "messaging-service-client";
import { createFakeService } from "messaging-service-client/testing";
const v2 = new V2Client();
const rcs = new TransactionalClient();
v2.accounts.me; v2.lists.list; v2.lists.retrieve; v2.lists.create; v2.lists.configureOptIn;
v2.subscribers.remove; v2.scheduledMessages.list; v2.momtReports.retrieve; v2.momtReports.waitUntilFinished;
v2.request; rcs.sendRcsText; rcs.sendRcsFile; rcs.request;
toE164; createThrottle; createFakeService;
`;
writeFileSync(FILE, source);
const names = source.match(/(?<=^| )[\w.]+(?=;)/gm) ?? [];

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
  getScriptSnapshot: (path) =>
    ts.sys.fileExists(path) ? ts.ScriptSnapshot.fromString(readFileSync(path, "utf8")) : undefined,
  getCurrentDirectory: () => APPLICATION,
  getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  readDirectory: ts.sys.readDirectory,
});

/** What is shown where a name stands at last. */
const hover = (name: string) => {
  const position = source.lastIndexOf(`${name};`) + name.lastIndexOf(".") + 1;
  const info = service.getQuickInfoAtPosition(FILE, position);
  return {
    signature: ts.displayPartsToString(info?.displayParts),
    docs: ts.displayPartsToString(info?.documentation),
  };
};

describe("who points at", () => {
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
    [
      "v2.subscribers.remove",
      "Subscribers.remove(listId: number, phoneNumber: string, options?: RequestOptions): ApiPromise<Subscriber>",
    ],
    [
      "rcs.sendRcsText",
      "TransactionalClient.sendRcsText(message: RcsTextMessage, options?: RequestOptions): ApiPromise<Transaction>",
    ],
    ["toE164", "toE164(phoneNumber: string): string"],
  ])("%s sees: %s", (name, expected) => {
    expect(hover(name).signature).toContain(expected);
  });

  test.each(names)("%s sees its docs, and nothing of zod", (name) => {
    const { signature, docs } = hover(name);
    expect(docs.length, name).toBeGreaterThan(20);
    expect(signature, name).not.toMatch(/zod|\$strip|core\./i);
    expect(signature.length, signature).toBeLessThan(400);
  });
});
