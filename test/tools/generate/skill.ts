// Writes skills/messaging-service-client/SKILL.md, the page for assistants as an agent skill. `npm run build` runs it, so the
// package contains the file; the repository does not.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = new URL("../../../", import.meta.url).pathname;
const NAME = "messaging-service-client";

/** Frontmatter of the skill. The name must be that of its folder. */
const FRONTMATTER = {
  name: NAME,
  description:
    "Safe use of the npm package messaging-service-client, which sends RCS and SMS texts and manages subscriber lists. Use it before you " +
    "write, review or test code that imports this package, or build a tool with which an agent sends texts. It says which calls are safe " +
    "to repeat, and what must never be generated.",
};

const page = readFileSync(join(ROOT, "docs/agents.md"), "utf8");
const body = page
  // The introduction is about the page itself.
  .slice(page.indexOf("\n## ") + 1)
  .replace(/<!-- .+ -->\n\n/g, "")
  // Skills are copied into other folders, where relative links would be broken.
  .replace(/\[([^\]]+)\]\(([^)#:]+)[^)]*\)/g, (_, words: string, path: string) => {
    return `${words} (\`${join("node_modules", NAME, "docs", path)}\`)`;
  });

const folder = join(ROOT, "skills", NAME);
mkdirSync(folder, { recursive: true });
const fields = Object.entries(FRONTMATTER).map(([name, value]) => `${name}: ${value}`);
const text = ["---", ...fields, "---", "", `# ${NAME}`, "", body].join("\n");
writeFileSync(join(folder, "SKILL.md"), text);
