// Compiler errors for mistakes in calls of the packed package: their positions, and their length in lines and characters.
// cspell:ignore concurency ledgr timout
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { installFixture } from "../support/fixture.ts";

const APPLICATION = inject("application");

/** Source of a call with one step. Replaces the given fields, and omits a field whose value is undefined. */
const double = (fields: Readonly<Record<string, string | undefined>>): string => {
  const step = {
    collected_data: '"yes"',
    request_message: '""',
    retry_message: '""',
    follow_up: "false",
    success_action: '"optinsubscriber"',
    ...fields,
  };
  const entries = Object.entries(step).filter(([, value]) => value !== undefined);
  const source = entries.map(([name, value]) => `${name}: ${value}`).join(", ");
  return `v2.lists.configureOptIn(1, { opt_in_type: "double", opt_in_requests: [{ ${source} }] });`;
};

const HEAD = `
import { TransactionalClient, V2Client, type OptInRequest, type OptInSettings } from "messaging-service-client";
import { memoryLedger, previewMany, removeMany, sendMany, sendOnce } from "messaging-service-client/bulk";
const v2 = new V2Client(); const rcs = new TransactionalClient(); const ledger = memoryLedger();
const envelope = { phoneNumber: "", webhookUrl: "", smsFailover: "" };
const message = { ...envelope, rcsPayload: { text: "" } };
const job = { batch: "", ledger }; const guests = [{ phone: "" }]; const phones = [2065550123];
const toMessage = (guest: { phone: string }) => ({ ...message, phoneNumber: guest.phone });
declare const returned: OptInRequest;
${double({})}
v2.lists.configureOptIn(1, { opt_in_type: "double", opt_in_requests: [{ ...returned, retry_message: "" }, returned] });
sendMany(rcs, guests, { ...job, toMessage: async (guest) => toMessage(guest) });
sendMany(rcs, [message], job);
previewMany([message]);
previewMany(guests, { toMessage });`.split("\n");

/**
 * Calls with one mistake each. The comment contains the text at which the error begins, its message, and its maximum number of
 * lines if that is not 3.
 */
const MISTAKES = `
sendMany(rcs, guests, { batch: "", ledger, toMessage, concurency: 5 }); // concurency | mean to write 'concurrency'
sendMany(rcs, guests, { batch: "", toMessage }); // { batch | 'ledger' is missing
sendMany(rcs, guests, { ledger, toMessage }); // { ledger | 'batch' is missing
sendMany(rcs, guests, { batch: "", ledger }); // { batch | 'toMessage' is missing
sendMany(rcs, guests, { ...job, toMessage, concurrency: "5" }); // concurrency | 'string' is not assignable to type 'number'
sendMany(rcs, guests, { ...job, toMessage: (guest) => ({ ...message, phoneNumber: guest.phon }) }); // phon } | mean 'phone'
sendMany(rcs, guests, { ...job, toMessage: (guest) => ({ ...message, phoneNumber: 5 }) }); // phoneNumber | 'number' is not assignable to type 'string'
sendMany(rcs, guests, { ...job, toMessage: (guest) => ({ ...message, rcsPayload: { txt: "" } }) }); // txt | 'txt' does not exist
sendMany(rcs, guests, { ...job, toMessage: ({ phone }) => ({ phone, webhookUrl: "", smsFailover: "", rcsPayload: { text: "" } }) }); // ({ phone, | 'phoneNumber' is missing
sendMany(rcs, guests, { ...job, toMessage: async ({ phone }) => ({ phone, webhookUrl: "", smsFailover: "", rcsPayload: { text: "" } }) }); // ({ phone, | 'phoneNumber' is missing | 6
sendMany(rcs, [message], { ...job, retries: 5 }); // retries | 'retries' does not exist
sendMany(v2, guests, { ...job, toMessage }); // v2 | sendRcsText, sendRcsFile
previewMany(guests, {}); // {} | 'toMessage' is missing
previewMany(guests); // previewMany | Expected 2 arguments
previewMany(guests, { ...job, toMessage, keysOf: () => "" }); // keysOf | 'keysOf' does not exist
previewMany(guests, { ...job, toMessage: (guest) => ({ ...message, phoneNumber: 5 }) }); // phoneNumber | 'number' is not assignable to type 'string'
previewMany([message], { ...job, ledgr: ledger }); // ledgr | mean to write 'ledger'
previewMany([message], { batch: 5, ledger }); // batch | 'number' is not assignable to type 'string'
removeMany(v2, [""], { batch: "", ledger }); // { batch | 'listId' is missing
removeMany(v2, [""], { ...job, listID: 1 }); // listID | mean to write 'listId'
removeMany(v2, [""], { ...job, listId: "1" }); // listId | 'string' is not assignable to type 'number'
removeMany(v2, phones, { ...job, listId: 1 }); // phones | 'number' is not assignable to type 'string'
sendOnce(rcs, message, { ledger }); // { ledger | 'key' is missing
sendOnce(rcs, message, { ledger, key: 5 }); // key | 'number' is not assignable to type 'string'
sendOnce(rcs, { ...message, webhookURL: "" }, { ledger, key: "" }); // webhookURL | 'webhookURL' does not exist
rcs.sendRcsText({ ...envelope, rcsPayload: { txt: "" } }); // txt | mean to write 'text'
rcs.sendRcsText({ ...message, smsFailOver: "" }); // smsFailOver | mean to write 'smsFailover'
rcs.sendRcsText({ ...message, phoneNumber: 5 }); // phoneNumber | 'number' is not assignable to type 'string'
rcs.sendRcsText(message, { timout: 5 }); // timout | mean to write 'timeout'
rcs.sendRcsFile({ ...envelope, rcsPayload: { file: {} } }); // file | 'url' is missing
v2.lists.list({ per_pages: 5 }); // per_pages | 'per_pages' does not exist in type 'ListsQuery'
v2.lists.configureOptIn("1", { opt_in_type: "single" }); // "1" | 'string' is not assignable to parameter of type 'number'
v2.lists.configureOptIn(1, { opt_in_type: "triple" }); // opt_in_type | '"triple"' is not assignable to
v2.lists.configureOptIn(1, { opt_in_type: "single", first_optin_mesage: "" }); // first_optin_mesage | mean to write 'first_optin_message'
const settings: OptInSettings = { opt_in_type: "triple" }; // opt_in_type | '"triple"' is not assignable to
${double({ collected_data: '"zip"' })} // { collected_data | '"zip"' is not assignable to
${double({ success_action: '"subscribe"' })} // { collected_data | '"subscribe"' is not assignable to
${double({ retry_message: undefined })} // { collected_data | 'retry_message' is missing
${double({ retry_message: "5" })} // { collected_data | 'number' is not assignable to type 'string'
${double({ retry_mesage: '""' })} // retry_mesage | 'retry_mesage' does not exist
${double({ follow_up: "true" })} // { collected_data | 'follow_up_hour' is missing
${double({ follow_up: "true", follow_up_hour: "null" })} // { collected_data | 'follow_up_hour' are incompatible | 4
v2.lists.configureOptIn(1, { opt_in_type: "double", opt_in_requests: [{ ...returned, retry_message: 5 }] }); // retry_message | 'number' is not assignable to type 'string'
`
  .trim()
  .split("\n");

/** Maximum average number of characters per line of an error. */
const LINE = 220;
const SOURCE = [...HEAD, ...MISTAKES];
writeFileSync(join(APPLICATION, "type-errors.mts"), SOURCE.join("\n"));
// types.full.test.ts checks the declarations.
const OPTIONS =
  "--ignoreConfig --pretty false --noEmit --skipLibCheck --strict --module nodenext --target es2022";

/** Compiles the calls, and returns the errors. */
const compile = (version: string) => {
  const tsc = join(installFixture("tools"), `node_modules/typescript${version}/bin/tsc`);
  const options = OPTIONS.split(" ").filter((name) => version > "6" || name !== "--ignoreConfig");
  const args = [tsc, ...options, "type-errors.mts"];
  const { stdout } = spawnSync(process.execPath, args, { cwd: APPLICATION, encoding: "utf8" });
  const errors = stdout.matchAll(/^\S+\((\d+),(\d+)\): error (TS\d+: .*(?:\n .*)*)/gm);
  return [...errors].map(([, line, column, message = ""]) => ({
    line: Number(line),
    column: Number(column),
    message,
  }));
};

describe.each(["5.9", "7.0"])("TypeScript %s", (version) => {
  const errors = compile(version);

  test("TypeScript finds no error in calls without a mistake", () => {
    expect(errors.filter(({ line }) => line <= HEAD.length)).toEqual([]);
  });

  test.each(MISTAKES)("TypeScript reports one short error, at the wrong word: %s", (mistake) => {
    const [call = "", comment = ""] = mistake.split(" // ");
    const [at = "", says = "", lines = "3"] = comment.split(" | ");
    const said = errors.filter(({ line }) => line === SOURCE.indexOf(mistake) + 1);
    expect(said).toHaveLength(1);
    const [{ column, message } = { column: 0, message: "" }] = said;
    expect(call.slice(column - 1).slice(0, at.length)).toBe(at);
    expect(message).toContain(says);
    expect(message.split("\n").length).toBeLessThanOrEqual(Number(lines));
    expect(message.length).toBeLessThanOrEqual(Number(lines) * LINE);
    // The error must not suggest that a step needs the fields of a response.
    expect(message).not.toMatch(/'(id|list_id|created_at)'|properties from type.*\bid\b/);
  });
});
