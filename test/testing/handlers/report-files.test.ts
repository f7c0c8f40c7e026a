import { setupServer } from "msw/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { V2Client } from "../../../src/index.ts";
import { downloadReport } from "../../../src/reports/index.ts";
import { createFakeService, type FakeService } from "../../../src/testing/index.ts";
import { handlersFor } from "../../../src/testing/msw.ts";
import { listen } from "../../../src/testing/node/listen.ts";

/** The ways to reach a fake service: its base URL of version 2, and the `fetch` of client and download. */
const ENTRY_POINTS: readonly {
  readonly name: string;
  readonly open: (service: FakeService) => Promise<{ baseUrl: string; fetch?: typeof fetch }>;
}[] = [
  {
    name: "its fetch",
    open: async (service) => ({
      baseUrl: service.v2BaseUrl,
      fetch: service.fetch as typeof fetch,
    }),
  },
  {
    name: "HTTP on loopback",
    open: async (service) => {
      const server = await listen(service);
      onTestFinished(() => server.close());
      return { baseUrl: server.v2BaseUrl };
    },
  },
  {
    name: "msw",
    open: async (service) => {
      const server = setupServer(...handlersFor(service));
      server.listen({ onUnhandledFrame: "error" });
      onTestFinished(() => server.close());
      return { baseUrl: "https://app.example.com" };
    },
  },
];

const finishedReport = async (open: (typeof ENTRY_POINTS)[number]["open"]) => {
  const service = createFakeService();
  const { baseUrl, fetch } = await open(service);
  const { email, apiKey } = service.account;
  const v2 = new V2Client({ baseUrl, email, apiKey, ...(fetch && { fetch }) });
  const { id } = service.addReport({ minutes: 1, total_rows: 30 });
  service.advance({ minutes: 2 });
  return { service, report: await v2.momtReports.retrieve(id), ...(fetch && { fetch }) };
};

describe.each(ENTRY_POINTS)("the file of a report of the fake service, over $name", ({ open }) => {
  test("the file of a report is CSV with a row for each message that the report counts", async () => {
    const { report, fetch } = await finishedReport(open);
    const { contentType, text } = await downloadReport(report, { fetch });
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
    const { service, report, fetch: given } = await finishedReport(open);
    const link = String(report.s3_url);
    const unfinished = service.addReport();
    const early = link.replace(/\d+\.csv/, `${unfinished.id}.csv`);
    const ask = given ?? fetch;
    expect((await ask(early)).status).toBe(403);
    for (const headers of [{ authorization: "Basic eDp5" }, { "x-api-key": "k" }]) {
      expect((await ask(link, { headers })).status).toBe(400);
    }
    expect((await ask(link)).status).toBe(200);
  });
});
