// Measures how the time to read a 400 depends on the size of the request and the number of issues. Writes its part of docs/performance.md.
import { TransactionalClient } from "messaging-service-client";
import { toTable, writeReport } from "../write-report.ts";

const ROUNDS = 9;

/** Returns the median time in milliseconds of a failing call with this many sent strings and received issues. */
const timeOf = async (strings: number, issues: number): Promise<number> => {
  const json = Array.from({ length: strings }, (_, index) => `note ${index} of the caller`);
  const errors = Array.from({ length: issues }, (_, index) => ({
    code: "custom",
    message: `Invalid value in note ${index} of the caller: too long`,
    path: ["notes", index],
  }));
  const body = JSON.stringify({ error: "Validation failed", errors });
  const fetch = async () => new Response(body, { status: 400 });
  const rcs = new TransactionalClient({ baseUrl: "https://127.0.0.1", apiKey: "key-1", fetch });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await rcs.request({ method: "POST", path: "/notes", json }).catch(() => {});
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
};

await timeOf(5_000, 500); // The first run compiles the code.
const small = await timeOf(500, 50);
const large = await timeOf(5_000, 500);
const report = `${toTable([
  ["strings sent", "issues", "ms", "growth, 1 is linear"],
  ["500", "50", small.toFixed(1), "1"],
  ["5,000", "500", large.toFixed(1), (large / 10 / small).toFixed(2)],
])}`;
console.log(report);
writeReport("performance.md", "errors", report);
