// Finds what got worse between two versions of docs/performance.md, whose tables contain the measured figures.
import { execFileSync } from "node:child_process";

/** Figures that should be small: the columns of a table between two comments. */
interface Figures {
  readonly mark: string;
  readonly column: RegExp;
  readonly unit: string;
  /** Difference between two runs of the same code, as a ratio. */
  readonly noise: number;
  /** Ratio of a loss that the changelog of a release has to explain. */
  readonly limit: number;
}

const FIGURES: readonly Figures[] = [
  { mark: "sizes", column: /^min \+ gzip$/, unit: "kB", noise: 0.002, limit: 0.05 },
  { mark: "bench", column: /^this package/, unit: "times", noise: 0.07, limit: 0.1 },
  { mark: "bench-bulk", column: /^ratio/, unit: "times", noise: 0.02, limit: 0.1 },
];

/** A figure that got worse. */
export interface Loss {
  /** Row of the table. */
  readonly name: string;
  /** Sentence for readers, with both figures. */
  readonly text: string;
  /** Whether a release has to explain the loss. */
  readonly isLarge: boolean;
}

const cellsOf = (line: string): readonly string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Reads the figures of a page by their row and column. */
const read = (page: string, { mark, column }: Figures): ReadonlyMap<string, number> => {
  const [, part = ""] = page.split(`<!-- ${mark} -->`);
  const figures = new Map<string, number>();
  let head: readonly string[] = [];
  for (const line of part.split("\n")) {
    const cells = line.startsWith("|") ? cellsOf(line) : [];
    if (cells.length === 0 || head.length === 0) {
      head = cells;
      continue;
    }
    for (const [index, name] of head.entries()) {
      const figure = Number.parseFloat(cells[index] ?? "");
      if (column.test(name) && Number.isFinite(figure)) figures.set(`${cells[0]}, ${name}`, figure);
    }
  }
  return figures;
};

/** Returns every figure that is worse on the second page by more than its noise. A figure on only one of the pages is no loss. */
export const lossesBetween = (before: string, after: string): readonly Loss[] =>
  FIGURES.flatMap((figures) => {
    const earlier = read(before, figures);
    return [...read(after, figures)].flatMap(([key, now]) => {
      const past = earlier.get(key) ?? now;
      const loss = now / past - 1;
      if (loss <= figures.noise) return [];
      const percent = (loss * 100).toFixed(1);
      const text = `${key}: ${now} ${figures.unit}, was ${past} (+${percent} %)`;
      return { name: key.slice(0, key.lastIndexOf(", ")), text, isLarge: loss > figures.limit };
    });
  });

/** Returns the last release, or the last commit if there was none. */
export const lastRelease = (): string => {
  try {
    const args = ["describe", "--tags", "--abbrev=0", "--match", "v*"];
    return execFileSync("git", args, { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return "HEAD";
  }
};

/** Returns docs/performance.md of a release or commit. */
export const pageOf = (revision: string): string =>
  execFileSync("git", ["show", `${revision}:docs/performance.md`], { encoding: "utf8" });
