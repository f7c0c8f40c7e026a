import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

/** Folders of the schemas of the service, and of the fake. */
const FOLDERS = ["core/schemas", "testing"].map(
  (room) => new URL(`../../../src/${room}/`, import.meta.url),
);

const commentOf = (node: ts.Node): string | undefined => {
  const [comment] = ts.getJSDocCommentsAndTags(node);
  const text = comment && ts.isJSDoc(comment) ? ts.getTextOfJSDocComment(comment.comment) : "";
  return text?.replace(/\s+/g, " ") || undefined;
};

/** Returns the comments above the fields of schemas and types, by `variable.field` or, deeper, `variable.field.field`. */
export const fieldDocs = (): ReadonlyMap<string, string> => {
  const docs = new Map<string, string>();
  const visit = (node: ts.Node, path: string): void => {
    const isField =
      ts.isPropertyAssignment(node) ||
      ts.isShorthandPropertyAssignment(node) ||
      ts.isPropertySignature(node);
    const isNamed =
      isField ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      (ts.isVariableDeclaration(node) && path === "");
    const name = isNamed && ts.isIdentifier(node.name) ? node.name.text : "";
    const here = [path, name].filter(Boolean).join(".");
    const comment = isField ? commentOf(node) : undefined;
    if (comment) docs.set(here, comment);
    ts.forEachChild(node, (child) => visit(child, here));
  };
  for (const { pathname } of FOLDERS) {
    for (const file of globSync("**/*.ts", { cwd: pathname })) {
      const text = readFileSync(pathname + file, "utf8");
      visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true), "");
    }
  }
  return docs;
};
