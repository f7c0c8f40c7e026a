import { globSync, readFileSync } from "node:fs";

const ROOT = new URL("../../../", import.meta.url);

/** First comment of an example of the runner: what the program does, and its command. */
const FIRST_COMMENT = /^\/\/ (?<about>.+?): `node (?<name>[a-z-]+)\S*\.ts ?(?<input>[^`]*)`/;

/** Returns a table of the examples that the runner knows: what each does, its file and its arguments. */
export const exampleList = (): string => {
  const rows = globSync(["examples/*.ts", "examples/with-packages/*.ts", "examples/browser/*.ts"], {
    cwd: ROOT,
  })
    .toSorted()
    .flatMap((path) => {
      const text = readFileSync(new URL(path, ROOT), "utf8");
      const { about, input, name } = FIRST_COMMENT.exec(text)?.groups ?? {};
      return name
        ? [`| [${name}](../../${path}) | ${about}. |${input ? ` \`${input}\`` : ""} |`]
        : [];
    });
  return ["| example | what it does | arguments |", "|---|---|---|", ...rows].join("\n");
};
