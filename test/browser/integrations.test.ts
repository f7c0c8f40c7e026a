import ky from "ky";
import { fetchFrom, V2Client } from "messaging-service-client";
import { traced } from "messaging-service-client/opentelemetry";
import { downloadReport } from "messaging-service-client/reports";
import { createFakeService } from "messaging-service-client/testing";
import { handlersFor } from "messaging-service-client/testing/msw";
import { setupWorker } from "msw/browser";
import { afterAll, beforeAll, expect, test } from "vitest";

const service = createFakeService();
const worker = setupWorker(...handlersFor(service));
beforeAll(() => worker.start({ quiet: true, onUnhandledFrame: "bypass" }));
afterAll(() => void worker.stop());

test("a page can trace its calls, send them through ky, and download a report from another origin", async () => {
  const spans: string[] = [];
  const tracer = {
    startSpan: (name: string) => {
      spans.push(name);
      return {
        spanContext: () => ({ traceId: "", spanId: "", traceFlags: 0 }),
        ...{ setAttributes() {}, setStatus() {}, end: () => void spans.push("end") },
      };
    },
  };
  const seen: number[] = [];
  const afterResponse = ({ response }: { response: Response }) => void seen.push(response.status);
  const { email, apiKey } = service.account;
  const v2 = new V2Client({
    ...traced({
      tracer,
      fetch: fetchFrom(ky.extend({ hooks: { afterResponse: [afterResponse] } })),
    }),
    baseUrl: "https://app.example.com",
    email,
    apiKey,
  });
  const { id } = service.addReport({ minutes: 1, total_rows: 500 });
  service.advance({ minutes: 2 });
  const report = await v2.momtReports.retrieve(id);
  expect(spans).toEqual(["GET /api/v2/momt_reports/{ID}", "end"]);
  expect(seen).toEqual([200]);

  let received = 0;
  const { text } = await downloadReport(report, {
    onProgress: (progress) => {
      received = progress.received;
    },
  });
  const csv = await text();
  expect(csv.trimEnd().split("\r\n")).toHaveLength(501);
  expect(received).toBe(csv.length);
});
