import { describe, expect, test } from "vitest";
import { downloadReport } from "../../src/reports/index.ts";
import { createFake, v2Of } from "../support/fakes/fake-service.ts";

const open = (fields = {}) => {
  const service = createFake();
  const { id } = service.addReport({ minutes: 10, total_rows: 100, ...fields });
  return { service, id, momtReports: v2Of(service).momtReports };
};

describe("momtReports.retrieve", () => {
  test("momtReports.retrieve resolves to one report", async () => {
    const { service, id, momtReports } = open();
    expect(await momtReports.retrieve(id)).toMatchObject({
      id,
      total_rows: 100,
      percent_complete: 0,
    });
    expect(service.requests).toMatchObject([{ method: "GET", path: `/api/v2/momt_reports/${id}` }]);
  });

  test("momtReports.retrieve rejects with a NotFoundError if there is no such report", async () => {
    await expect(open().momtReports.retrieve(99)).rejects.toMatchObject({ name: "NotFoundError" });
  });

  test.each([0, 1.5, "3"])("momtReports.retrieve refuses the id %j", async (id) => {
    const { service, momtReports } = open();
    await expect(momtReports.retrieve(id as never)).rejects.toMatchObject({
      source: "client",
      errors: [{ path: ["reportId"] }],
    });
    expect(service.requests).toEqual([]);
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

  test.each([
    ["cancelled", (service: ReturnType<typeof createFake>, id: number) => service.cancelReport(id)],
    ["run_errors", (service: ReturnType<typeof createFake>, id: number) => service.failReport(id)],
  ] as const)(
    "momtReports.waitUntilFinished ends if the report is stopped: %s",
    async (field, stop) => {
      const { service, id, momtReports } = open();
      stop(service, id);
      const report = await momtReports.waitUntilFinished(id);
      expect(report[field]).toBeTruthy();
      expect(service.requests).toHaveLength(1);
    },
  );

  test("momtReports.waitUntilFinished uses the caller's own isFinished", async () => {
    const { service, id, momtReports } = open();
    const report = await momtReports.waitUntilFinished(id, {
      interval: 1,
      onProgress: () => service.advance({ minutes: 1 }),
      isFinished: ({ processed_rows }) => processed_rows >= 30,
    });
    expect(report.percent_complete).toBe(30);
  });

  test("momtReports.waitUntilFinished awaits a promise of onProgress, and rejects with its error", async () => {
    const { service, id, momtReports } = open({ minutes: null });
    const full = new Error("the disk is full");
    await expect(
      momtReports.waitUntilFinished(id, {
        interval: 1,
        onProgress: async () => Promise.reject(full),
      }),
    ).rejects.toBe(full);
    expect(service.requests).toHaveLength(1);
  });
});
