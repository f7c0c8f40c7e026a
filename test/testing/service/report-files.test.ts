import { V2Client } from "messaging-service-client";
import { downloadReport } from "messaging-service-client/reports";
import { createFakeService } from "messaging-service-client/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import type { EntryPoint } from "../../support/wire-cases/entry-point.ts";
import { entryPoints } from "../entry-points/entry-points.ts";

const finishedReport = async (openEntryPoint: EntryPoint["open"]) => {
  const service = createFakeService();
  const { baseUrl, fetch, close } = await openEntryPoint(service);
  onTestFinished(close);
  // Only the entry point `service.fetch` needs the `fetch` option.
  const own = fetch === service.fetch ? { fetch } : {};
  const { email, apiKey } = service.account;
  const v2 = new V2Client({ baseUrl, email, apiKey, ...own });
  const { id } = service.addReport({ minutes: 1, total_rows: 30 });
  service.advance({ minutes: 2 });
  return { service, report: await v2.momtReports.retrieve(id), own, fetch };
};

describe.each(entryPoints)("the file of a report of the fake service, over $name", ({ open }) => {
  test("the file of a report is CSV with a row for each message that the report counts", async () => {
    const { report, own } = await finishedReport(open);
    const { contentType, text } = await downloadReport(report, own);
    expect(contentType).toContain("text/csv");
    const all = (await text())
      .trimEnd()
      .split("\r\n")
      .map((row) => row.split(","));
    expect(all[0]).toEqual(["id", "direction", "phone_number"]);
    const count = (direction: string) => all.filter((row) => row[1] === direction).length;
    expect([count("MO"), count("MT")]).toEqual([report.mo_count, report.mt_count]);
  });

  test("the file of a report is served only after the report has finished, and only to requests without credentials", async () => {
    const { service, report, fetch } = await finishedReport(open);
    const link = String(report.s3_url);
    const unfinished = service.addReport();
    const early = link.replace(/\d+\.csv/, `${unfinished.id}.csv`);
    expect((await fetch(early)).status).toBe(403);
    for (const headers of [{ authorization: "Basic eDp5" }, { "x-api-key": "k" }]) {
      expect((await fetch(link, { headers })).status).toBe(400);
    }
    expect((await fetch(link)).status).toBe(200);
  });
});
