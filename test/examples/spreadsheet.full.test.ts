// The job of the guide "From a spreadsheet", with typical files.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeService, type NextFailure } from "messaging-service-client/testing";
import { beforeAll, expect, test, vi } from "vitest";
import { installExamplePackages } from "../support/example-packages.ts";
import { copyExamples, run, start } from "../support/run-example.ts";

// Installing packages and starting processes takes a long time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

beforeAll(() => void installExamplePackages());

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");
const ADA = "+12065550123 Ada, we open on Friday! 🎉";
const JOSE = "+12065550124 José, we open on Friday! 🎉";

/** Guest lists: the content, the texts that are sent, the output of the job, and its exit code. */
const FILES: readonly (readonly [
  about: string,
  file: {
    readonly content: string | Uint8Array;
    readonly texts?: readonly string[];
    readonly told?: readonly string[];
    readonly complete?: boolean;
    readonly args?: readonly string[];
  },
])[] = [
  [
    "rows of commas where rows were deleted",
    {
      content: "Name,Phone\nAda,2065550123\n,\n,\n\nJosé,2065550124\n,\n",
      texts: [ADA, JOSE],
      complete: true,
    },
  ],
  [
    "a column `First name`",
    {
      content: "First name,Last name,Phone\nAda,Lovelace,2065550123\n",
      texts: [ADA],
      complete: true,
    },
  ],
  [
    "Excel's Unicode Text",
    {
      content: utf16("Name\tPhone\r\nAda\t2065550123\r\nJosé\t(206) 555-0124\r\n"),
      texts: [ADA, JOSE],
      complete: true,
    },
  ],
  [
    "UTF-16 with the higher byte first",
    { content: utf16("Name;Phone\r\nJosé;2065550124\r\n").swap16(), texts: [JOSE], complete: true },
  ],
  [
    "CSV UTF-8 of Excel, with a byte order mark and semicolons",
    { content: "\uFEFFName;Phone\r\nJosé;2065550124\r\n", texts: [JOSE], complete: true },
  ],
  [
    "a byte order mark of UTF-8, and a byte that is not UTF-8",
    {
      content: Buffer.from(
        "\xEF\xBB\xBFName,Phone\nAda,2065550123\nJos\xE9,2065550124\n",
        "latin1",
      ),
      args: ["--encoding", "windows-1252"],
      texts: [ADA],
      told: ["row 3: "],
    },
  ],
  [
    "a first line `sep=,`, which Excel hides and does not count",
    {
      content: "sep=,\r\nName,Phone\r\nAda,2065550123\r\nJosé,206\r\n",
      texts: [ADA],
      told: ["row 3, phone: "],
    },
  ],
  [
    "title rows above the headers, which contain other delimiters",
    {
      content:
        'Opening; second store,\n"Guests, as of\nNovember 1",\n,\nName,Phone\n"Ada",2065550123\nBob,\n',
      texts: [ADA],
      told: ["row 6: no phone"],
    },
  ],
  [
    "the headers `Phone Number` and `NAME`",
    { content: " NAME , Phone  Number\nAda,2065550123\n", texts: [ADA], complete: true },
  ],
  [
    "a lead form",
    {
      content: utf16(
        "id\tcreated_time\tfull_name\tphone_number\nl:17\t2026-11-01T09:00:00-08:00\tAda\tp:+12065550123\nl:18\t2026-11-01T09:00:00-08:00\t<test lead: dummy data for full_name>\tp:<test lead: dummy data for phone_number>\n",
      ),
      texts: [ADA],
      told: ["row 3, phone: "],
    },
  ],
  [
    "windows-1252, which nobody has confirmed",
    {
      content: Buffer.from("Name;Phone\nAda;2065550123\nJosé;2065550124\n", "latin1"),
      told: [
        "guests.csv is not UTF-8",
        "--encoding windows-1252: José",
        "--encoding macintosh: JosÈ",
      ],
    },
  ],
  [
    "windows-1252, which a person has confirmed",
    {
      content: Buffer.from("Name;Phone\nAda;2065550123\nJosé;2065550124\n", "latin1"),
      args: ["--encoding", "windows-1252"],
      texts: [ADA, JOSE],
      complete: true,
    },
  ],
  [
    "UTF-8, although a person has confirmed windows-1252 for an earlier file",
    {
      content: "Name;Phone\nJosé;2065550124\n",
      args: ["--encoding", "windows-1252"],
      texts: [JOSE],
      complete: true,
    },
  ],
  [
    "no name in a row",
    {
      content: "Name,Phone\n,2065550124\nAda,2065550123\n",
      texts: [ADA],
      told: ["row 2: no name"],
    },
  ],
  [
    "a sum below the guests",
    {
      content: "Name,Phone,Table\nAda,2065550123,4\n,,1\n",
      texts: [ADA],
      told: ["row 3: no name, no phone"],
    },
  ],
  [
    "phones that a spreadsheet has made numbers of",
    {
      content: "Name,Phone\nAda,2.06556E+09\nJosé,2065550124.0\n",
      told: ["row 2, phone: ", "row 3, phone: "],
    },
  ],
  [
    "a name with a comma and without quotation marks",
    {
      content: "Phone,Name\n2065550124,Lovelace, Ada\n2065550123,Ada\n",
      texts: [ADA],
      told: ["row 2: text beyond the headers"],
    },
  ],
  [
    "a note beyond headers that the spreadsheet padded",
    {
      content: "Name,Phone,\nAda,2065550123,\nBob,2065550124,do not text\n",
      texts: [ADA],
      told: ["row 3: text beyond the headers"],
    },
  ],
  [
    "a name that SMS cannot show, as it would go out by both ways",
    {
      content: "Name,Phone\nИван,2065550123\n",
      texts: ["+12065550123 Иван, we open on Friday! 🎉"],
      complete: true,
    },
  ],
  [
    "one phone in two rows",
    {
      content: "Name,Phone\nAda,2065550123\nBob,1 206 555 0123\n",
      texts: [ADA],
      told: ["row 3, Bob: duplicate"],
      complete: true,
    },
  ],
  [
    "headers in a language that the job does not know",
    {
      content: "Nombre,Teléfono\nAda,2065550123\n",
      told: ["no row has the headers name (name, first name", "Nombre,Teléfono"],
    },
  ],
  [
    "two columns that could be the phone",
    {
      content: "Name,Phone,Mobile\nAda,2065550123,2065550199\n",
      told: ["row 1: which one is the phone: Phone, Mobile?"],
    },
  ],
  [
    "its headers below guests, because somebody sorted it",
    {
      content: "Bob,2.06556E+09\nName,Phone\nAda,2065550123\n",
      texts: [ADA],
      told: ["row 1: a phone above the headers"],
    },
  ],
  [
    "two stray quotation marks, which make one cell of many rows",
    {
      content:
        'Name,Phone,Note\nBob,2065550198,"VIP\nEve,2065550199,\nDan,2065550197,tall"\nAda,2065550123,"a\nb"\n',
      texts: [ADA],
      told: ["row 2: a cell contains other rows"],
    },
  ],
  [
    "two stray quotation marks, which make one cell of two names",
    {
      content: 'Name,Phone\n"Bob,2065550198\nEve",2065550199\nAda,2065550123\n',
      texts: [ADA],
      told: ["row 2: a cell contains other rows"],
    },
  ],
  ["no headers", { content: "Ada,2065550123\n", told: ["no row has the headers"] }],
  ["headers and no rows", { content: "Name,Phone\n,\n", told: ["0 texted"] }],
  [
    "a quotation mark that is never closed",
    {
      content: 'Name,Phone\nAda,2065550123\n"Bob,2065550124\n',
      told: ["guests.csv: Quote Not Closed", "line 3"],
    },
  ],
  ["nothing", { content: "", told: ["no row has the headers"] }],
];

test.each(FILES)(
  "from-spreadsheet names the rows and columns at fault and texts nobody wrongly if the file has %s",
  async (_, { content, texts = [], told = [], complete = false, args = [] }) => {
    const service = createFakeService();
    const folder = copyExamples();
    writeFileSync(join(folder, "guests.csv"), content);
    const job = (...more: string[]) =>
      run(join(folder, "from-spreadsheet.ts"), [...more, ...args], service);
    const files = [join(folder, "guests.csv"), join(folder, "opt-outs.csv")];

    const looked = await job(...files);
    expect({ ...looked, requests: service.requests }).toMatchObject({ code: 1, requests: [] });
    expect(looked.stdout + looked.stderr).toContain("Nobody was texted.");
    for (const text of texts) {
      const [phone = "", words = ""] = text.split(/ (.*)/);
      expect(looked.stdout).toContain(`${phone}\n  RCS: ${words}\n  SMS: `);
    }

    const sent = await job(...files, "--send");
    const output = sent.stdout + sent.stderr;
    for (const words of told) expect(output).toContain(words);
    expect(output).not.toMatch(/undefined|\n {4}at /);
    expect(service.outbox.map(({ to, text }) => `${to} ${text}`).toSorted()).toEqual(texts);
    expect([sent.code, output]).toEqual([complete ? 0 : 1, expect.anything()]);
  },
);

test("from-spreadsheet texts the guests of the files beside it, except the opt-outs, and texts the guests of the corrected download only once", async () => {
  const service = createFakeService();
  const folder = copyExamples();
  const optOuts = join(folder, "opt-outs.csv");
  const text = (file: string, ...more: string[]) => {
    const files = [join(folder, file), optOuts, "--encoding", "windows-1252"];
    return run(join(folder, "from-spreadsheet.ts"), [...files, ...more], service);
  };
  const sent = await text("guests.csv", "--send");
  expect(sent.stdout).toContain("row 6, Grace: opted out\n4 texted, 0 texted before, 0 in doubt");
  expect(sent.stderr).toMatch(/row 7, phone: .*too few digits/);
  expect(sent.code).toBe(1);
  expect(service.outbox.map(({ to, text }) => `${to} ${text}`).toSorted()).toEqual([
    "+12065550123 Zoë Ångström, we open on Friday! 🎉",
    "+12065550124 Renée, we open on Friday! 🎉",
    "+12065550125 Ada; Countess of Lovelace, we open on Friday! 🎉",
    "+12065550126 José, we open on Friday! 🎉",
  ]);

  writeFileSync(
    join(folder, "guests (1).csv"),
    "Name,Phone\nZoë Ångström,2065550123\nRenée,2065550124\nEdsger,2065550129\n",
  );
  const corrected = await text("guests (1).csv", "--send");
  expect(corrected).toMatchObject({
    stdout: "1 texted, 2 texted before, 0 in doubt\n",
    code: 0,
  });
  expect(service.outbox).toHaveLength(5);
  // Everyone has received the text, so there is nothing to review.
  expect(await text("guests (1).csv")).toMatchObject({ code: 0 });
});

test.each([
  ["a phone that is not one", "phone\n206555012\n", "row 2, phone: "],
  ["headers below phones, because somebody sorted them", "2065550123\nphone\n", "row 1: a phone"],
  [
    "a stray quotation mark",
    'phone,why\n2065550127,"moved\n2065550123,asked"\n',
    "row 2: a cell contains other rows",
  ],
  [
    "stray quotation marks around two names",
    'name,phone\n"Ada,2065550123\nBob",2065550127\n',
    "row 2: a cell contains other rows",
  ],
  ["a row without a phone", "phone,since\n,2026-10-01\n", "row 2: no phone"],
  [
    "a column that the job does not know",
    "Telefon\n+12065550127\n",
    "no row has the headers phone",
  ],
])("from-spreadsheet texts nobody if the opt-outs have %s", async (_, content, told) => {
  const service = createFakeService();
  const folder = copyExamples();
  writeFileSync(join(folder, "opt-outs.csv"), content);
  writeFileSync(join(folder, "guests.csv"), "Name,Phone\nAda,2065550123\n");
  const files = ["guests.csv", "opt-outs.csv"].map((file) => join(folder, file));
  const { code, stderr } = await run(
    join(folder, "from-spreadsheet.ts"),
    [...files, "--send"],
    service,
  );
  expect(stderr).toContain(told);
  expect(stderr).toContain("Nobody was texted.");
  expect([code, service.requests]).toEqual([1, []]);
});

test.each<[string, NextFailure | undefined, name: string]>([
  ["in doubt", { fault: "dropped" }, "Ada"],
  ["changed", undefined, "Bob"],
])("from-spreadsheet without --send exits with 1 while a guest is %s", async (_, failure, name) => {
  const service = createFakeService();
  const folder = copyExamples();
  const files = ["guests.csv", "opt-outs.csv"].map((file) => join(folder, file));
  const job = (name: string, ...more: string[]) => {
    writeFileSync(join(folder, "guests.csv"), `Name,Phone\n${name},2065550123\n`);
    return run(join(folder, "from-spreadsheet.ts"), [...files, ...more], service);
  };
  if (failure) service.failNext(failure);
  await job("Ada", "--send");
  const { code, stdout } = await job(name);
  expect(stdout).toContain(
    "0 guests would be texted. Faults: 0.\nIn doubt, changed or refused: 1.",
  );
  expect(code).toBe(1);
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "from-spreadsheet finishes its sends at %s, leaves no doubt, and continues in its next run",
  async (signal) => {
    const service = createFakeService();
    service.failNext({ fault: "slow", delayMs: 60, times: 60 });
    const folder = copyExamples();
    const rows = Array.from({ length: 60 }, (_, index) => `Ada,+1206555${1000 + index}`);
    writeFileSync(join(folder, "guests.csv"), ["name,phone", ...rows].join("\n"));
    const files = ["guests.csv", "opt-outs.csv"].map((file) => join(folder, file));
    const job = join(folder, "from-spreadsheet.ts");
    const { child, shown } = await start(job, [...files, "--send"], service);
    await expect.poll(() => service.outbox.length, { timeout: 60_000 }).toBeGreaterThan(6);
    child.kill(signal);
    const [code] = await once(child, "close");
    const before = service.outbox.length;
    expect(before).toBeLessThan(60);
    expect(shown.stdout).toContain(`${before} texted, 0 texted before, 0 in doubt`);
    expect(shown.stderr).toContain("Stopped (signal). Run it again to continue.");
    expect(code).toBe(1);

    const again = await run(job, [...files, "--send"], service);
    expect(again.stdout).toContain(`${60 - before} texted, ${before} texted before, 0 in doubt`);
    expect(again.code).toBe(0);
    expect(new Set(service.outbox.map(({ to }) => to)).size).toBe(60);
    expect(service.outbox).toHaveLength(60);
  },
);
