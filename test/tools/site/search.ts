import {
  type Application,
  DeclarationReflection,
  DocumentReflection,
  type IndexEvent,
  ReflectionKind,
  Renderer,
} from "typedoc";

/** How much more a guide counts than an export that has the same words. */
const GUIDE_BOOST = 400;

/** What a class, an interface or an entry point re-exports or inherits is found where it is declared. */
const isCopy = (result: DeclarationReflection | DocumentReflection): boolean =>
  result.kindOf(ReflectionKind.Reference) ||
  (result instanceof DeclarationReflection && result.inheritedFrom !== undefined);

/** Makes search find each thing once, and the guides first. */
export const rankGuidesFirst = (app: Application): void => {
  app.renderer.on(Renderer.EVENT_PREPARE_INDEX, (event: IndexEvent) => {
    for (let index = event.searchResults.length - 1; index >= 0; index -= 1) {
      const result = event.searchResults[index];
      if (!result) continue;
      if (isCopy(result)) event.removeResult(index);
      else if (result instanceof DocumentReflection) result.relevanceBoost = GUIDE_BOOST;
    }
  });
};
