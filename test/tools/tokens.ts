// Counts the tokens of the code in `src`. Comments, line breaks and the choice of names do not change the count.
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

const ROOT = new URL("../../", import.meta.url).pathname;

const tokensWithin = (node: ts.Node, file: ts.SourceFile): number => {
  const parts = node.getChildren(file).filter((part) => !ts.isJSDoc(part));
  if (parts.length > 0) return parts.reduce((sum, part) => sum + tokensWithin(part, file), 0);
  return node.getText(file) === "" ? 0 : 1;
};

export const tokensOfSrc = (): number =>
  globSync("src/**/*.{ts,tsx}", { cwd: ROOT })
    .map((path) => {
      const text = readFileSync(ROOT + path, "utf8");
      const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
      return tokensWithin(file, file);
    })
    .reduce((sum, tokens) => sum + tokens, 0);
