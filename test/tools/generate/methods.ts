import { ENDPOINTS, type Specified, TAGS } from "../../support/tables/specification.ts";
import { toTable } from "../write-report.ts";

/** Returns the name of the method that the first call of an endpoint calls. */
const methodOf = ({ calls: [call] }: Specified): string => {
  const [, name] = /\b(?:v2|rcs)\.([\w.]+)/.exec(`${call}`) ?? [];
  if (name === undefined) throw new Error(`no method of a client in ${call}`);
  return name;
};

const endpoints = Object.values<Specified>(ENDPOINTS);

/** Returns the table of what the service can do, and of what its specification does not describe. */
export const capabilities = (): string => {
  const rows = Object.entries<{ more?: string; missing: string }>(TAGS).map(
    ([group, { more, missing }]) => {
      const methods = endpoints.filter(({ tag }) => tag === group).map(methodOf);
      const documented = methods.map((name) => `\`${name}()\``);
      return [group, [...documented, ...(more ? [more] : [])].join(", "), missing];
    },
  );
  return toTable([["resource", "documented", "not documented"], ...rows]);
};

const READS = "yes, because they only read";

const answerOf = (specified: Specified): string => {
  if (!specified.idempotent) return `no${specified.remedy}`;
  if (specified.method === "GET") return READS;
  return "yes, because this package assumes that repeating them does no harm";
};

const DURABLE = "`sendOnce`, `sendMany` and `removeMany` with the same batch, keys and ledger";

/** Returns the table of the methods that are safe to repeat. */
export const repeats = (): string => {
  const rows = new Map([[READS, "`downloadReport`, `momtReports.waitUntilFinished`"]]);
  for (const specified of endpoints) {
    const answer = answerOf(specified);
    const known = rows.get(answer);
    rows.set(answer, `${known ? `${known}, ` : ""}\`${methodOf(specified)}\``);
  }
  return toTable([
    ["call", "safe to repeat?"],
    [DURABLE, "yes, at any time, in any number of processes"],
    ...[...rows].map(([answer, methods]) => [methods, answer]),
  ]);
};
