import { type FakeRequest, type FakeResponse, jsonResponse } from "../exchange/fake-response.ts";
import { FILES_ORIGIN, toReport } from "../resources/fake-report.ts";
import { phoneNumberAt } from "../resources/made-up-phone.ts";
import type { FakeWorld } from "../world.ts";

/** Returns the rows of a report's file. The specification does not show them; their columns are the fake's own. */
const toCsv = (rows: number, inbound: number): string => {
  const lines = ["id,direction,phone_number"];
  for (let id = 1; id <= rows; id += 1) {
    lines.push(`${id},${id <= inbound ? "MO" : "MT"},${phoneNumberAt(id)}`);
  }
  return `${lines.join("\r\n")}\r\n`;
};

/**
 * Responds to a request for the file of a finished report, as an object store does; `undefined` for any other request.
 */
export const respondWithFile = (
  { store, clock }: FakeWorld,
  { method, path, headers }: FakeRequest,
): FakeResponse | undefined => {
  const id = /^\/reports\/(\d+)\.csv$/.exec(path)?.[1];
  if (id === undefined || method !== "GET") return undefined;
  // The link is the credential; an object store refuses a second one.
  if (headers.authorization ?? headers["x-api-key"]) {
    return jsonResponse(400, { error: "Only one way to authenticate is allowed" });
  }
  const stored = store.reports.get(Number(id));
  const report = stored && toReport(stored, clock.nowMs);
  if (report?.s3_url !== `${FILES_ORIGIN}${path}`) {
    return jsonResponse(403, { error: "There is no such file, or its link has expired" });
  }
  const csv = toCsv(report.total_rows ?? 0, report.mo_count);
  const etag = `"report-${id}"`;
  const common = { "content-type": "text/csv", "accept-ranges": "bytes", etag };
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
  if (from === 0 || from >= csv.length || headers["if-range"] !== etag) {
    return { status: 200, headers: common, body: csv };
  }
  const range = `bytes ${from}-${csv.length - 1}/${csv.length}`;
  return { status: 206, headers: { ...common, "content-range": range }, body: csv.slice(from) };
};
