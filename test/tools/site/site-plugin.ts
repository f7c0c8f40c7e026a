// Extends typedoc. Names a guide by its first heading, puts it into its section, replaces the search, and links the name of an
// export in a guide to the export's page.
import { copyFileSync } from "node:fs";
import { join, relative } from "node:path";
import {
  Application,
  Comment,
  CommentTag,
  Converter,
  DeclarationReflection,
  DocumentReflection,
  PageEvent,
  type ProjectReflection,
  ReferenceReflection,
  ReflectionKind,
  Renderer,
} from "typedoc";
import { pages, ROOT } from "../../docs/pages.ts";
import { CATEGORIES, categoryOf } from "./categories.ts";
import { searchSections } from "./search.ts";
import { REFERENCE, rankOf, SECTIONS, sectionOf } from "./sections.ts";

/** The part of markdown-it that this file uses. typedoc does not export its types. */
interface Token {
  readonly type: string;
  readonly info: string;
  readonly content: string;
  readonly children: readonly Token[] | null;
  meta: unknown;
  attrSet(name: string, value: string): void;
}
type Rule = (tokens: readonly Token[], index: number, ...rest: unknown[]) => string;
interface Parser {
  readonly renderer: { readonly rules: Record<string, Rule | undefined> };
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: { readonly tokens: readonly Token[] }) => void): void;
    };
  };
}

const IN_LINK = "in a link";

/** Marks each piece of code that is already in a link. */
const markCodeInLinks = ({ tokens }: { readonly tokens: readonly Token[] }): void => {
  for (const { children } of tokens) {
    let depth = 0;
    for (const token of children ?? []) {
      if (token.type === "link_open") depth += 1;
      if (token.type === "link_close") depth -= 1;
      if (token.type === "code_inline" && depth > 0) token.meta = IN_LINK;
    }
  }
};

/** Maximum number of columns that a narrow screen shows as a table. It shows each row of a wider table as a card. */
const MOST_NARROW_COLUMNS = 2;

/** Labels each cell with the head of its column. */
const labelCells = ({ tokens }: { readonly tokens: readonly Token[] }): void => {
  let table: Token | undefined;
  let heads: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    const label = (tokens[index + 1]?.content ?? "").replaceAll("`", "");
    if (token.type === "table_open") {
      table = token;
      heads = [];
    } else if (token.type === "th_open") {
      heads.push(label);
      if (heads.length > MOST_NARROW_COLUMNS) table?.attrSet("class", "cards");
    } else if (token.type === "tr_open") {
      column = 0;
    } else if (token.type === "td_open") {
      token.attrSet("data-label", heads[column] ?? "");
      column += 1;
    }
  }
};

const nameByHeading = (project: ProjectReflection): void => {
  for (const page of project.documents ?? []) {
    const text = page.content.map((part) => part.text).join("");
    page.name = /^# (.+)$/m.exec(text)?.[1] ?? page.name;
  }
};

const addCategory = (comment: Comment | undefined, text: string): void => {
  comment?.blockTags.push(new CommentTag("@category", [{ kind: "text", text }]));
};

/** Puts each page and each entry point into its section of the sidebar. */
const putIntoSections = (project: ProjectReflection): void => {
  for (const page of project.documents ?? []) {
    page.comment ??= new Comment();
    const path = relative(ROOT, project.files.getReflectionPath(page) ?? "");
    addCategory(page.comment, sectionOf(path));
  }
  for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
    module.comment ??= new Comment();
    addCategory(module.comment, REFERENCE);
  }
};

const modulesOf = (project: ProjectReflection) =>
  project.getChildrenByKind(ReflectionKind.Module).filter(({ name }) => !name.endsWith("/schemas"));

const commentOf = (reflection: DeclarationReflection) =>
  reflection.comment ?? reflection.signatures?.[0]?.comment;

/** Puts each export into its category. An export without a comment stays unchanged, so validation reports it. */
const categorize = (project: ProjectReflection): void => {
  for (const reflection of modulesOf(project).flatMap((module) => module.children ?? [])) {
    const isCopy = reflection instanceof ReferenceReflection;
    const target = isCopy ? reflection.getTargetReflectionDeep() : reflection;
    const comment = commentOf(target as DeclarationReflection);
    const tagged = comment?.getTag("@category")?.content[0]?.text;
    if (!comment || (tagged !== undefined && !isCopy)) continue;
    if (isCopy) reflection.comment ??= new Comment();
    const path = project.getSymbolIdFromReflection(target)?.packagePath ?? "";
    addCategory(commentOf(reflection), tagged ?? categoryOf(relative("src", path)));
  }
};

/** Removes zod's own types from types that are inferred from a schema, because they do not help readers. */
const forgetZod = (project: ProjectReflection): void => {
  for (const reflection of project.getReflectionsByKind(ReflectionKind.Property)) {
    if (!(reflection instanceof DeclarationReflection)) continue;
    delete reflection.defaultValue;
    if (reflection.inheritedFrom?.name.startsWith("z.")) delete reflection.inheritedFrom;
  }
  for (const reflection of project.getReflectionsByKind(ReflectionKind.Interface)) {
    if (!(reflection instanceof DeclarationReflection)) continue;
    if (!reflection.extendedTypes?.some((type) => /\bz\.|typeof \w+Schema/.test(type.toString())))
      continue;
    delete reflection.extendedTypes;
    delete reflection.typeHierarchy;
  }
};

/** Returns every export by its name. If several have the same name, the export of the first module wins. */
const exportsOf = (project: ProjectReflection): ReadonlyMap<string, DeclarationReflection> => {
  const modules = project.getChildrenByKind(ReflectionKind.Module);
  const all = modules.flatMap((module) => module.children ?? []);
  return new Map(all.toReversed().map((reflection) => [reflection.name, reflection]));
};

export function load(app: Application): void {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    nameByHeading(project);
    putIntoSections(project);
    categorize(project);
  });
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => forgetZod(project), -1000);

  let known: ReadonlyMap<string, DeclarationReflection> = new Map();
  let page: DocumentReflection | undefined;
  app.renderer.on(Renderer.EVENT_BEGIN, ({ project }) => {
    known = exportsOf(project);
  });
  app.renderer.on(Renderer.EVENT_END, ({ outputDirectory }) =>
    copyFileSync(join(ROOT, "docs/llms.txt"), join(outputDirectory, "llms.txt")),
  );
  app.renderer.on(PageEvent.BEGIN, ({ model }) => {
    page = model instanceof DocumentReflection ? model : undefined;
  });

  searchSections(app);

  /** Returns the URL of an export relative to the guide that is being written. */
  const linkTo = (code: string): string | undefined => {
    const target = known.get(code.replace(/\(\)$/, ""));
    return page && target && app.renderer.router?.relativeUrl(page, target);
  };

  const prepare = ({ renderer, core }: Parser) => {
    const { code_inline: codeInline } = renderer.rules;
    core.ruler.push("mark-code-in-links", markCodeInLinks);
    core.ruler.push("label-cells", labelCells);
    renderer.rules.code_inline = (tokens, index, ...rest) => {
      const token = tokens[index];
      const code = codeInline?.(tokens, index, ...rest) ?? "";
      const url = token?.meta === IN_LINK ? undefined : linkTo(token?.content ?? "");
      return url ? `<a href="${url}">${code}</a>` : code;
    };
  };
  // Options are read again after plugins are loaded.
  app.on(Application.EVENT_BOOTSTRAP_END, () => {
    app.options.setValue("markdownItLoader", prepare);
    const documents = pages
      .filter((path) => path !== "README.md")
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .map((path) => join(ROOT, path));
    app.options.setValue("projectDocuments", documents);
    app.options.setValue("categoryOrder", [
      ...SECTIONS.map(([title]) => title),
      ...CATEGORIES.map(([title]) => title),
    ]);
  });
}
