import { describe, expect, test } from "vitest";
import { downloadReport } from "../../../src/reports/index.ts";
import { createFake, v2Of } from "../../support/fakes/fake-service.ts";

const open = (fields = {}) => {
  const service = createFake();
  const { id } = service.addReport({ minutes: 10, total_rows: 100, ...fields });
  return { service, id, momtReports: v2Of(service).momtReports };
};

describe("momtReports.retrieve", () => {
  test("momtReports.retrieve rejects with a NotFoundError if there is no such report", async () => {
    await expect(open().momtReports.retrieve(99)).rejects.toMatchObject({ name: "NotFoundError" });
  });
});

describe("momtReports.waitUntilFinished", () => {
  test("momtReports.waitUntilFinished polls until the report is complete, and calls onProgress after each poll", async () => {
    const { service, id, momtReports } = open();
    const told: number[] = [];
    const report = await momtReports.waitUntilFinished(id, {
      interval: 1,
      onProgress: ({ percent_complete }) => {
        told.push(percent_complete);
        service.advance({ minutes: 4 });
      },
    });
    expect(told).toEqual([0, 40, 80, 100]);
    expect(report).toMatchObject({ percent_complete: 100, counts_calculated: true });
    expect(service.requests).toHaveLength(4);
  });

  test("momtReports.waitUntilFinished resolves to a report whose file can be downloaded", async () => {
    const { service, id, momtReports } = open();
    const report = await momtReports.waitUntilFinished(id, {
      interval: 1,
      onProgress: () => service.advance({ minutes: 1 }),
    });
    const { fetch } = service;
    const { text } = await downloadReport(report, { fetch });
    expect((await text()).trimEnd().split("\r\n")).toHaveLength(1 + 100);
  });
});
