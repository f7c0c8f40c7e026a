import { AREAS } from "../mutation/areas.ts";
import { type FileScore, filesOf, readScores } from "../mutation/scores.ts";
import { toTable } from "../write-report.ts";

type Counts = Omit<FileScore, "digest">;

const mutantsOf = ({ killed, survived, notCovered }: Counts): number =>
  killed + survived + notCovered;

const rowOf = (name: string, score: Counts): string[] => {
  const mutants = mutantsOf(score);
  const percent = ((100 * score.killed) / mutants).toFixed(1);
  return [name, `${mutants}`, `${score.killed}`, `${percent} %`];
};

const sumOf = (rows: readonly Counts[]): Counts => {
  const sum = (key: keyof Counts) => rows.reduce((total, row) => total + row[key], 0);
  return { killed: sum("killed"), survived: sum("survived"), notCovered: sum("notCovered") };
};

/** Returns the mutants that the tests detected in the latest runs, by area and by file, as Markdown tables. */
export function mutationScores(): string {
  const scores = readScores();
  const rows = Object.entries(scores)
    .filter(([, score]) => mutantsOf(score) > 0)
    .map(([path, score]) => rowOf(`\`${path}\``, score));
  const areas = Object.entries(AREAS).map(([name, area]) => {
    const counted = filesOf(area).flatMap((path) => scores[path] ?? []);
    return rowOf(`\`${name}\``, sumOf(counted));
  });
  const all = rowOf("all of these", sumOf(Object.values(scores)));
  const byArea = toTable([["area", "mutants", "noticed", "score"], ...areas, all]);
  return `${byArea}\n\n${toTable([["file", "mutants", "noticed", "score"], ...rows])}`;
}
