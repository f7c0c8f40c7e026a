import { existsSync, readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { AREAS, type Area } from "../mutation/areas.ts";
import type { FileScore, Scores } from "../mutation/scores.ts";
import { toTable } from "../write-report.ts";

const rowOf = (name: string, { killed, survived, notCovered }: FileScore): string[] => {
  const mutants = killed + survived + notCovered;
  return [name, `${mutants}`, `${killed}`, `${((100 * killed) / mutants).toFixed(1)} %`];
};

const sumOf = (rows: readonly FileScore[]): FileScore => {
  const sum = (key: keyof FileScore) => rows.reduce((total, row) => total + row[key], 0);
  return { killed: sum("killed"), survived: sum("survived"), notCovered: sum("notCovered") };
};

const read = (): Scores =>
  JSON.parse(readFileSync(new URL("../mutation/scores.json", import.meta.url), "utf8"));

const isMutatedIn = ({ mutate }: Area, path: string): boolean =>
  mutate.some((glob) => !glob.startsWith("!") && matchesGlob(path, glob)) &&
  !mutate.some((glob) => glob.startsWith("!") && matchesGlob(path, glob.slice(1)));

/** Returns the mutants that the tests detected in the latest runs, by area and by file, as Markdown tables. */
export function mutationScores(): string {
  // A file that was renamed or removed since its run has no score.
  const files = Object.entries(read()).filter(([path]) =>
    existsSync(new URL(`../../../${path}`, import.meta.url)),
  );
  const rows = files
    .filter(([, { killed, survived, notCovered }]) => killed + survived + notCovered > 0)
    .map(([path, score]) => rowOf(`\`${path}\``, score));
  if (rows.length === 0) return "No file was mutated since its latest change.";
  const areas = Object.entries(AREAS).map(([name, area]) => {
    const scores = files.filter(([path]) => isMutatedIn(area, path)).map(([, score]) => score);
    return rowOf(`\`${name}\``, sumOf(scores));
  });
  const all = rowOf("all of these", sumOf(files.map(([, score]) => score)));
  const byArea = toTable([["area", "mutants", "noticed", "score"], ...areas, all]);
  return `${byArea}\n\n${toTable([["file", "mutants", "noticed", "score"], ...rows])}`;
}
