// Checks the changelog, the version, the figures, the phone metadata and the licenses of a release.
import type { Loss } from "../bench/losses.ts";

/** Reason why a version cannot be released, or `undefined` if there is none. */
export type Problem = string | undefined;

/** Returns the section of the changelog about a version. */
const changesOf = (changelog: string, heading: string): string => {
  const [, rest = ""] = changelog.split(heading);
  const [changes = ""] = rest.split(/^## /m);
  return changes;
};

/** Checks that users can read what a version changes, and since when. */
export const changelogProblem = (changelog: string, version: string): Problem => {
  const heading = changelog.split("\n").find((line) => line.startsWith(`## ${version}`));
  if (heading === undefined) return `CHANGELOG.md has no heading "## ${version}"`;
  if (!/^## \S+ \(\d{4}-\d\d-\d\d\)$/.test(heading)) {
    return `CHANGELOG.md must give ${version} its date: "## ${version} (YYYY-MM-DD)"`;
  }
  return /^- /m.test(changesOf(changelog, heading))
    ? undefined
    : `CHANGELOG.md lists no changes below "## ${version}"`;
};

/** Checks that the changelog of a version names everything that became much larger or slower. */
export const lossProblem = (
  changelog: string,
  version: string,
  losses: readonly Loss[],
): Problem => {
  const changes = changesOf(changelog, `## ${version}`).split("\n");
  const unnamed = losses.filter(
    ({ name, isLarge }) =>
      isLarge && !changes.some((line) => line.includes(name) && /larger|slower/.test(line)),
  );
  if (unnamed.length === 0) return undefined;
  const lines = unnamed.map(({ text }) => `\n    ${text}`).join("");
  return `CHANGELOG.md must say that these got larger or slower, in a line that names each:${lines}`;
};

/** Checks that a version is well-formed and was not released before. */
export const versionProblem = (version: string, tags: readonly string[]): Problem => {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    return `${version} is not a version: it must look like 1.2.3`;
  return tags.includes(`v${version}`) ? `the tag v${version} already exists` : undefined;
};

/** Checks that the published counts of mutants are those of the present code. */
export const mutantsProblem = (changed: readonly string[]): Problem =>
  changed.length === 0
    ? undefined
    : `the mutants of ${changed.join(", ")} were counted before the latest change: ` +
      "npm run bench mutation && npm run generate";

/** Checks that libphonenumber-js is the newest, because its metadata contains new area codes. */
export const metadataProblem = (installed: string, newest: string): Problem =>
  installed === newest
    ? undefined
    : `libphonenumber-js is ${installed}, the newest is ${newest}: ` +
      `npm install -D libphonenumber-js@${newest} && npm run generate`;

/** Checks that package.json names the repository, because the registry resolves the links of the README against it. */
export const repositoryProblem = (repository: unknown): Problem =>
  /^(git\+)?https:\/\//.test((repository as { url?: string } | undefined)?.url ?? "")
    ? undefined
    : "package.json has no `repository.url`: the links of README would be dead on the registry's page";

/** Checks that LICENSE names every bundled package, as their licenses require. */
export const licenseProblem = (license: string, bundled: readonly string[]): Problem => {
  const missing = bundled.filter((name) => !license.includes(`\n${name} (`));
  return missing.length > 0 ? `LICENSE does not name ${missing.join(", ")}` : undefined;
};
