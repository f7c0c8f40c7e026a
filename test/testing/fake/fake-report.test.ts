import { describe, expect, test } from "vitest";
import { createFake, NEW_YEAR, v2Of } from "../../support/fakes/fake-service.ts";

const TEN_MINUTES_LATER = "2026-01-01T00:10:00.000Z";

/** Creates a report that takes 10 minutes unless the given fields change that. */
const withReport = (fields = {}) => {
  const service = createFake();
  const { id } = service.addReport({ total_rows: 900, ...fields });
  return { service, id, told: () => v2Of(service).momtReports.retrieve(id) };
};

describe("a report that progresses", () => {
  test.each([
    [0, 0, 0],
    [1, 90, 10],
    [5, 450, 50],
    [9, 810, 90],
    [9.999, 899, 99.9],
    [10, 900, 100],
    [1000, 900, 100],
  ])(
    "a report after %d of 10 minutes has %i rows and is at %d percent",
    async (minutes, processed_rows, percent_complete) => {
      const { service, told } = withReport();
      service.advance({ minutes });
      expect(await told()).toMatchObject({
        total_rows: 900,
        processed_rows,
        percent_complete,
        counts_calculated: minutes >= 10,
        import_started_at: NEW_YEAR,
        import_completed_at: minutes >= 10 ? TEN_MINUTES_LATER : null,
      });
    },
  );

  test("a report that progresses has its counts and its file once it is complete", async () => {
    const { service, told } = withReport();
    service.advance({ minutes: 9 });
    expect(await told()).toMatchObject({ mo_count: 0, mt_count: 0, s3_url: null });
    service.advance({ minutes: 1 });
    const { mo_count, mt_count, s3_url } = await told();
    expect(mo_count + mt_count).toBe(900);
    expect(s3_url).toMatch(/^https:\/\//);
  });

  test("a report without rows takes the same time to complete", async () => {
    const { service, told } = withReport({ total_rows: null });
    service.advance({ minutes: 10 });
    expect(await told()).toMatchObject({
      processed_rows: 0,
      percent_complete: 100,
      total_rows: null,
    });
  });

  test("a report of 0 minutes is complete at once", async () => {
    expect(await withReport({ minutes: 0 }).told()).toMatchObject({
      percent_complete: 100,
      counts_calculated: true,
      import_completed_at: NEW_YEAR,
    });
  });

  test("a report of null minutes stays as it was added", async () => {
    const given = { percent_complete: 40, processed_rows: 400, mo_count: 7, date_range: "week" };
    const { service, told } = withReport({ minutes: null, ...given });
    service.advance({ days: 30 });
    expect(await told()).toMatchObject(given);
  });

  test("a report that progresses keeps the given fields, such as those of a finished report", () => {
    const given = {
      counts_calculated: true,
      percent_complete: 100,
      mo_count: 7,
      mt_count: 3,
      s3_url: "https://files.example.com/report.csv",
    };
    expect(createFake().addReport(given)).toMatchObject(given);
  });
});

describe("a report that is stopped", () => {
  test("a report that cancelReport stops is canceled and no longer progresses", async () => {
    const { service, id, told } = withReport();
    service.advance({ minutes: 5 });
    service.cancelReport(id);
    service.advance({ hours: 1 });
    expect(await told()).toMatchObject({
      cancelled: true,
      run_errors: null,
      percent_complete: 50,
      processed_rows: 450,
      counts_calculated: false,
      import_completed_at: null,
      updated_at: "2026-01-01T00:05:00.000Z",
    });
  });

  test("a report that failReport stops has run errors, generated or given", async () => {
    const made = withReport();
    made.service.failReport(made.id);
    expect((await made.told()).run_errors).toEqual([expect.any(String)]);

    const given = withReport();
    given.service.failReport(given.id, { row: 7 });
    given.service.advance({ hours: 1 });
    expect(await given.told()).toMatchObject({
      run_errors: { row: 7 },
      cancelled: null,
      percent_complete: 0,
      counts_calculated: false,
    });
  });

  test("a report that is stopped ends the client's wait for it", async () => {
    const { service, id } = withReport();
    const { momtReports } = v2Of(service);
    const wait = momtReports.waitUntilFinished(id, {
      interval: 1,
      onProgress: () => service.cancelReport(id),
    });
    expect(await wait).toMatchObject({ cancelled: true, percent_complete: 0 });
  });

  test("a report that has finished cannot be stopped", async () => {
    const { service, id, told } = withReport();
    service.advance({ minutes: 10 });
    const finished = await told();
    service.cancelReport(id);
    const { counts_calculated, import_completed_at, s3_url, mt_count } = await told();
    expect({ counts_calculated, import_completed_at, s3_url, mt_count }).toEqual({
      counts_calculated: true,
      import_completed_at: finished.import_completed_at,
      s3_url: finished.s3_url,
      mt_count: finished.mt_count,
    });
  });
});
