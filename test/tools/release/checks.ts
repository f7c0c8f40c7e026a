// Checks of the texts of a release.

/** The reason why a version cannot be released; `undefined` where there is none. */
export type Problem = string | undefined;

/** Users must be able to read what a version changes, and since when. */
export const changelogProblem = (changelog: string, version: string): Problem => {
  const heading = changelog.split("\n").find((line) => line.startsWith(`## ${version}`));
  if (heading === undefined) return `CHANGELOG.md does not tell of ${version}`;
  if (!/^## \S+ \(\d{4}-\d\d-\d\d\)$/.test(heading)) {
    return `CHANGELOG.md must give ${version} its date: "## ${version} (YYYY-MM-DD)"`;
  }
  const [, rest = ""] = changelog.split(heading);
  return /^\s*- /.test(rest) ? undefined : `CHANGELOG.md says nothing of ${version}`;
};

/** A version is released once. */
export const versionProblem = (version: string, tags: readonly string[]): Problem => {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return `${version} is no version`;
  return tags.includes(`v${version}`) ? `the tag v${version} is there already` : undefined;
};

/** Phone numbers are judged by the metadata of libphonenumber-js, which new area codes come with. */
export const metadataProblem = (installed: string, newest: string): Problem =>
  installed === newest
    ? undefined
    : `libphonenumber-js is ${installed}, the newest is ${newest}: ` +
      `npm install -D libphonenumber-js@${newest} && npm run generate`;

/** The registry resolves the links of README against the repository, so package.json must name it. */
export const repositoryProblem = (repository: unknown): Problem =>
  /^(git\+)?https:\/\//.test((repository as { url?: string } | undefined)?.url ?? "")
    ? undefined
    : "package.json has no `repository.url`: the links of README would be dead on the registry's page";

/** The license of a bundled package asks to name it. */
export const licenseProblem = (license: string, bundled: readonly string[]): Problem => {
  const missing = bundled.filter((name) => !license.includes(`\n${name} (`));
  return missing.length > 0 ? `LICENSE does not name ${missing.join(", ")}` : undefined;
};
