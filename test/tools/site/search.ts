// Collects what the search of the site finds: each section of a page, and each export and member (only once).
import { join, relative } from "node:path";
import { buildSync } from "esbuild";
import {
  type Application,
  type CommentDisplayPart,
  DeclarationReflection,
  DocumentReflection,
  PageEvent,
  ReflectionKind,
  Renderer,
} from "typedoc";
import { ROOT } from "../../docs/pages.ts";
import { sectionOf } from "./sections.ts";

/** A search result. */
export interface Section {
  readonly url: string;
  readonly title: string;
  /** Title of the page, or name of the export that a member belongs to. */
  readonly page: string;
  readonly keywords: string;
  readonly text: string;
  readonly weight: number;
}

const GUIDE_WEIGHT = 1;
/** Weight of a page about the project, which fewer readers search for. */
const PROJECT_WEIGHT = 0.3;
const EXPORT_WEIGHT = 0.4;
const MEMBER_WEIGHT = 0.03;

/** Words that people search for, by the section that uses different words. */
const KEYWORDS: Readonly<Record<string, string>> = {
  "Lists and pages › Lists and pages": "pagination",
  "Lists and pages › What the service can do": "list of subscribers",
  "Error messages › When a call fails": "no connection ECONNREFUSED ECONNRESET ENOTFOUND ETIMEDOUT",
};

const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/&(quot|amp|lt|gt|#39);/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Returns the sections of a page, one for each heading. */
const sectionsOf = (page: DocumentReflection, url: string, html: string): Section[] => {
  const path = relative(ROOT, page.project.files.getReflectionPath(page) ?? "");
  const weight = sectionOf(path) === "About the project" ? PROJECT_WEIGHT : GUIDE_WEIGHT;
  const [content = ""] = html.split('<div class="col-sidebar">');
  const [, ...parts] = content.split(/<h[1-4] id="/);
  return parts.map((part, position) => {
    const [, id = "", heading = "", below = ""] =
      /^([^"]+)"[^>]*>(.*?)<\/h\d>(.*)$/s.exec(part) ?? [];
    const title = position === 0 ? page.name : textOf(heading);
    return {
      url: position === 0 ? url : `${url}#${id}`,
      title,
      page: page.name,
      keywords: KEYWORDS[`${page.name} › ${title}`] ?? "",
      text: textOf(below),
      weight,
    };
  });
};

/** Returns whether a reflection is re-exported, inherited or overridden. Search finds a name only where it is first declared. */
const isCopy = (reflection: DeclarationReflection): boolean =>
  reflection.kindOf(ReflectionKind.Reference) ||
  (reflection.inheritedFrom ?? reflection.overwrites) !== undefined;

const joined = (parts: readonly CommentDisplayPart[] = []) =>
  parts.map(({ text }) => text).join("");

const toSection = (reflection: DeclarationReflection, url: string): Section => {
  const isExport = reflection.parent?.kindOf(ReflectionKind.Module) ?? true;
  const comment = reflection.comment ?? reflection.signatures?.[0]?.comment;
  return {
    url,
    title: reflection.name,
    page: isExport ? reflection.name : (reflection.parent?.name ?? ""),
    keywords: "",
    text: joined(comment?.summary),
    weight: isExport ? EXPORT_WEIGHT : MEMBER_WEIGHT,
  };
};

/** Replaces typedoc's search, which finds only whole pages, and every word that contains "in" for "in doubt". */
export const searchSections = (app: Application): void => {
  const sections: Section[] = [];
  app.renderer.on(PageEvent.END, ({ model, url, contents = "" }) => {
    if (model instanceof DocumentReflection) sections.push(...sectionsOf(model, url, contents));
  });
  app.renderer.on(Renderer.EVENT_END, ({ outputDirectory }) => {
    const { router } = app.renderer;
    const targets = router?.getLinkTargets() ?? [];
    const exported = targets
      .filter((target) => target instanceof DeclarationReflection)
      .filter((target) => !isCopy(target));
    sections.push(...exported.map((each) => toSection(each, router?.getFullUrl(each) ?? "")));
    buildSync({
      entryPoints: [join(ROOT, "test/tools/site/search-box.ts")],
      outfile: join(outputDirectory, "assets/search.js"),
      bundle: true,
      minify: true,
      banner: { js: `var sections = ${JSON.stringify(sections)};` },
    });
  });
};
