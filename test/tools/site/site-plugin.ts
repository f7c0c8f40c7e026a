// What the site does beside typedoc: a guide is named by its first heading, Mermaid becomes SVG, and the name of an export in
// a guide leads to its page.
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
import { drawDiagram } from "../../docs/diagram.ts";
import { pages, ROOT } from "../../docs/pages.ts";
import { CATEGORIES, categoryOf } from "./categories.ts";

/** What is used of markdown-it, which typedoc does not give the types of. */
interface Token {
  readonly type: string;
  readonly info: string;
  readonly content: string;
  readonly children: readonly Token[] | null;
  meta: unknown;
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

/** Notes of each piece of code whether it stands in a link already. */
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

const nameByHeading = (project: ProjectReflection): void => {
  for (const page of project.documents ?? []) {
    const text = page.content.map((part) => part.text).join("");
    page.name = /^# (.+)$/m.exec(text)?.[1] ?? page.name;
  }
};

const modulesOf = (project: ProjectReflection) =>
  project.getChildrenByKind(ReflectionKind.Module).filter(({ name }) => !name.endsWith("/schemas"));

/** An export without words is left without, so that it is found. */
const categorize = (project: ProjectReflection): void => {
  for (const reflection of modulesOf(project).flatMap((module) => module.children ?? [])) {
    if (reflection instanceof ReferenceReflection) reflection.comment ??= new Comment();
    const comment = reflection.comment ?? reflection.signatures?.[0]?.comment;
    const text = categoryOf(reflection.name);
    comment?.blockTags.push(new CommentTag("@category", [{ kind: "text", text }]));
  }
};

/** Of a type that is inferred from a schema, what zod has to do with it is of no use to a reader. */
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

/** Every export by its name; where several modules have one of the same name, the first. */
const exportsOf = (project: ProjectReflection): ReadonlyMap<string, DeclarationReflection> => {
  const modules = project.getChildrenByKind(ReflectionKind.Module);
  const all = modules.flatMap((module) => module.children ?? []);
  return new Map(all.toReversed().map((reflection) => [reflection.name, reflection]));
};

export function load(app: Application): void {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    nameByHeading(project);
    categorize(project);
  });
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => forgetZod(project), -1000);

  let known: ReadonlyMap<string, DeclarationReflection> = new Map();
  let page: DocumentReflection | undefined;
  app.renderer.on(Renderer.EVENT_BEGIN, ({ project }) => {
    known = exportsOf(project);
  });
  app.renderer.on(PageEvent.BEGIN, ({ model }) => {
    page = model instanceof DocumentReflection ? model : undefined;
  });

  /** Where an export is, seen from the guide that is being written. */
  const linkTo = (code: string): string | undefined => {
    const target = known.get(code.replace(/\(\)$/, ""));
    return page && target && app.renderer.router?.relativeUrl(page, target);
  };

  const prepare = ({ renderer, core }: Parser) => {
    const { fence, code_inline: codeInline } = renderer.rules;
    core.ruler.push("mark-code-in-links", markCodeInLinks);
    renderer.rules.code_inline = (tokens, index, ...rest) => {
      const token = tokens[index];
      const code = codeInline?.(tokens, index, ...rest) ?? "";
      const url = token?.meta === IN_LINK ? undefined : linkTo(token?.content ?? "");
      return url ? `<a href="${url}">${code}</a>` : code;
    };
    renderer.rules.fence = (tokens, index, ...rest) => {
      const token = tokens[index];
      if (token?.info !== "mermaid") return fence?.(tokens, index, ...rest) ?? "";
      return `<div class="diagram-frame">${drawDiagram(token.content)}</div>`;
    };
  };
  // Options are read anew after plugins are loaded.
  app.on(Application.EVENT_BOOTSTRAP_END, () => {
    app.options.setValue("markdownItLoader", prepare);
    // typedoc.json puts the guides into their order; every other page comes after them.
    const guides = app.options.getValue("projectDocuments").map((path) => relative(ROOT, path));
    const others = pages.filter((path) => path !== "README.md" && !guides.includes(path));
    const documents = [...guides, ...others].map((path) => join(ROOT, path));
    app.options.setValue("projectDocuments", documents);
    app.options.setValue(
      "categoryOrder",
      CATEGORIES.map(([title]) => title),
    );
  });
}
