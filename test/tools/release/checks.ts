// Checks the changelog, the version, the figures, the phone metadata, the identity, the pages and the licenses of a release.
/** Reason why a version cannot be released, or `undefined` if there is none. */
export type Problem = string | undefined;

/** Checks that the changelog lists a version's changes and its date. */
export const changelogProblem = (changelog: string, version: string): Problem => {
  const heading = changelog.split("\n").find((line) => line.startsWith(`## ${version}`));
  if (heading === undefined) return `CHANGELOG.md has no heading "## ${version}"`;
  if (!/^## \S+ \(\d{4}-\d\d-\d\d\)$/.test(heading)) {
    return `CHANGELOG.md must give ${version} its date: "## ${version} (YYYY-MM-DD)"`;
  }
  const [, rest = ""] = changelog.split(heading);
  const [changes = ""] = rest.split(/^## /m);
  return /^- /m.test(changes) ? undefined : `CHANGELOG.md lists no changes below "## ${version}"`;
};

/** Checks that a version is well-formed and was not released before. */
export const versionProblem = (version: string, tags: readonly string[]): Problem => {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    return `${version} is not a version: it must look like 1.2.3`;
  return tags.includes(`v${version}`) ? `the tag v${version} already exists` : undefined;
};

/** Checks that every generated part of docs/performance.md was measured with the current code. */
export const figuresProblem = (page: string, digest: string): Problem => {
  const parts = page.matchAll(/<!-- ([a-z-]+) -->\n(.*?)<!-- \1 -->/gs);
  const old = [...parts].filter(([, , text = ""]) => !text.includes(`<!-- of src: ${digest} -->`));
  if (old.length === 0) return undefined;
  const names = old.map(([, name = ""]) => name).join(", ");
  return `${names} of docs/performance.md were measured before the latest change of src: npm run bench`;
};

/** Checks that libphonenumber-js is up to date, because newer metadata contains new area codes. */
export const metadataProblem = (installed: string, newest: string): Problem =>
  installed === newest
    ? undefined
    : `libphonenumber-js is ${installed}, the newest is ${newest}: ` +
      `npm install -D libphonenumber-js@${newest} && npm run generate`;

/** Checks that package.json names the package's owner. The registry resolves the README's links against `repository`. */
export const identityProblem = (manifest: Readonly<Record<string, unknown>>): Problem => {
  const isUrl = (value: unknown): boolean =>
    /^(git\+)?https:\/\//.test(String(Object(value).url ?? value));
  const isGiven = {
    repository: isUrl(manifest.repository),
    homepage: isUrl(manifest.homepage),
    bugs: isUrl(manifest.bugs),
    author: /\S/.test(String(Object(manifest.author).name ?? manifest.author ?? "")),
  };
  const missing = Object.entries(isGiven).flatMap(([name, given]) => (given ? [] : [name]));
  return missing.length === 0
    ? undefined
    : `package.json lacks ${missing.map((name) => `\`${name}\``).join(", ")}`;
};

/** Checks that no page still says that the package is not published. */
export const unpublishedProblem = (pages: Readonly<Record<string, string>>): Problem => {
  const found = Object.entries(pages).flatMap(([path, text]) =>
    /not on npm|not published yet/i.test(text.replace(/\s+/g, " ")) ? [path] : [],
  );
  return found.length === 0
    ? undefined
    : `these pages say that the package is not published: ${found.join(", ")}`;
};

/** Checks that LICENSE names every bundled package, as their licenses require. */
export const licenseProblem = (license: string, bundled: readonly string[]): Problem => {
  const missing = bundled.filter((name) => !license.includes(`\n${name} (`));
  return missing.length > 0 ? `LICENSE does not name ${missing.join(", ")}` : undefined;
};
